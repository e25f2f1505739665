package hca_test

import (
	"testing"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A way adds up the time of a request step by step, from parameters alone.
type way struct {
	*pair
	s     *setup
	at    sim.Time
	spent [hca.NumParts]sim.Duration
}

func (w *way) to(at sim.Time, part sim.Part) {
	w.spent[part] += at.Sub(w.at)
	w.at = at
}

// cycles passes n cycles of a side's clock, from its next edge.
func (w *way) cycles(side int, n sim.Cycles, part sim.Part) {
	clock := sim.NewClock(w.s.hca[side].Clock)
	w.to(clock.After(w.at, n), part)
}

// read and write are one DMA on an idle bus.
func (w *way) read(side int, n sim.Bytes, part sim.Part) {
	w.to(w.at.Add(w.sides[side].host.Bus.Link().UnloadedRead(n)+w.s.host[side].Memory.DRAM), part)
}

func (w *way) write(side int, n sim.Bytes, part sim.Part) {
	w.to(w.at.Add(w.sides[side].host.Bus.Link().UnloadedWrite(n)+w.s.host[side].Memory.Commit), part)
}

// wire passes one packet from a side to the other.
func (w *way) wire(from int, o ib.Opcode, payload uint32, out, in sim.Part) {
	to := 1 - from
	last := w.s.hca[from].Transmit
	if wire.ClassOf(o) == wire.Answers {
		last = w.s.hca[from].Answer
	}
	w.cycles(from, last, out)
	bytes := sim.Bytes(w.s.wire.Encap().WireBytes(o, payload))
	w.to(w.at.Add(w.s.wire.Rate.Time(bytes)+w.s.wire.Propagation()), hca.PartWire)
	w.cycles(to, w.s.hca[to].Receive, in)
}

// translate passes the translation unit of a side, everything on chip.
func (w *way) translate(side int, mpt, mtt sim.Part) {
	w.cycles(side, w.s.hca[side].MTP.MPTLatency, mpt)
	w.cycles(side, w.s.hca[side].MTP.MTTLatency, mtt)
}

// expect is the whole way of a WRITE or READ of n bytes, everything on chip
// but the request itself.
func (w *way) expect(op ib.WROpcode, n uint32) {
	p := &w.s.hca[0]
	w.to(w.at.Add(w.sides[0].host.Bus.Link().UnloadedStore(8)), hca.PartDoorbell)
	w.cycles(0, p.Doorbell, hca.PartDoorbell)
	w.read(0, 64, hca.PartWQE)
	w.cycles(0, 0, hca.PartQueue) // the scheduler's next edge
	if op == ib.WRRDMAWrite {
		w.translate(0, hca.PartMPT, hca.PartMTT)
		w.read(0, sim.Bytes(n), hca.PartDMA)
		w.wire(0, ib.RCWriteOnly, n, hca.PartNIC, hca.PartRemote)
		w.translate(1, hca.PartRemoteMPT, hca.PartRemoteMTT)
		w.wire(1, ib.RCAck, 0, hca.PartRemote, hca.PartNIC)
	} else {
		w.wire(0, ib.RCReadRequest, 0, hca.PartNIC, hca.PartRemote)
		w.translate(1, hca.PartRemoteMPT, hca.PartRemoteMTT) // the request as a whole
		w.translate(1, hca.PartRemoteMPT, hca.PartRemoteMTT) // its only packet
		w.read(1, sim.Bytes(n), hca.PartRemoteDMA)
		w.wire(1, ib.RCReadRespOnly, n, hca.PartRemote, hca.PartNIC)
		if p.WQEAgain {
			w.read(0, 64, hca.PartWQE)
		}
		w.translate(0, hca.PartMPT, hca.PartMTT)
		w.to(w.at.Add(w.sides[0].host.Bus.Link().WriteTime(sim.Bytes(n))), hca.PartCQE) // the completion queues behind the data
	}
	w.write(0, p.CQEBytes, hca.PartCQE)
}

// uneven changes every number of a setup that a latency depends on, so that a
// number read in the wrong place shows.
func uneven(s *setup) {
	for i := range s.hca {
		h := &s.hca[i]
		h.Clock = sim.Hertz(644_531_250 + 1_000_000*i)
		h.Doorbell, h.Transmit, h.Answer, h.Receive = sim.Cycles(11+i), sim.Cycles(41+i), sim.Cycles(47+i), sim.Cycles(43+i)
		h.MTP.MPTLatency, h.MTP.MTTLatency = sim.Cycles(7+i), sim.Cycles(3+i)
		h.PCIe.ReadOverhead = sim.Duration(77_001 + i)
		s.host[i].Memory.DRAM, s.host[i].Memory.Commit = sim.Duration(91_003+i), sim.Duration(29_017+i)
		s.host[i].PCIe.Propagation = sim.Duration(61_003 + i)
	}
	s.wire.Rate, s.wire.Delay = 54_545_000_000, 7_001
}

// spaced gives every packet a gap, shorter than a way on the wire and back: who
// comes alone waits for none.
func spaced(engine string) func(*setup) {
	return func(s *setup) {
		for i := range s.hca {
			h := &s.hca[i]
			h.Engine, h.PacketGap, h.Schedule = engine, 7300, 11_100
			h.Gap = hca.GapParams{
				SendWrite: 81_500, SendRead: 77_300, ReceiveWrite: 93_700, ReceiveRead: 88_000, ReceiveByte: 3, ReceiveCell: 1100,
			}
		}
	}
}

// The latency of a WRITE and of a READ on an idle pair is the formula of the
// parameters, from the doorbell's store to the completion in memory, and so is
// each of its parts.
func TestUnloadedLatency(t *testing.T) {
	again := func(s *setup) {
		uneven(s)
		s.hca[0].WQEAgain = true
	}
	for name, change := range map[string]func(*setup){
		"round": func(*setup) {}, "uneven": uneven, "again": again, "split": spaced("split"), "shared": spaced("shared"),
	} {
		for _, op := range []ib.WROpcode{ib.WRRDMAWrite, ib.WRRDMARead} {
			for _, n := range []uint32{8, 64, 1024} {
				s := defaults()
				change(&s)
				p := newPair(t, s)
				var ends []hca.Retirement
				p.sides[0].Retired.Watch(func(r *hca.Retirement) { ends = append(ends, *r) })
				p.post(0, 0, op, 0, uint64(n), 4096) // brings everything on chip
				p.finish()
				start := p.Now().Add(1_234_567)
				p.Run(start)
				ends = nil
				w := &way{pair: p, s: &s, at: p.Now().Add(s.host[0].CPU.Post)}
				stamp := w.at
				w.expect(op, n)
				p.post(0, 0, op, 0, uint64(n), 4096)
				p.finish()
				got := ends[0]
				if got.At != w.at || got.Trail.Start != stamp {
					t.Errorf("%s %v of %d: from %v to %v, want %v to %v", name, op, n, got.Trail.Start, got.At, stamp, w.at)
				}
				for part := range hca.NumParts {
					if got.Trail.Spent[part] != w.spent[part] {
						t.Errorf("%s %v of %d: %s took %v, want %v", name, op, n, hca.PartName(part), got.Trail.Spent[part], w.spent[part])
					}
				}
			}
		}
	}
}

// A request is charged its own doorbell, also when that of the next request has
// come before it begins.
func TestOwnDoorbell(t *testing.T) {
	p := newPair(t, defaults())
	var ends []hca.Retirement
	p.sides[0].Retired.Watch(func(r *hca.Retirement) { ends = append(ends, *r) })
	p.post(0, 0, ib.WRRDMAWrite, 0, 64, 4096)
	p.finish()
	alone := ends[0].Trail.Spent[hca.PartDoorbell]
	for range 2 { // the second doorbell comes while the first request is fetched
		p.post(0, 0, ib.WRRDMAWrite, 0, 64, 4096)
	}
	p.finish()
	if got := ends[1].Trail.Spent[hca.PartDoorbell]; got > alone+10*sim.Nanosecond {
		t.Errorf("%v of doorbell, alone it takes %v", got, alone)
	}
}

// The parts of every request add up to its latency, whatever its opcode, size
// and misses: from the store of its doorbell to its completion being visible.
func TestPartsAddUp(t *testing.T) {
	for _, op := range []ib.WROpcode{
		ib.WRRDMAWrite, ib.WRRDMAWriteWithImm, ib.WRSend, ib.WRSendWithImm, ib.WRRDMARead,
		ib.WRAtomicFetchAndAdd, ib.WRAtomicCmpAndSwp,
	} {
		for _, n := range []uint64{0, 8, 3000, 9000} {
			if atomic := op == ib.WRAtomicFetchAndAdd || op == ib.WRAtomicCmpAndSwp; atomic && n != 8 {
				continue
			}
			p := newPair(t, defaults())
			p.link.AddFault(wire.Fault{Kind: wire.Drop, Nth: 5, Count: 1, PPM: wire.Always})
			ends := 0
			p.sides[0].Retired.Watch(func(r *hca.Retirement) {
				ends++
				sum := sim.Duration(0)
				for _, d := range r.Trail.Spent {
					sum += d
				}
				if r.Recv || r.Trail.Start.Add(sum) != r.At {
					t.Errorf("%v of %d: the parts add up to %v, it took %v", op, n, sum, r.At.Sub(r.Trail.Start))
				}
				stamp := sim.Time(p.sides[0].qps[0].Attr.SQ.WQEs[r.Op].Stamp)
				if r.Trail.Start != stamp {
					t.Errorf("%v of %d: begins at %v, the doorbell left at %v", op, n, r.Trail.Start, stamp)
				}
			})
			p.receive(1, 0, 3, 16<<10, 10000)
			for range 3 {
				p.post(0, 0, op, 0, n, 4096)
			}
			p.finish()
			if ends != 3 {
				t.Errorf("%v of %d: %d ends", op, n, ends)
			}
		}
	}
}
