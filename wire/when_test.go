package wire

import (
	"testing"

	"hcasim/ib"
	"hcasim/sim"
)

// TestArrival: a packet arrives when its bytes have passed at the rate and its
// last bit has come the whole way; not a picosecond earlier.
func TestArrival(t *testing.T) {
	for _, protocol := range ib.EncapNames() {
		for _, n := range []uint32{0, 1, 64, 4096} {
			w := newWorld(t, func(p *Params) {
				p.Protocol, p.Rate, p.Efficiency = protocol, 54_545_000_000, 972_000
				p.Length, p.PerMetre, p.Delay = 3, 5*sim.Nanosecond, 7*sim.Nanosecond
				p.Hops, p.HopDelay = 2, 90*sim.Nanosecond
			})
			w.send(A, ib.RCWriteOnly, n, 0, 1)
			way := 3*5*sim.Nanosecond + 7*sim.Nanosecond + 2*90*sim.Nanosecond
			bytes := w.link.encap.WireBytes(ib.RCWriteOnly, n)
			due := sim.Time(0).Add(w.serial(uint64(bytes)) + way)
			w.engine.Run(due - 1)
			if len(w.got[B]) != 0 {
				t.Errorf("%s, %d bytes: there at %v, before %v", protocol, n, w.got[B][0].at, due)
			}
			w.finish()
			if len(w.got[B]) != 1 || w.got[B][0].at != due {
				t.Errorf("%s, %d bytes: %v, want one at %v", protocol, n, w.got[B], due)
			}
		}
	}
}

// TestStream: packet n of a stream arrives when n packets' bytes have passed:
// fractions of a picosecond do not add up.
func TestStream(t *testing.T) {
	w := newWorld(t, func(p *Params) { p.Rate, p.Efficiency = 54_545_000_000, 985_000 })
	const count = 3000
	w.send(A, ib.RCWriteMiddle, 256, 0, count)
	w.finish()
	bytes := uint64(w.link.encap.WireBytes(ib.RCWriteMiddle, 256))
	for i, g := range w.got[B] {
		due := sim.Time(0).Add(w.serial(bytes*uint64(i+1)) + w.link.params.Propagation())
		if g.at != due || g.psn != ib.PSN(i) {
			t.Fatalf("packet %d: psn %d at %v, want at %v", i, g.psn, g.at, due)
		}
	}
	if len(w.got[B]) != count {
		t.Errorf("%d arrived of %d", len(w.got[B]), count)
	}
}

// TestBothWays: the directions do not share the wire.
func TestBothWays(t *testing.T) {
	w := newWorld(t, nil)
	w.send(A, ib.RCWriteOnly, 4096, 0, 10)
	w.send(B, ib.RCWriteOnly, 4096, 0, 10)
	w.finish()
	for i := range w.got[A] {
		if w.got[A][i] != w.got[B][i] {
			t.Errorf("packet %d: %v at A, %v at B", i, w.got[A][i], w.got[B][i])
		}
	}
}

// TestArbiter: the packet on the wire is finished, then answers go, then
// requests.
func TestArbiter(t *testing.T) {
	w := newWorld(t, nil)
	w.send(A, ib.RCWriteOnly, 4096, 0, 4)
	w.send(A, ib.RCAck, 0, 0, 3)
	w.finish()
	request := uint64(w.link.encap.WireBytes(ib.RCWriteOnly, 4096))
	answer := uint64(w.link.encap.WireBytes(ib.RCAck, 0))
	passed := uint64(0)
	for i, g := range w.got[B] {
		class, bytes := Answers, answer
		if i == 0 || i > 3 {
			class, bytes = Requests, request
		}
		passed += bytes
		if due := sim.Time(0).Add(w.serial(passed) + w.link.params.Propagation()); g.class != class || g.at != due {
			t.Errorf("%d: %v at %v, want %v at %v", i, g.class, g.at, class, due)
		}
	}
}

// TestTrail: the time from Send to acceptance is booked, each part under its
// own number.
func TestTrail(t *testing.T) {
	w := newWorld(t, nil)
	const queue, wire, flight, buffer = 3, 4, 5, 6
	w.link.Book(Parts{queue, wire, flight, buffer})
	var trails []sim.Trail
	w.link.Port(B).Accept(Requests, func(now sim.Time, h uint32) bool {
		if w.closed[B][Requests] {
			return false
		}
		trails = append(trails, w.pool.At(h).Trail)
		w.pool.Put(h)
		return true
	})
	for range 2 {
		h := w.packet(ib.RCWriteOnly, 0, 1024)
		w.pool.At(h).Trail.Begin(0)
		w.link.Port(A).Send(0, h)
	}
	w.close(B, Requests)
	later := sim.Time(0).Add(sim.Microsecond)
	w.engine.Run(later)
	if w.engine.Now() > later {
		t.Fatal("ran too far")
	}
	w.closed[B][Requests] = false
	w.link.Port(B).Resume(later, Requests)
	w.finish()
	bytes := uint64(w.link.encap.WireBytes(ib.RCWriteOnly, 1024))
	one, two, way := w.serial(bytes), w.serial(2*bytes), w.link.params.Propagation()
	for i, want := range [][4]sim.Duration{
		{0, one, way, sim.Duration(later) - one - way},
		{one, two - one, way, sim.Duration(later) - two - way},
	} {
		spent := trails[i].Spent
		if got := [4]sim.Duration{spent[queue], spent[wire], spent[flight], spent[buffer]}; got != want {
			t.Errorf("packet %d: %v, want %v", i, got, want)
		}
		if trails[i].Total() != sim.Duration(later) {
			t.Errorf("packet %d: %v in all, want %v", i, trails[i].Total(), later)
		}
	}
}
