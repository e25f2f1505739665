package hca_test

import (
	"pgregory.net/rapid"

	"hcasim/hca"
	"hcasim/mtp"
	"hcasim/sim"
)

// quirks draws what adapters differ in and what must change no outcome: packet
// engines and how long packets keep them, who waits for contexts, caches of few
// entries in one level or two, the second of them shared, holds.
func quirks(t *rapid.T, s *setup) {
	draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	for i := range s.hca {
		h := &s.hca[i]
		h.Engine = rapid.SampledFrom([]string{"split", "shared"}).Draw(t, "engine")
		h.MTP.Contexts = rapid.SampledFrom([]string{"overlap", "receive", "block"}).Draw(t, "contexts")
		h.MTP.Fills, h.MTP.ContextFills = uint32(draw("fills", 1, 4)), uint32(draw("context fills", 0, 2))
		h.AtomicHold = sim.Cycles(rapid.SampledFrom([]int{0, 1, 30, 700, 20_000}).Draw(t, "atomic hold"))
		h.AtomicBuckets = uint32(rapid.SampledFrom([]int{1, 2, 4096}).Draw(t, "buckets"))
		if draw("gaps", 0, 1) == 1 {
			gaps(t, h)
		}
		if draw("caches", 0, 1) == 1 {
			levels(t, &h.Cache)
		}
	}
}

// gaps draws how long packets keep the engines.
func gaps(t *rapid.T, h *hca.Params) {
	g := &h.Gap
	for _, x := range []*sim.Interval{
		&h.PacketGap, &h.Schedule, &g.SendWrite, &g.SendRead, &g.SendSend, &g.SendAtomic, &g.Local,
		&g.ReceiveWrite, &g.ReceiveRead, &g.ReceiveSend, &g.ReceiveAtomic, &g.ReceiveCell,
	} {
		*x = sim.Interval(rapid.SampledFrom([]int{0, 700, 9400, 200_000}).Draw(t, "gap"))
	}
	g.ReceiveByte = sim.Interval(rapid.SampledFrom([]int{0, 37}).Draw(t, "byte"))
}

// levels draws caches of few entries.
func levels(t *rapid.T, c *mtp.Caches) {
	draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	one := func(n int) mtp.FarParams {
		return mtp.FarParams{Entries: uint32(n), Ways: 1, Replace: "lru", Hash: draw("hash", 0, 1) == 1}
	}
	shape := draw("shape", 0, 2) // one level, two, two of which the first is shared
	for _, p := range []*mtp.CacheParams{&c.QPC, &c.MPT, &c.MTT} {
		*p = mtp.CacheParams{Entries: uint32(draw("near", 1, 2)), Ways: 1, Replace: "lru", Refill: sim.Cycles(draw("refill", 1, 300))}
		p.Work = sim.Cycles(draw("work", 0, 200))
		p.Hold = sim.Interval(rapid.SampledFrom([]int{0, 500, 40_000}).Draw(t, "hold"))
		p.FetchHold = sim.Interval(rapid.SampledFrom([]int{0, 500, 40_000}).Draw(t, "fetch hold"))
		if shape > 0 {
			p.Far = one(draw("far", 1, 3))
		}
	}
	if shape == 2 {
		c.Near = one(draw("shared", 1, 4))
	}
}
