package hca_test

import (
	"fmt"
	"testing"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/wire"
)

// tiny returns a setup in which nothing has more than one place.
func tiny() setup {
	s := defaults()
	s.attr.PathMTU, s.attr.Timeout = 256, 0 // no timer helps out of a deadlock
	s.qps = 2
	for i := range s.hca {
		h := &s.hca[i]
		h.PipeDepth, h.SendBuffers, h.AnswerBuffers, h.ReceiveBuffers = 1, 1, 1, 1
		h.AtomicBuckets, h.WQEPrefetch, h.RecvPrefetch = 1, 1, 1
		h.MTP.Depth, h.MTP.Fills = 1, 1
		h.PCIe.Tags, h.PCIe.Egress = 1, 64
		one := mtp.CacheParams{Entries: 1, Ways: 1, Replace: "lru"}
		h.Cache.QPC, h.Cache.MPT, h.Cache.MTT = one, one, one
	}
	s.wire.SendQueue, s.wire.Requests.Packets, s.wire.Answers.Packets = 1, 1, 1
	s.wire.MTU, s.wire.Requests.Bytes, s.wire.Answers.Bytes = 256, 512, 512
	return s
}

// An answer never waits for a question (law 11): however small the buffers and
// whatever the mix of requests in both directions, everything comes to its end
// without a timer.
func TestNoDeadlock(t *testing.T) {
	for mix := 1; mix < 32; mix++ { // any set of the five kinds
		for _, miss := range []string{"overlap", "block"} {
			t.Run(fmt.Sprintf("mix %05b %s", mix, miss), func(t *testing.T) {
				s := tiny()
				s.hca[0].MTP.Miss, s.hca[1].MTP.Miss = miss, miss
				flood(t, s, mix, 12)
			})
		}
	}
}

// And with one bottleneck at a time, so that it is others that fill up.
func TestOneBottleneck(t *testing.T) {
	for name, narrow := range map[string]func(s *setup){
		"pipe":            func(s *setup) { s.hca[1].PipeDepth = 1 },
		"send buffers":    func(s *setup) { s.hca[1].SendBuffers = 1 },
		"answer buffers":  func(s *setup) { s.hca[1].AnswerBuffers = 1 },
		"receive buffers": func(s *setup) { s.hca[1].ReceiveBuffers = 1 },
		"fills":           func(s *setup) { s.hca[1].MTP.Fills = 1 },
		"depth":           func(s *setup) { s.hca[1].MTP.Depth = 1 },
		"contexts":        func(s *setup) { s.hca[1].Cache.QPC = mtp.CacheParams{Entries: 1, Ways: 1, Replace: "lru"} },
		"tags":            func(s *setup) { s.hca[1].PCIe.Tags = 1 },
		"posted":          func(s *setup) { s.host[1].PCIe.PostedHeaders = 1 },
		"wire":            func(s *setup) { s.wire.Requests.Packets, s.wire.Answers.Packets = 1, 1 },
		"pause":           func(s *setup) { s.wire.Flow, s.wire.Requests.Packets = "pause", 8 },
		"slow memory": func(s *setup) {
			s.host[1].PCIe.ReadLatency, s.host[1].PCIe.WriteLatency = 20*sim.Microsecond, 20*sim.Microsecond
		},
		"atomics": func(s *setup) { s.hca[1].AtomicBuckets, s.hca[1].AtomicCycles = 1, 5000 },
	} {
		t.Run(name, func(t *testing.T) {
			s := defaults()
			s.attr.PathMTU, s.attr.Timeout, s.qps = 256, 0, 3
			narrow(&s)
			flood(t, s, 31, 25)
		})
	}
}

// Nor do they wait for each other at one packet engine, or in it for contexts of
// which one has a place on chip, in whichever level.
func TestNoDeadlockInEngine(t *testing.T) {
	two := mtp.CacheParams{Entries: 1, Ways: 1, Replace: "lru", Refill: 5, Hold: 700, FetchHold: 9400}
	two.Far = mtp.FarParams{Entries: 1, Ways: 1, Replace: "lru"}
	for mix := 1; mix < 32; mix++ {
		for bits := range 12 {
			s := tiny()
			for i := range s.hca {
				h := &s.hca[i]
				h.Engine = []string{"split", "shared"}[bits&1]
				h.MTP.Contexts = []string{"overlap", "receive", "block"}[bits>>2]
				h.Gap.ReceiveSend, h.Gap.SendWrite, h.AtomicHold = 12_300, 17_700, 3
				if bits&2 != 0 {
					h.Cache.QPC, h.Cache.MPT, h.Cache.MTT = two, two, two
					h.Cache.Near = two.Far
				}
			}
			t.Run(fmt.Sprintf("mix %05b %s %s %v", mix, s.hca[0].Engine, s.hca[0].MTP.Contexts, bits&2 != 0), func(t *testing.T) {
				flood(t, s, mix, 8)
			})
		}
	}
}

// flood posts n requests of each queue pair in both directions at once, of the
// kinds in mix, and holds the outcome to a model.
func flood(t *testing.T, s setup, mix, n int) {
	p := newPair(t, s)
	m := newModel(p)
	kinds := []int{}
	for k := range 5 {
		if mix>>k&1 == 1 {
			kinds = append(kinds, k)
		}
	}
	for i := range n {
		for q := range s.qps {
			for from := range 2 {
				m.step(from, q, kinds[(i+from)%len(kinds)], 37*i%700)
			}
		}
	}
	p.finish()
	m.check()
}

// A receiver whose memory is slow holds its sender up, by way of its receive
// buffers and the credits of the wire: the sender is never further ahead than
// what these hold.
func TestSlowReceiverStallsSender(t *testing.T) {
	s := defaults()
	s.host[1].PCIe.WriteLatency = 20 * sim.Microsecond
	s.hca[1].ReceiveBuffers, s.hca[1].PipeDepth, s.wire.Requests.Packets, s.wire.SendQueue = 2, 2, 3, 1
	s.hca[0].PipeDepth = 1
	s.attr.Timeout = 0
	p := newPair(t, s)
	for i := range uint64(30) {
		p.post(0, 0, ib.WRRDMAWrite, 1024*i, 1024, 1024*i)
	}
	entered, landed := 0, 0
	p.link.Tap.Watch(func(v *wire.Packet) {
		if v.Class == wire.Requests {
			entered++
		}
	})
	bytes := uint32(0)
	p.sides[1].Landed.Watch(func(l *hca.Landing) {
		bytes += l.N
		landed = int(bytes / 1024)
	})
	most := 0
	for at := sim.Microsecond; !p.Run(sim.Time(0).Add(at)); at += 500 * sim.Nanosecond {
		most = max(most, entered-landed)
	}
	p.finish()
	// Two are worked on, two in the pipeline, three in the buffer of the port.
	if most > 7 || most < 5 {
		t.Errorf("the sender was up to %d packets ahead, want 5 to 7", most)
	}
	if entered != 30 || landed != 30 {
		t.Errorf("%d packets sent, %d landed, want 30", entered, landed)
	}
	if took := p.Now(); took < sim.Time(30/2*20*sim.Microsecond) {
		t.Errorf("all of it took %v: nothing was held up", took)
	}
}
