package tpt

import (
	"pgregory.net/rapid"

	"hcasim/ib"
)

// opMix says how often each operation is drawn. Lists are drawn from their
// front more often than from their end.
var opMix = []Op{
	BindMW, BindMW, BindMW, BindMW, BindMW, BindMW, RegMR, RegMR, RegMR, AllocMW, AllocMW, AllocMW,
	AllocMR, AllocMR, FastRegMR, FastRegMR, FastRegMR, LocalInv, LocalInv, RemoteInv, ReregMR, ReregMR,
	DeregMR, DeregMR, DeallocMW, RegShared, SetPages,
	DestroyQP, CreateQP, AllocPD, DeallocPD, CreateSRQ, DestroySRQ, CreateAH, DestroyAH,
}

// draw gives a command that is sensible more often than not.
func (h *history) draw() Command {
	c := Command{
		Op: rapid.SampledFrom(opMix).Draw(h.T, "op"),
		PD: ib.PDN(rapid.SampledFrom([]uint32{1, 1, 1, 1, 2, 2, 3, 4}).Draw(h.T, "pd")), QPN: h.anyQP(), SRQN: 1,
		MWType: ib.MWType(rapid.SampledFrom([]uint8{1, 2, 2, 1, 2, 1, 3}).Draw(h.T, "mw type")),
	}
	switch c.Op {
	case RegMR, FastRegMR, ReregMR:
		h.drawRegion(&c)
	case RegShared, DeregMR:
		c.Index, c.Access = h.key(Kind.IsRegion).Index(), h.anyAccess()
	case DeallocMW:
		c.Index = h.key(Kind.IsWindow).Index()
	case AllocMR:
		c.MaxPages = rapid.SampledFrom([]uint32{2, 1, 3, 4, 0}).Draw(h.T, "max pages")
	case SetPages:
		c.Index = h.key(Kind.IsRegion).Index()
		c.VA = h.table.Entry(c.Index).Start + rapid.Uint64Range(0, 8192).Draw(h.T, "offset")
		c.Pages = h.drawPages(rapid.IntRange(0, 2).Draw(h.T, "pages"))
	case BindMW:
		h.drawBind(&c)
	case LocalInv, RemoteInv:
		c.Key = h.key(func(k Kind) bool { return k.Type2() || k == FastReg })
		if e := h.table.Entry(c.Key.Index()); rapid.IntRange(0, 3).Draw(h.T, "stray") < 3 {
			c.PD = e.PD
			if e.QPN != 0 {
				c.QPN = e.QPN
			}
		}
	}
	return c
}

// key is the current key of a live object of some kind or, now and then, any
// key at all.
func (h *history) key(of func(Kind) bool) ib.Key {
	var live []ib.Key
	for i, e := range h.table.entries.All() {
		if of(e.Kind) {
			live = append(live, ib.MakeKey(i, e.KeyByte))
		}
	}
	if len(live) == 0 || rapid.IntRange(0, 7).Draw(h.T, "stray") == 7 {
		return h.anyKey()
	}
	return rapid.SampledFrom(live).Draw(h.T, "of the living")
}

func (h *history) drawRegion(c *Command) {
	c.Access = h.anyAccess()
	c.VA, c.Length, c.PageShift = h.anyVA(), h.anyLength(), rapid.SampledFrom([]uint8{12, 12, 12, 13, 16, 11}).Draw(h.T, "shift")
	c.First = c.VA % 4096
	if c.Access&ib.ZeroBased != 0 {
		c.First = 0
	}
	c.First += rapid.SampledFrom([]uint64{0, 0, 0, 0, 0, 4096, 8}).Draw(h.T, "first")
	c.Writable = rapid.Bool().Draw(h.T, "writable")
	n, _ := pagesNeeded(c)
	c.Pages = h.drawPages(min(n, 20) + rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 1}).Draw(h.T, "more pages"))
	switch c.Op {
	case FastRegMR:
		c.Key = h.key(func(k Kind) bool { return k == FastReg }).Next()
		if e := h.table.Entry(c.Key.Index()); e.PD != 0 && rapid.IntRange(0, 4).Draw(h.T, "stray") < 4 {
			c.PD = e.PD
		}
		if rapid.Bool().Draw(h.T, "by region") {
			c.Region = ib.MakeKey(c.Key.Index(), 0)
			c.Key += ib.Key(rapid.SampledFrom([]uint32{0, 0, 0, 256}).Draw(h.T, "other index"))
		}
	case ReregMR:
		c.Index = h.key(Kind.IsRegion).Index()
		c.Rereg = ib.ReregFlags(rapid.Uint8Range(0, 8).Draw(h.T, "what"))
		c.Fail = rapid.IntRange(0, 9).Draw(h.T, "fail") == 9
		if c.Rereg&ib.ReregAccess == 0 && rapid.IntRange(0, 9).Draw(h.T, "stray access") < 9 {
			c.Access = 0
		}
	case NoOp:
	}
}

func (h *history) drawBind(c *Command) {
	c.Window, c.Region = h.key(Kind.IsWindow).Index(), h.key(Kind.IsRegion)
	c.NewByte = rapid.Uint8().Draw(h.T, "byte")
	c.Access = rapid.SampledFrom([]ib.AccessFlags{0, rr, rw, ra, rw | rr, rw | zb, rr, rw, lw, mb}).Draw(h.T, "window access")
	c.NoRegion = rapid.IntRange(0, 9).Draw(h.T, "no region") == 9
	c.VA, c.Length = h.anyVA(), h.anyLength()
	if rapid.IntRange(0, 5).Draw(h.T, "stray") == 5 {
		return
	}
	if h.table.Entry(c.Window).Kind == Window1 {
		c.MWType = 1
	} else {
		c.MWType = 2
	}
	if e := h.table.Entry(c.Region.Index()); e.Length > 0 {
		c.PD = e.PD
		c.VA = e.Start + rapid.Uint64Range(0, e.Length).Draw(h.T, "offset")
		c.Length = rapid.Uint64Range(0, e.Length+1).Draw(h.T, "bytes")
	}
}

func (h *history) drawPages(n int) []uint64 {
	pages := make([]uint64, n)
	for i := range pages {
		h.page += 1 << 20
		pages[i] = h.page
		if rapid.IntRange(0, 19).Draw(h.T, "no page") == 19 {
			pages[i] = NoPage
		}
	}
	return pages
}

// anyKey is a key that was handed out once, or its neighbour.
func (h *history) anyKey() ib.Key {
	if len(h.keys) == 0 {
		return 0
	}
	from := max(0, len(h.keys)-rapid.SampledFrom([]int{4, 12, 1000}).Draw(h.T, "of the last"))
	key := rapid.SampledFrom(h.keys[from:]).Draw(h.T, "key")
	return key + ib.Key(rapid.SampledFrom([]uint32{0, 0, 0, 0, 0, 0, 1, 256}).Draw(h.T, "off by"))
}

func (h *history) anyQP() ib.QPN {
	return ib.QPN(rapid.SampledFrom([]uint32{1, 1, 1, 2, 3, 4}).Draw(h.T, "qp"))
}

func (h *history) anyAccess() ib.AccessFlags {
	a := rapid.SampledFrom([]ib.AccessFlags{allRights, allRights, lw | mb, mb | rr, lw | rw, rr, 0, lw | ra}).Draw(h.T, "access")
	return a | rapid.SampledFrom([]ib.AccessFlags{0, 0, 0, 0, 0, 0, 0, zb, ib.OnDemand, rw, 0x200000, 0x400, ib.FlushGlobal, ib.RelaxedOrdering}).Draw(h.T, "and")
}

func (h *history) anyVA() uint64 {
	return rapid.SampledFrom([]uint64{0x10000, 0x10000, 0x10800, 0x11000, 0x13000, 0, 8, ^uint64(0) - 4095}).Draw(h.T, "va")
}

func (h *history) anyLength() uint64 {
	return rapid.SampledFrom([]uint64{1, 8, 64, 2048, 4096, 4096, 8192, 12289, 0, 1 << 21, ^uint64(0), ^uint64(0) - 0x10000}).Draw(h.T, "length")
}
