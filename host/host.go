package host

import (
	"iter"
	"slices"

	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// Executor carries out a device command at once. It is how what exists before
// time 0 comes to be.
type Executor interface {
	Execute(s *tpt.CommandSlot)
}

// A Host is one host: its memory and processes, and the software that drives
// the adapter.
type Host struct {
	Name      string
	Params    Params
	Pager     *Pager
	Root      *RootMemory
	Processes []*Process
	Bus       *pcie.Bus
	Commands  *tpt.CommandRing

	// LargestPage is the log2 of the largest page that the adapter translates
	// by.
	LargestPage uint8

	// Completion is told of every completion that a poll returns, which is to
	// be looked at during the call only. It must be set before anything is
	// posted.
	Completion func(now sim.Time, cq *CQ, c *ib.CQE)
	// Raised is told of every asynchronous event that the software sees.
	Raised func(now sim.Time, e ib.EQE)
	// Setup is set while objects are made that exist before time 0: verbs
	// cost nothing, and it carries their commands out.
	Setup Executor

	engine    *sim.Engine
	variant   *tpt.Variant
	qps       qpTable
	cqs       []*CQ      // by number
	events    eventQueue // asynchronous ones
	onDemand  []*MR
	leaving   []*leaving           // memory that is being taken from the adapter
	postponed []func(now sim.Time) // wishes for pages of it
	later     later
	bells     bells
	driver    driver
}

// New returns a host. Its bus is made with Root, and then set.
func New(e *sim.Engine, name string, p Params, v *tpt.Variant) *Host {
	h := &Host{
		Name: name, Params: p, engine: e, variant: v, LargestPage: Page1G,
		Pager: NewPager(p.Memory), Root: NewRootMemory(p.Memory, p.IOMMU),
		cqs: make([]*CQ, 1),
	}
	h.Pager.LLC = h.Root.LLC
	h.later.init(e, name)
	h.bells.init(h)
	h.driver.init(h)
	return h
}

// Process adds an address space.
func (h *Host) Process(name string) *Process {
	p := NewProcess(name, h.Pager)
	h.Processes = append(h.Processes, p)
	return p
}

// Allocate takes n contiguous bytes of memory for the driver: rings and tables.
// The adapter can always reach them. ok is false where no run of free frames is
// long enough.
func (h *Host) Allocate(n uint64) (addr uint64, ok bool) {
	r, ok := h.Pager.Frames.Whole(roundUp(n, frameBytes))
	if ok {
		h.grant(slices.Values([]Run{r}))
	}
	return r.PA, ok
}

// giveBack undoes Allocate.
func (h *Host) giveBack(addr, n uint64) {
	r := Run{addr, roundUp(n, frameBytes)}
	h.revoke(slices.Values([]Run{r}))
	h.Pager.Frames.Give(r)
}

// grant lets the adapter reach frames.
func (h *Host) grant(runs iter.Seq[Run]) {
	if h.Root.IOMMU == nil {
		return
	}
	for r := range runs {
		h.Root.IOMMU.Map(r)
	}
}

// revoke takes a grant back.
func (h *Host) revoke(runs iter.Seq[Run]) {
	if h.Root.IOMMU == nil {
		return
	}
	for r := range runs {
		h.Root.IOMMU.Unmap(r)
	}
}

// later runs functions at instants: the driver's continuations. Nothing on
// the way of a request passes here.
type later struct {
	engine *sim.Engine
	id     sim.HandlerID
	calls  sim.Pool[func(now sim.Time)]
}

func (l *later) init(e *sim.Engine, name string) {
	l.engine = e
	l.id = e.Register(name+".cpu", l)
}

func (l *later) at(t sim.Time, f func(now sim.Time)) {
	h := l.calls.Get()
	*l.calls.At(h) = f
	l.engine.At(t, l.id, h)
}

// Fire runs one of them.
func (l *later) Fire(now sim.Time, h uint32) {
	f := *l.calls.At(h)
	*l.calls.At(h) = nil
	l.calls.Put(h)
	f(now)
}

// A bell is a doorbell that the CPU is about to ring.
type bell struct {
	addr  uint64
	value uint32
	bytes sim.Bytes
}

// bells rings doorbells at the instant at which the store leaves the CPU.
type bells struct {
	host  *Host
	id    sim.HandlerID
	bells sim.Pool[bell]
}

func (b *bells) init(h *Host) {
	b.host = h
	b.id = h.engine.Register(h.Name+".doorbell", b)
}

func (b *bells) ring(at sim.Time, l bell) {
	h := b.bells.Get()
	*b.bells.At(h) = l
	b.host.engine.At(at, b.id, h)
}

// Fire rings one.
func (b *bells) Fire(now sim.Time, h uint32) {
	l := b.bells.At(h)
	b.bells.Put(h)
	b.host.Bus.MMIO(now, l.addr, l.value, l.bytes)
}

// powerOfTwo rounds n up.
func powerOfTwo(n uint32) int {
	k := 1
	for k < int(n) {
		k *= 2
	}
	return k
}
