package hca_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// Packets are lost, spoilt, repeated and delayed at random, and everything
// comes out as if they were not: each byte where it belongs, every request
// completed once and in order, every atomic executed once, nothing left over
// (H1, R1, laws 9 and 11).
func TestRandomLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		draw := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		s.seed = rapid.Uint64().Draw(t, "seed")
		s.qps = draw("queue pairs", 1, 2)
		s.attr.PathMTU = 256
		s.paged = rapid.Bool().Draw(t, "paged")
		s.attr.MaxRdAtomic = uint8(draw("reads", 1, 4))
		s.attr.MaxDestRdAtomic = s.attr.MaxRdAtomic
		quirks(t, &s)
		p := newPair(t, s)
		for _, k := range []wire.FaultKind{wire.Drop, wire.Corrupt, wire.Duplicate, wire.Delay, wire.Reorder} {
			p.link.AddFault(wire.Fault{
				Kind: k, PPM: uint32(draw(k.String(), 0, 30_000)), Count: uint64(draw("count", 1, 4)),
				Nth: uint64(draw("from", 1, 30)), Delay: sim.Duration(draw("delay", 0, 20)) * sim.Microsecond, Passes: 2,
			})
		}
		m := newModel(p)
		for range draw("requests", 1, 25) {
			m.step(draw("side", 0, 1), draw("qp", 0, s.qps-1), draw("what", 0, 4), draw("length", 0, 1500))
		}
		p.finish()
		m.check()
	})
}

// A model keeps beside a pair what its memory must be in the end: every
// request has its own stretch of both regions, but for the atomics, which all
// add to one word of each side.
type model struct {
	*pair
	want  [2][]byte
	next  [2]uint64 // free in the source, and in the target, of each side
	adds  [2]uint64
	recvs [2][]int
	sends [2][]int
	word  [2]uint64
}

const counter = region - 8 // where the word is

func newModel(p *pair) *model {
	m := &model{pair: p}
	for i, x := range p.sides {
		m.want[i] = x.scramble(7)
		m.recvs[i], m.sends[i] = make([]int, len(x.qps)), make([]int, len(x.qps))
		m.word[i] = binary.LittleEndian.Uint64(m.want[i][counter:])
	}
	return m
}

// step posts one request of each kind.
func (m *model) step(from, n, what, length int) {
	to, size := 1-from, uint64(length)
	at := m.next[0]
	if at+size+8 > counter {
		return
	}
	m.next[0] += size + 8
	mine, its := m.want[from][at:at+size], m.want[to][at:at+size]
	m.sends[from][n]++
	switch what {
	case 0:
		m.post(from, n, ib.WRRDMAWrite, at, size, at)
		copy(its, mine)
	case 1:
		m.post(from, n, ib.WRRDMARead, at, size, at)
		copy(mine, its)
	case 2:
		m.receive(to, n, 1, at, size)
		m.recvs[to][n]++
		m.post(from, n, ib.WRSend, at, size, 0)
		copy(its, mine)
	case 3:
		m.receive(to, n, 1, at, 0)
		m.recvs[to][n]++
		m.post(from, n, ib.WRRDMAWriteWithImm, at, size, at)
		copy(its, mine)
	case 4:
		m.post(from, n, ib.WRAtomicFetchAndAdd, at, 8, counter)
		m.adds[to]++
		// What it found depends on the order of the queue pairs: not compared.
		clear(m.want[from][at : at+8])
	}
}

// check compares memory and completions.
func (m *model) check() {
	for i, x := range m.sides {
		got := x.bytes(0, region)
		if sum := m.word[i] + m.adds[i]; binary.LittleEndian.Uint64(got[counter:]) != sum {
			m.t.Errorf("%s: the counter stands at %d, want %d after %d atomics", x.Name, binary.LittleEndian.Uint64(got[counter:]), sum, m.adds[i])
		}
		copy(got[counter:], m.want[i][counter:])
		if !bytes.Equal(got, m.want[i]) {
			m.differ(x.Name, got, m.want[i])
		}
		for n := range x.qps {
			m.all(fmt.Sprintf("%s: request of queue pair %d", x.Name, n), m.statuses(i, n), m.sends[i][n], ib.Success)
			m.all(fmt.Sprintf("%s: receive of queue pair %d", x.Name, n), m.received(i, n), m.recvs[i][n], ib.Success)
		}
	}
}

// differ says where memory is wrong, leaving out what atomics returned.
func (m *model) differ(name string, got, want []byte) {
	for i := range got {
		if got[i] != want[i] && want[i] != 0 {
			m.t.Errorf("%s: byte %#x is %#x, want %#x", name, i, got[i], want[i])
			return
		}
	}
}
