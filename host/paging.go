package host

// swapBytes is the size of the swap store's own address space: as good as
// without end.
const swapBytes = 1 << 52

// A Pager holds what the processes of one host share: its memory, its frames,
// and the store to which pages go when they are paged out.
type Pager struct {
	Memory *Memory
	Frames *Frames
	LLC    *LLC // sees loads and stores; nil: none

	params MemoryParams
	swap   *Memory
	slots  *Frames // places in swap
}

// NewPager returns the memory of a host that has no process yet.
func NewPager(p MemoryParams) *Pager {
	g := &Pager{
		Memory: NewMemory(), Frames: NewFrames(uint64(p.Size)), params: p,
		swap: NewMemory(), slots: NewFrames(swapBytes),
	}
	// Nobody's frames hold nothing, or a run that maps and unmaps for long
	// would keep all that was ever written.
	g.Frames.freed = func(r Run) { g.Memory.fill(r.PA, r.N, 0) }
	return g
}

// out moves the content of the pages in r to the swap store and returns where
// it is there. The frames are free afterwards.
func (g *Pager) out(r Run) (slot uint64) {
	got, ok := g.slots.Take(r.N, Page4K, 0)
	if !ok || len(got) != 1 {
		panic("host: swap store exhausted")
	}
	slot = got[0].PA
	g.Memory.move(r.PA, g.swap, slot, r.N)
	g.Memory.log.carry(r.PA, r.N, &g.swap.log, slot)
	g.Frames.Give(r)
	return slot
}

// in moves the n bytes at slot of the swap store to frames of pages of the
// size given. ok is false, and nothing happens, when there are not enough.
func (g *Pager) in(slot, n uint64, shift uint8) (runs []Run, ok bool) {
	runs, ok = g.take(n, shift)
	from := slot
	for _, r := range runs {
		g.Memory.log.forget(r.PA, r.N)
		g.swap.move(from, g.Memory, r.PA, r.N)
		g.swap.log.carry(from, r.N, &g.Memory.log, r.PA)
		from += r.N
	}
	if ok {
		g.slots.insert(Run{slot, n})
	}
	return runs, ok
}

// take allocates frames as the parameters say.
func (g *Pager) take(n uint64, shift uint8) ([]Run, bool) {
	return g.Frames.Take(n, shift, g.longest(shift))
}

func (g *Pager) longest(shift uint8) uint64 { return uint64(g.params.Contiguous) &^ (1<<shift - 1) }

// fresh allocates frames, fills them and hands them over.
func (g *Pager) fresh(n uint64, shift uint8, v byte, use func(r Run)) (ok bool) {
	return g.Frames.each(n, shift, g.longest(shift), func(r Run) {
		g.Memory.log.forget(r.PA, r.N)
		g.Memory.fill(r.PA, r.N, v)
		use(r)
	})
}

// discard forgets what the swap store keeps at r.
func (g *Pager) discard(r Run) {
	g.swap.fill(r.PA, r.N, 0)
	g.swap.log.forget(r.PA, r.N)
	g.slots.insert(r)
}
