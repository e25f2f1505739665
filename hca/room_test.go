package hca_test

import (
	"testing"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/wire"
)

// fetches counts the reads of the send queues of a side, and their bytes.
func (p *pair) fetches(side int) (reads, bytes *uint32) {
	reads, bytes = new(uint32), new(uint32)
	x := p.sides[side]
	x.host.Bus.Taps.Requests.Watch(func(r pcie.Record) {
		for _, q := range x.qps {
			ring := q.Attr.SQ
			if !r.Write && r.Addr >= ring.Base && r.Addr < ring.Base+uint64(len(ring.WQEs))*uint64(ring.Stride) {
				*reads++
				*bytes += r.Len
			}
		}
	})
	return reads, bytes
}

// inlined makes a WRITE that brings its data along.
func (p *pair) inlined(n uint64) host.SendWR {
	w := p.wr(0, ib.WRRDMAWrite, 0, n, 0)
	w.Flags |= ib.Inline
	w.Memory = p.sides[0].proc
	return w
}

// Of requests that come with their doorbells, as many stay on chip as there is
// room for until they are over; all others are fetched, once each, or once
// more for their answer.
func TestRoom(t *testing.T) {
	const n = 10
	for _, c := range []struct {
		name         string
		read         bool
		size         uint64
		set          func(*hca.Params)
		reads, bytes uint32
	}{
		{"no limit", true, 8, func(h *hca.Params) { h.WQERoom = 0 }, 0, 0},
		{"READs", true, 8, func(*hca.Params) {}, 6, 6 * 64},
		{"inlined", false, 8, func(*hca.Params) {}, 8, 8 * 64},                                 // two places each
		{"larger than the room", false, 60, func(h *hca.Params) { h.WQERoom = 1 }, 9, 9 * 128}, // one at a time
		{"again", true, 8, func(h *hca.Params) { h.WQEAgain = true }, 12, 12 * 64},
		{"again, all", true, 8, func(h *hca.Params) { h.WQEAgain, h.WQERoom = true, 0 }, 0, 0},
		{"inlined, never again", false, 8, func(h *hca.Params) { h.WQEAgain = true }, 8, 8 * 64},
		{"whole", true, 8, func(h *hca.Params) { h.WQEWhole, h.WQEPrefetch = true, 5 }, 6, 6 * 5 * 64}, // a slot is three blocks
		{"whole, again", true, 8, func(h *hca.Params) { h.WQEWhole, h.WQEAgain, h.WQEPrefetch = true, true, 5 }, 12, 6*5*64 + 6*3*64},
	} {
		s := defaults()
		s.attr.MaxRdAtomic, s.attr.MaxDestRdAtomic = 16, 16
		s.host[0].CPU.BlueFlame = host.On
		s.hca[0].WQERoom, s.hca[0].WQEPrefetch = 4, 1
		c.set(&s.hca[0])
		p := newPair(t, s)
		reads, bytes := p.fetches(0)
		for range n {
			w := p.inlined(c.size)
			if c.read {
				w = p.wr(0, ib.WRRDMARead, 0, c.size, 0)
			}
			p.postWR(0, 0, w)
		}
		p.finish()
		p.all(c.name, p.statuses(0, 0), n, ib.Success)
		if *reads != c.reads || *bytes != c.bytes {
			t.Errorf("%s: %d reads of %d B in all, want %d of %d", c.name, *reads, *bytes, c.reads, c.bytes)
		}
	}
}

// What a fetch reads and finds no room for is read again.
func TestReadForNothing(t *testing.T) {
	s := defaults()
	s.hca[0].WQERoom, s.hca[0].WQEPrefetch = 1, 4
	p := newPair(t, s)
	reads, bytes := p.fetches(0)
	for range 6 {
		p.post(0, 0, ib.WRRDMARead, 0, 8, 0)
	}
	p.finish()
	p.all("READ", p.statuses(0, 0), 6, ib.Success)
	if *reads != 6 || *bytes < (4+4+3+2+1)*64 {
		t.Errorf("%d reads of %d B: one request finds room at a time", *reads, *bytes)
	}
}

// Whatever is lost on the way, all requests end, in order, with their data.
func TestRoomUnderLoss(t *testing.T) {
	for nth := range uint64(24) {
		s := defaults()
		s.host[0].CPU.BlueFlame = host.On
		s.hca[0].WQERoom, s.hca[0].WQEAgain, s.hca[0].WQEWhole = 3, true, true
		p := newPair(t, s)
		from := p.sides[1].scramble(s.seed)
		p.link.AddFault(wire.Fault{Kind: wire.Drop, Nth: nth + 1, Count: 1, PPM: wire.Always})
		for i := range uint64(8) {
			p.post(0, 0, ib.WRRDMARead, 8192+3000*i, 3000, 8192+3000*i)
			p.postWR(0, 0, p.inlined(8))
		}
		p.finish()
		p.all("request", p.statuses(0, 0), 16, ib.Success)
		if string(p.sides[0].bytes(8192, 24000)) != string(from[8192:8192+24000]) {
			t.Errorf("packet %d lost: not the data of the READs", nth)
		}
	}
}

// A queue pair may be reset, and fail, while answers wait for their requests.
func TestResetWhileSinksAreSought(t *testing.T) {
	for _, to := range []ib.QPState{ib.Reset, ib.Err} {
		sought := false
		for at := sim.Microsecond; at < 6*sim.Microsecond; at += 100 * sim.Nanosecond {
			s := defaults()
			s.hca[0].WQERoom, s.hca[0].WQEAgain = 2, true
			p := newPair(t, s)
			reads, _ := p.fetches(0)
			for range 6 {
				p.post(0, 0, ib.WRRDMARead, 0, 3000, 0)
			}
			p.Run(sim.Time(at))
			before := *reads
			p.sides[0].ModifyQP(p.Now(), p.sides[0].qps[0].N, ib.MaskState, &ib.QPAttr{State: to})
			p.finish()
			sought = sought || *reads > before
		}
		if !sought {
			t.Errorf("to %v: nothing was being fetched: the test misses its mark", to)
		}
	}
}
