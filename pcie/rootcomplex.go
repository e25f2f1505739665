package pcie

import "hcasim/sim"

// A rootComplex is the ordering point of the host. Of every write that has
// arrived it is known when it will be committed; horizon is the last of those
// instants. A strict write is committed no earlier, a read served no earlier.
type rootComplex struct {
	horizon sim.Time
}

// arriveUp takes a TLP from the endpoint.
func (b *Bus) arriveUp(now sim.Time, h uint32) bool {
	tlp := &b.records.At(h).TLP
	tlp.At = now
	if b.Taps.TLPs.On() {
		b.show(tlp)
	}
	if b.Spoil != nil {
		b.spoil(now, tlp)
	}
	horizon := b.rc.horizon
	switch {
	case tlp.Kind == MWr, b.link.serve:
		b.access(now, h, tlp, horizon)
	case horizon <= now:
		b.access(now, h, tlp, now)
	default:
		b.engine.At(horizon, b.startID, h)
	}
	b.Taps.Up.Emit(tlp)
	return true
}

// spoil asks whether to refuse a TLP.
func (b *Bus) spoil(now sim.Time, tlp *TLP) {
	if b.Spoil(now, *tlp) {
		tlp.Refused = true
	}
}

// access begins the access of a TLP and finds out when it will be committed or
// served: if strict or a read not before earliest, the last commit of the writes
// that arrived before it.
func (b *Bus) access(now sim.Time, h uint32, tlp *TLP, earliest sim.Time) {
	at, write := now, tlp.Kind == MWr
	if tlp.Len != 0 && !tlp.Refused {
		ready, ok := b.memory.Access(now, tlp.Addr, tlp.Len, write)
		at, tlp.Refused = max(now, ready), !ok
	}
	if !write {
		b.engine.At(max(at.Add(b.link.host.ReadLatency), earliest), b.serveID, h)
		return
	}
	at = at.Add(b.link.host.WriteLatency)
	if !tlp.Relaxed {
		at = max(at, earliest)
	}
	b.rc.horizon = max(b.rc.horizon, at)
	b.engine.At(at, b.commitID, h)
}

// Fire makes a write seen.
func (e *onCommit) Fire(now sim.Time, h uint32) {
	b := (*Bus)(e)
	r := b.records.At(h)
	id, addr, n, refused := r.of, r.Addr, r.Len, r.Refused
	if id != h {
		b.records.Put(h)
		r = b.records.At(id)
	}
	r.served = now
	r.failed = r.failed || refused
	r.parts--
	b.parts--
	last := r.ended()
	f := &b.tx.credits
	f.giveAt(now, now.Add(b.link.host.CreditReturn), creditsFor(n))
	if f.awaited {
		b.wakeAwaiting(now, f)
	}
	if !refused && n != 0 {
		b.clients[r.Client].Served(now, r.asked.Handle, uint32(addr-r.Addr), n)
	}
	if last {
		b.done(now, id, r)
	}
}

// Fire reads the data of a TLP and makes it the completions that go back.
func (e *onServe) Fire(now sim.Time, h uint32) {
	b := (*Bus)(e)
	r := b.records.At(h)
	tlp := &r.TLP
	if tlp.of != h {
		r = b.records.At(tlp.of)
	}
	r.served = now
	f := &b.tx.nonPosted
	f.giveAt(now, now.Add(b.link.host.CreditReturn), header)
	if f.awaited {
		b.wakeAwaiting(now, f)
	}
	if tlp.Refused || tlp.Len == 0 {
		tlp.Kind, tlp.Bytes = Cpl, b.link.completion
		b.sendBack(now, h, tlp)
		return
	}
	count := completions(tlp.Addr, tlp.Len, b.link.cut, uint32(b.link.host.RCB))
	tlp.Kind, tlp.Count, tlp.Bytes = CplD, uint8(count), tlp.Len+count*b.link.completion
	b.sendBack(now, h, tlp)
	b.clients[r.Client].Served(now, r.asked.Handle, uint32(tlp.Addr-r.Addr), tlp.Len)
}
