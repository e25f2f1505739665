package hca_test

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
	"hcasim/wire"
)

// UC under loss, with memory that may have no page: nothing is ever answered,
// the requester reports success all the same, what is received has arrived
// whole and in order, and nobody is in an error state (REM-14).
func TestUnreliable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.attr.Type, s.attr.PathMTU, s.seed = ib.UC, 256, rapid.Uint64().Draw(t, "seed")
		s.paged = rapid.Bool().Draw(t, "paged")
		quirks(t, &s)
		p := newPair(t, s)
		for _, k := range []wire.FaultKind{wire.Drop, wire.Corrupt} {
			p.link.AddFault(wire.Fault{Kind: k, PPM: uint32(draw(k.String(), 0, 200_000))})
		}
		answers := 0
		p.link.Tap.Watch(func(v *wire.Packet) {
			if v.Src == wire.B {
				answers++
			}
		})
		from, to := p.sides[0].scramble(1), p.sides[1].scramble(2)
		const room = 1024
		n := draw("messages", 1, 15)
		p.receive(1, 0, n, 0, room)
		lengths := make([]int, n)
		for i := range n {
			lengths[i] = draw("length", 1, room)
			op := rapid.SampledFrom([]ib.WROpcode{ib.WRSend, ib.WRSendWithImm, ib.WRRDMAWrite}).Draw(t, "opcode")
			w := p.wr(0, op, uint64(i)*room, uint64(lengths[i]), 32<<10+uint64(i)*room)
			w.Imm = uint32(i)
			p.postWR(0, 0, w)
			if op == ib.WRRDMAWrite {
				lengths[i] = -1
			}
		}
		p.finish()
		p.all("request", p.statuses(0, 0), n, ib.Success)
		if answers > 0 {
			t.Errorf("%d packets came back", answers)
		}
		for i, x := range p.sides {
			if state, _ := x.QPState(0x10); state != ib.RTS {
				t.Errorf("side %d is in %v", i, state)
			}
		}
		wholeReceives(p, from, lengths, room)
		now := p.sides[1].bytes(0, region)
		for i := range now[32<<10:] {
			if at := 32<<10 + i; now[at] != to[at] && now[at] != from[i] {
				t.Fatalf("byte %#x is %#x: neither as before nor as written", at, now[at])
			}
		}
	})
}

// Receives of UC are taken in the order of the messages, though whether a WRITE
// with immediate takes one is known only when its key has been looked at (ORD-5,
// REM-14).
func TestUnreliableImmediates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.attr.Type, s.attr.PathMTU = ib.UC, 256
		quirks(t, &s)
		p := newPair(t, s)
		const room = 1024
		n := draw("messages", 1, 15)
		p.receive(1, 0, n, 0, room)
		var want []uint32
		for i := range n {
			op := rapid.SampledFrom([]ib.WROpcode{ib.WRSendWithImm, ib.WRRDMAWriteWithImm, ib.WRRDMAWriteWithImm}).Draw(t, "opcode")
			w := p.wr(0, op, uint64(i)*room, uint64(draw("length", 0, room)), 32<<10+uint64(i)*room)
			w.Imm = uint32(i)
			if op == ib.WRRDMAWriteWithImm && w.Length > 0 && draw("key", 0, 3) == 0 {
				w.RKey ^= 1 // dropped without a word
			} else {
				want = append(want, w.Imm)
			}
			p.postWR(0, 0, w)
		}
		p.finish()
		p.all("request", p.statuses(0, 0), n, ib.Success)
		var got []uint32
		for i, c := range p.sides[1].done {
			if got = append(got, c.Imm); c.Status != ib.Success || c.Op != uint32(i) {
				t.Errorf("receive %d ended as %d with %v", i, c.Op, c.Status)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("received %v, sent %v", got, want)
		}
	})
}

// A UC message that is too long for its receive ends it behind those before it,
// and each receive ends once (ORD-6, QP-3, LOC-12).
func TestUnreliableOverlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.attr.Type, s.attr.PathMTU = ib.UC, 256
		quirks(t, &s)
		p := newPair(t, s)
		n := draw("messages", 1, 6)
		p.receive(1, 0, n+3, 0, 256)
		for i := range n {
			p.post(0, 0, ib.WRSend, uint64(i)*256, uint64(draw("length", 1, 256)), 0)
		}
		p.post(0, 0, ib.WRSend, 0, 257, 0)
		p.finish()
		for i, c := range p.sides[1].done {
			want := ib.Success
			switch {
			case i == n:
				want = ib.LocLenErr
			case i > n:
				want = ib.WRFlushErr
			}
			if c.Op != uint32(i) || c.Status != want {
				t.Errorf("receive %d ended as %d with %v, not %v", c.Op, i, c.Status, want)
			}
		}
		if got := len(p.sides[1].done); got != n+3 {
			t.Errorf("%d of %d receives ended", got, n+3)
		}
	})
}

// wholeReceives checks that every receive that has ended holds one message
// whole, and each a later one than the receive before.
func wholeReceives(p *pair, from []byte, lengths []int, room uint64) {
	next := 0
	for i, c := range p.sides[1].done {
		if c.Status != ib.Success || c.Op != uint32(i) {
			p.t.Errorf("receive %d ended as %d with %v", i, c.Op, c.Status)
			return
		}
		got := p.sides[1].bytes(uint64(i)*room, uint64(c.ByteLen))
		for ; next < len(lengths); next++ {
			if lengths[next] == int(c.ByteLen) && bytes.Equal(got, from[uint64(next)*room:][:c.ByteLen]) {
				break
			}
		}
		if next == len(lengths) {
			p.t.Errorf("receive %d holds no message that was sent", i)
			return
		}
		next++
	}
}
