package tpt

import "hcasim/ib"

// The domains are what belongs to protection domains and is no memory: queue
// pairs, shared receive queues, address handles. Regions and windows count
// themselves in and out.
type domains struct {
	list  []domain // by PDN; 0 is never used
	freed ib.PDN   // head of the list of freed numbers
	pds   uint32
	qps   members
	srqs  members
	bound ByIndex[uint32] // by QPN: type 2A windows bound through the queue pair (QPD-3)
}

// A domain is one protection domain.
type domain struct {
	live  bool
	users uint32 // objects that belong to it (PD-3)
	ahs   uint32 // of them address handles, which have no number of their own here
	next  ib.PDN // freed: the one freed before it
}

// members are numbered objects and the domain of each, 0 where there is none.
type members struct {
	pd   ByIndex[ib.PDN]
	live uint32
}

func (m *members) of(n uint32) ib.PDN {
	if pd := m.pd.Find(ib.Index(n)); pd != nil {
		return *pd
	}
	return 0
}

func (d *domains) copyFrom(e *domains) {
	d.list = append(d.list[:0], e.list...)
	d.qps.pd.copyFrom(&e.qps.pd)
	d.srqs.pd.copyFrom(&e.srqs.pd)
	d.bound.copyFrom(&e.bound)
	d.freed, d.pds, d.qps.live, d.srqs.live = e.freed, e.pds, e.qps.live, e.srqs.live
}

// get returns the domain with number n, or nil.
func (d *domains) get(n ib.PDN) *domain {
	if uint32(n) >= uint32(len(d.list)) || !d.list[n].live {
		return nil
	}
	return &d.list[n]
}

// apply makes the changes that touch no protection entry.
func (d *domains) apply(c *Command, l *Limits) Result {
	switch c.Op {
	case AllocPD:
		return d.alloc(l)
	case DeallocPD:
		return d.dealloc(c.PD)
	case CreateQP:
		r := d.create(&d.qps, uint32(c.QPN), c.PD, l.QP)
		if r.Done() {
			d.reserve(c.QPN)
		}
		return r
	case DestroyQP:
		if d.boundTo(c.QPN) > 0 {
			return refuse(ib.EBUSY, "QPD-3")
		}
		return d.destroy(&d.qps, uint32(c.QPN))
	case CreateSRQ:
		return d.create(&d.srqs, uint32(c.SRQN), c.PD, l.SRQ)
	case DestroySRQ:
		return d.destroy(&d.srqs, uint32(c.SRQN))
	default:
		return d.handle(c)
	}
}

// handle counts an address handle in its domain, or out of it.
func (d *domains) handle(c *Command) Result {
	pd := d.get(c.PD)
	switch {
	case pd == nil, c.Op == DestroyAH && pd.ahs == 0:
		return refuse(ib.ENOENT, "PD-1")
	case c.Op == DestroyAH:
		pd.ahs--
		pd.users--
	default:
		pd.ahs++
		pd.users++
	}
	return Result{}
}

func (d *domains) alloc(l *Limits) Result {
	if d.pds >= l.PD {
		return refuse(ib.ENOMEM, "ACC-14")
	}
	n := d.freed
	if n != 0 {
		d.freed = d.list[n].next
	} else {
		if len(d.list) == 0 {
			d.list = append(d.list, domain{})
		}
		n = ib.PDN(len(d.list))
		d.list = append(d.list, domain{})
	}
	d.list[n] = domain{live: true}
	d.pds++
	return Result{PD: n}
}

func (d *domains) dealloc(n ib.PDN) Result {
	pd := d.get(n)
	switch {
	case pd == nil:
		return refuse(ib.ENOENT, "PD-1")
	case pd.users > 0:
		return refuse(ib.EBUSY, "PD-3")
	}
	*pd = domain{next: d.freed}
	d.freed = n
	d.pds--
	return Result{PD: n}
}

// create enters object n, whose number its maker chose.
func (d *domains) create(m *members, n uint32, pdn ib.PDN, limit uint32) Result {
	pd := d.get(pdn)
	switch {
	case pd == nil:
		return refuse(ib.ENOENT, "PD-1")
	case n == 0 || n > MaxIndex || m.of(n) != 0:
		return refuse(ib.EINVAL, "QPD-5")
	case m.live >= limit:
		return refuse(ib.ENOMEM, "ACC-14")
	}
	*m.pd.Make(ib.Index(n)) = pdn
	m.live++
	pd.users++
	return Result{}
}

func (d *domains) destroy(m *members, n uint32) Result {
	pdn := m.of(n)
	if pdn == 0 {
		return refuse(ib.ENOENT, "DER-5")
	}
	*m.pd.at(ib.Index(n)) = 0
	m.live--
	d.list[pdn].users--
	return Result{}
}

// boundTo returns how many type 2A windows hold on to queue pair n.
func (d *domains) boundTo(n ib.QPN) uint32 {
	if bound := d.bound.Find(ib.Index(n)); bound != nil {
		return *bound
	}
	return 0
}

// reserve makes room to count the windows of queue pair n, so that no bind has
// to.
func (d *domains) reserve(n ib.QPN) { d.bound.Make(ib.Index(n)) }

// hold counts a type 2A window bound through queue pair n.
func (d *domains) hold(n ib.QPN) {
	d.reserve(n) // for queue pairs that the table was not told of
	*d.bound.at(ib.Index(n))++
}
