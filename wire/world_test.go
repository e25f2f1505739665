package wire

import (
	"hcasim/ib"
	"hcasim/sim"

	"pgregory.net/rapid"
)

// got is a packet as a sink took it.
type got struct {
	at    sim.Time
	class Class
	psn   ib.PSN
}

// world is a link with senders that never run dry and sinks that record.
type world struct {
	t       rapid.TB
	engine  *sim.Engine
	pool    *Pool
	link    *Link
	got     [2][]got         // by receiver
	closed  [2][classes]bool // sinks that refuse
	asked   [2][classes]int  // how often a sink was offered a packet
	backlog [2][classes]sim.Ring[uint32]
	woken   [2][classes]int
}

func newWorld(t rapid.TB, change func(p *Params)) *world {
	p := DefaultParams()
	if change != nil {
		change(&p)
	}
	w := &world{t: t, engine: sim.NewEngine(), pool: NewPool()}
	w.link = NewLink(w.engine, "wire", p, w.pool, 1)
	for _, end := range [...]End{A, B} {
		for _, c := range [...]Class{Requests, Answers} {
			w.link.Port(end).Accept(c, func(now sim.Time, h uint32) bool { return w.take(now, end, c, h) })
			w.link.Port(end).OnRoom(c, func(now sim.Time) {
				w.woken[end][c]++
				w.push(now, end, c)
			})
		}
	}
	return w
}

func (w *world) take(now sim.Time, end End, c Class, h uint32) bool {
	w.asked[end][c]++
	if w.closed[end][c] {
		return false
	}
	p := w.pool.At(h)
	if p.Dst != end || p.Src != end.Peer() || ClassOf(p.BTH.Opcode) != c {
		w.t.Fatalf("%v from %v to %v came to the sink of %v at %v", p.BTH.Opcode, p.Src, p.Dst, c, end)
	}
	w.got[end] = append(w.got[end], got{now, c, p.BTH.PSN})
	w.pool.Put(h)
	return true
}

// packet makes a packet with a payload of n bytes.
func (w *world) packet(o ib.Opcode, psn ib.PSN, n uint32) uint32 {
	h := w.pool.Get()
	w.pool.At(h).BTH = ib.BTH{Opcode: o, PSN: psn}
	w.pool.Payload(h, n)
	return h
}

// send has count packets sent as soon as there is room, PSNs from first on.
func (w *world) send(from End, o ib.Opcode, n uint32, first ib.PSN, count uint32) {
	c := ClassOf(o)
	for i := range count {
		w.backlog[from][c].Push(w.packet(o, first.Add(i), n))
	}
	w.push(w.engine.Now(), from, c)
}

func (w *world) push(now sim.Time, from End, c Class) {
	for q := &w.backlog[from][c]; q.Len() > 0; q.Pop() {
		if !w.link.Port(from).Send(now, *q.Peek()) {
			return
		}
	}
}

// close and open say whether a sink takes packets.
func (w *world) close(end End, c Class) { w.closed[end][c] = true }

func (w *world) open(end End, c Class) {
	w.closed[end][c] = false
	w.link.Port(end).Resume(w.engine.Now(), c)
}

// finish runs to the end, which must be empty.
func (w *world) finish() {
	w.t.Helper()
	w.engine.Run(sim.Never)
	if waits := w.link.Waits(); waits != nil {
		w.t.Errorf("at the end: %q", waits)
	}
	if n := w.pool.Live(); n != 0 {
		w.t.Errorf("at the end %d packets are out", n)
	}
	for _, d := range w.link.ways {
		for c := range d.send {
			w.home(d, Class(c))
		}
	}
}

// home checks W4: credits at the sender, in flight back, held by packets on
// the way or in the buffer sum to the buffer.
func (w *world) home(d *direction, c Class) {
	if d.flow != flowCredits {
		return
	}
	g, b := &d.send[c].gate, &d.recv[c]
	packets, bytes := g.packets, g.bytes
	if g.due != sim.Never {
		packets++
		bytes += sim.Bytes(g.oldest.bytes)
	}
	for i := range g.later.Len() {
		packets++
		bytes += sim.Bytes(g.later.At(i).bytes)
	}
	if packets != b.Packets || bytes != b.Bytes {
		w.t.Errorf("%v from %v: %d packets and %v home of %d and %v", c, d.from, packets, bytes, b.Packets, b.Bytes)
	}
}

func (w *world) psns(end End, c Class) (psns []ib.PSN) {
	for _, g := range w.got[end] {
		if g.class == c {
			psns = append(psns, g.psn)
		}
	}
	return psns
}

// serial returns how long the first n bytes of a stream keep the wire, rounded
// up to a picosecond.
func (w *world) serial(n uint64) sim.Duration {
	p := w.link.params
	num := n * 8 * uint64(sim.Second) / 1000 // exact: a second has 10^12 ps
	den := uint64(p.Rate) / 1000 * uint64(p.Efficiency) / Always
	return sim.Duration((num + den - 1) / den)
}
