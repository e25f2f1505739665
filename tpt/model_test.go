package tpt

import "hcasim/ib"

// The model is the tables as one would tell them to a friend: objects, maps
// and lists, each question asked where the rules ask it. It shares no code
// with the tables, is slow, and knows no index but those it is told of.

type modelPages struct {
	list    []uint64
	size    uint64
	at      int // first translation entry
	room    int // translation entries held
	holders int
}

type modelMR struct {
	kind     string // plain, shared, fast
	state    string // valid, free, unusable
	pd       ib.PDN
	byte     uint8
	rights   ib.AccessFlags
	start, n uint64
	first    uint64
	pages    *modelPages
	writable bool
}

type modelMW struct {
	kind   int    // 1, 2
	state  string // valid, free, orphan
	pd     ib.PDN
	byte   uint8
	rights ib.AccessFlags
	qp     ib.QPN
	on     *modelMR
	zero   bool
	base   uint64 // first address of the bind, which address 0 means if zero
	// low..high are the bytes granted, as the region's keys call them; high is
	// the last one. Empty if none.
	low, high uint64
	empty     bool
}

type model struct {
	v       Variant
	l       Limits
	pds     map[ib.PDN]bool
	qps     map[ib.QPN]ib.PDN
	srqs    map[ib.SRQN]ib.PDN
	ahs     map[ib.PDN]int
	mrs     map[ib.Index]*modelMR
	mws     map[ib.Index]*modelMW
	lastKey map[ib.Index]uint8 // byte last in use at an index
	mtt     []bool
}

func newModel(v Variant, l Limits) *model {
	return &model{v, l, map[ib.PDN]bool{}, map[ib.QPN]ib.PDN{}, map[ib.SRQN]ib.PDN{}, map[ib.PDN]int{},
		map[ib.Index]*modelMR{}, map[ib.Index]*modelMW{}, map[ib.Index]uint8{}, make([]bool, l.MTT)}
}

// An outcome is what a change must come to.
type outcome struct {
	errno  ib.Errno
	rereg  ib.ReregResult
	status ib.WCStatus
	rule   string
}

func imm(errno ib.Errno, rule string) outcome     { return outcome{errno: errno, rule: rule} }
func cqe(status ib.WCStatus, rule string) outcome { return outcome{status: status, rule: rule} }

var done outcome

// boundTo lists the windows bound to a region.
func (m *model) boundTo(r *modelMR) (n int) {
	for _, w := range m.mws {
		if w.on == r {
			n++
		}
	}
	return n
}

func (m *model) inPD(pd ib.PDN) bool {
	for _, r := range m.mrs {
		if r.pd == pd {
			return true
		}
	}
	for _, w := range m.mws {
		if w.pd == pd {
			return true
		}
	}
	for _, of := range m.qps {
		if of == pd {
			return true
		}
	}
	for _, of := range m.srqs {
		if of == pd {
			return true
		}
	}
	return m.ahs[pd] > 0
}

// flags is 2.1 on a set of rights.
func (m *model) flags(a ib.AccessFlags) outcome {
	const known = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80 | 0x100 | 0x200
	switch {
	case a&^(known|0x3FF00000) != 0:
		return imm(ib.EINVAL, "ACC-5")
	case a&0x2 != 0 && a&0x1 == 0, a&0x8 != 0 && a&0x1 == 0:
		return imm(ib.EINVAL, "ACC-1")
	case a&0x300 != 0:
		return imm(ib.EOPNOTSUPP, "ACC-7")
	}
	return done
}

// shape is 2.1 on a range: c describes a region with flags a.
func (m *model) shape(c *Command, a ib.AccessFlags) outcome {
	va := c.VA
	if a&0x20 != 0 {
		va = 0
	}
	switch {
	case c.Length == 0, sum(va, c.Length).BitLen() > 64:
		return imm(ib.EINVAL, "ACC-11")
	case va%4096 != c.First%4096:
		return imm(ib.EINVAL, "ACC-10")
	}
	return done
}

// pagesNeeded counts pages; the shape is known to be good.
func pagesNeeded(c *Command) (n int, ok bool) {
	if c.PageShift < 12 || c.PageShift > 30 || c.First >= 1<<c.PageShift || sum(c.First, c.Length).BitLen() > 64 {
		return 0, false
	}
	for covered := uint64(0); covered < c.First+c.Length; covered += 1 << c.PageShift {
		if n++; n > 1000 {
			return n, true
		}
	}
	return n, true
}

// list is the page list against the range.
func (m *model) list(c *Command, a ib.AccessFlags) (int, outcome) {
	n, ok := pagesNeeded(c)
	lazy := a&0x40 != 0
	switch {
	case !ok, len(c.Pages) != n && !(lazy && len(c.Pages) == 0):
		return 0, imm(ib.EINVAL, "MR-8")
	case n > int(m.l.MTT):
		return 0, imm(ib.ENOMEM, "ACC-14")
	}
	for _, p := range c.Pages {
		if p == NoPage && !lazy {
			return 0, imm(ib.EFAULT, "ACC-12")
		}
	}
	return n, done
}

func (m *model) fits(n int) bool {
	_, ok := dumbFit(m.mtt, n)
	return ok
}

// take takes a run for n pages and fills it.
func (m *model) take(n int, list []uint64, shift uint8) *modelPages {
	at, _ := dumbFit(m.mtt, n)
	p := &modelPages{make([]uint64, n), 1 << shift, at, n, 1}
	for i := range n {
		m.mtt[at+i] = true
		p.list[i] = NoPage
	}
	copy(p.list, list)
	return p
}

func (m *model) give(p *modelPages) {
	if p.holders--; p.holders == 0 {
		for i := range p.room {
			m.mtt[p.at+i] = false
		}
	}
}

// has reports whether one byte lies in a region.
func (r *modelMR) has(va uint64) bool { return va >= r.start && va-r.start < r.n }

// where is the physical address of a byte of a region.
func (r *modelMR) where(va uint64) uint64 {
	n := r.first + (va - r.start)
	if page := r.pages.list[n/r.pages.size]; page != NoPage {
		return page + n%r.pages.size
	}
	return NoPage
}

// judge gives the verdict of 3.1 and 3.2 step 9, and the physical address of
// the first and the last byte where it is ok.
func (m *model) judge(a Access) (f Fault, first, last uint64) {
	n := a.Judge.Length
	if a.Need == ib.RemoteAtomic && n < 8 {
		n = 8
	}
	if n == 0 {
		return OK, 0, 0
	}
	index, keyByte := ib.Index(a.Key/256), uint8(a.Key%256)
	wraps := sum(a.Judge.VA, n-1).BitLen() > 64
	from, to := a.Judge.VA, a.Judge.VA+(n-1)
	if r := m.mrs[index]; r != nil {
		switch {
		case r.byte != keyByte:
			return BadKey, 0, 0
		case r.state != "valid":
			return NotValid, 0, 0
		case r.pd != a.PD:
			return PDMismatch, 0, 0
		case a.Need != 0 && r.rights&a.Need == 0:
			return NoRight, 0, 0
		case wraps, !r.has(from), !r.has(to):
			return OutOfRange, 0, 0
		}
		return OK, r.where(from), r.where(to)
	}
	w := m.mws[index]
	if w == nil || !a.Remote {
		return BadIndex, 0, 0
	}
	if w.zero {
		wraps = wraps || sum(to, w.base).BitLen() > 64
		from, to = from+w.base, to+w.base
	}
	switch {
	case w.byte != keyByte:
		return BadKey, 0, 0
	case w.state != "valid":
		return NotValid, 0, 0
	case !(w.kind == 2 && m.v.MW2Flavor == Window2A) && w.pd != a.PD:
		return PDMismatch, 0, 0
	case w.kind == 2 && w.qp != a.QPN:
		return QPMismatch, 0, 0
	case a.Need != 0 && w.rights&a.Need == 0:
		return NoRight, 0, 0
	case wraps, !w.has(from, m.v.MWRangeOfMR), !w.has(to, m.v.MWRangeOfMR):
		return OutOfRange, 0, 0
	}
	return OK, w.on.where(from), w.on.where(to)
}

// has reports whether a byte is granted by a window.
func (w *modelMW) has(va uint64, regionRange bool) bool {
	if regionRange && !w.zero {
		return w.on.has(va)
	}
	return !w.empty && va >= w.low && va <= w.high
}
