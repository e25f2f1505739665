package wire

import (
	"slices"
	"testing"

	"hcasim/ib"
	"hcasim/sim"

	"pgregory.net/rapid"
)

// play runs a drawn load over a drawn link and returns what both receivers saw.
// Whatever the load: nothing is lost that no fault took, classes keep their
// order unless a fault breaks it, buffers keep their bounds, the end is empty.
func play(t *rapid.T, seed uint64, watched bool) (saw [2][]got) {
	word := func(name string, words ...string) string { return rapid.SampledFrom(words).Draw(t, name) }
	var p Params
	w := newWorld(t, func(q *Params) {
		q.Flow, q.FlowBack = word("flow", "credits", "pause", "drop"), word("back", "credits", "pause", "drop")
		q.Protocol, q.MTU = word("protocol", ib.EncapNames()...), 512
		q.Requests.Packets = rapid.Uint32Range(1, 8).Draw(t, "request room")
		q.Answers.Packets = rapid.Uint32Range(1, 8).Draw(t, "answer room")
		q.SendQueue = rapid.Uint32Range(1, 4).Draw(t, "send queue")
		q.Delay = sim.Duration(rapid.Uint64Range(0, 300_000).Draw(t, "delay"))
		p = *q
	})
	w.link.seed = seed
	orderly := true
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		k := FaultKind(rapid.IntRange(0, int(Reorder)).Draw(t, "kind"))
		orderly = orderly && k != Delay && k != Reorder
		w.link.AddFault(Fault{Kind: k, PPM: 100_000, Delay: sim.Duration(rapid.Uint64Range(0, 500_000).Draw(t, "by"))})
	}
	var sent, copies, gone [2]int
	if watched {
		w.link.Tap.Watch(func(p *Packet) {
			sent[p.Src]++
			if p.Fate == Copy {
				copies[p.Src]++
			}
			if p.Fate == Lost {
				gone[p.Src]++
			}
			for c := range w.link.ways[p.Src].recv {
				b := &w.link.ways[p.Src].recv[c]
				if b.waiting.Len() > int(b.Packets) || b.held > b.Bytes {
					t.Fatalf("%d packets, %v in a buffer of %v", b.waiting.Len(), b.held, b.BufferParams)
				}
			}
		})
		w.link.Received.Watch(func(r Receipt) {
			if r.Fate == Corrupted || r.Fate == Overrun {
				gone[r.From]++
			}
		})
	}
	var asked [2]int
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		end := End(rapid.IntRange(0, 1).Draw(t, "end"))
		class := Class(rapid.IntRange(0, 1).Draw(t, "class"))
		switch rapid.IntRange(0, 3).Draw(t, "do") {
		case 0:
			w.close(end, class)
		case 1:
			w.open(end, class)
		default:
			n := rapid.Uint32Range(1, 20).Draw(t, "count")
			o := [classes]ib.Opcode{Requests: ib.RCWriteMiddle, Answers: ib.RCReadRespMiddle}[class]
			w.send(end, o, rapid.Uint32Range(0, p.MTU).Draw(t, "bytes"), ib.PSN(asked[end]), n)
			asked[end] += int(n)
		}
		w.engine.Run(w.engine.Now() + sim.Time(rapid.Uint64Range(0, 400_000).Draw(t, "for")))
	}
	for _, end := range [...]End{A, B} {
		w.open(end, Requests)
		w.open(end, Answers)
	}
	w.finish()
	for _, from := range [...]End{A, B} {
		if orderly && (!slices.IsSorted(w.psns(from, Requests)) || !slices.IsSorted(w.psns(from, Answers))) {
			t.Fatalf("out of order at %v: %v", from, w.got[from])
		}
		if !watched {
			continue
		}
		if sent[from] != asked[from]+copies[from] || len(w.got[from.Peer()]) != sent[from]-gone[from] {
			t.Fatalf("from %v: %d to send, %d copies, %d entered, %d gone, %d taken", from,
				asked[from], copies[from], sent[from], gone[from], len(w.got[from.Peer()]))
		}
	}
	return w.got
}

// TestConserves plays drawn loads.
func TestConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { play(t, rapid.Uint64().Draw(t, "seed"), true) })
}

// TestWatching changes nothing, and equal input gives an equal run (W7).
func TestWatching(t *testing.T) {
	script := rapid.Custom(func(t *rapid.T) [2][]got { return play(t, 5, false) })
	watched := rapid.Custom(func(t *rapid.T) [2][]got { return play(t, 5, true) })
	for seed := range 30 {
		a, b, c := script.Example(seed), watched.Example(seed), script.Example(seed)
		for _, end := range [...]End{A, B} {
			if !slices.Equal(a[end], b[end]) || !slices.Equal(a[end], c[end]) {
				t.Fatalf("seed %d: three runs of the same differ at %v", seed, end)
			}
		}
	}
}

// TestAllocates: once every ring has its size, a packet costs no allocation,
// whatever the flow control.
func TestAllocates(t *testing.T) {
	for _, flow := range []string{"credits", "pause", "drop"} {
		w := newWorld(t, func(p *Params) { p.Flow, p.Requests.Packets = flow, 4 })
		run := func() {
			w.got[A], w.got[B] = w.got[A][:0], w.got[B][:0]
			w.send(A, ib.RCWriteOnly, 1024, 0, 500)
			w.send(B, ib.RCReadRespMiddle, 1024, 0, 500)
			w.engine.Run(sim.Never)
		}
		run()
		if n := testing.AllocsPerRun(20, run); n != 0 {
			t.Errorf("%s: %v allocations for 1000 packets", flow, n)
		}
		w.finish()
	}
}

// TestEvents: a packet costs few events, also while the other class waits for
// credits.
func TestEvents(t *testing.T) {
	const count = 10_000
	w := newWorld(t, func(p *Params) {
		p.Delay, p.Answers.Packets = 10*sim.Microsecond, 1
		p.Requests = BufferParams{Packets: count, Bytes: 1 << 30}
	})
	w.send(A, ib.RCWriteOnly, 64, 0, count)
	w.send(A, ib.RCAck, 0, 0, 10)
	w.finish()
	if n := w.engine.Fired(); n > 3*count+100 { // wire free, arrival, sender woken
		t.Errorf("%d events for %d packets", n, count)
	}
}

// TestAddress: the link fills in what follows from payload and way.
func TestAddress(t *testing.T) {
	w := newWorld(t, nil)
	h := w.packet(ib.RCWriteOnly, 0, 5)
	w.link.Port(B).Send(0, h)
	p := w.pool.At(h)
	if p.BTH.Pad != 3 || p.Bytes != 50 || p.Src != B || p.Dst != A {
		t.Errorf("pad %d, %v on the wire, from %v to %v", p.BTH.Pad, p.Bytes, p.Src, p.Dst)
	}
	w.finish()
	defer func() {
		if recover() == nil {
			t.Error("a packet beyond the MTU was taken")
		}
	}()
	w = newWorld(t, func(p *Params) { p.MTU = 256 })
	w.link.Port(A).Send(0, w.packet(ib.RCWriteOnly, 0, 257))
}

// TestCopyHasItsOwnBytes: whoever takes the first of two may write on it.
func TestCopyHasItsOwnBytes(t *testing.T) {
	w := newWorld(t, nil)
	w.link.AddFault(Fault{Kind: Duplicate, PPM: Always})
	var seen []string
	w.link.Port(B).Accept(Requests, func(_ sim.Time, h uint32) bool {
		p := w.pool.At(h)
		seen = append(seen, string(p.Payload))
		clear(p.Payload)
		w.pool.Put(h)
		return true
	})
	h := w.packet(ib.RCSendOnly, 0, 5)
	copy(w.pool.At(h).Payload, "hello")
	w.link.Port(A).Send(0, h)
	w.finish()
	if !slices.Equal(seen, []string{"hello", "hello"}) {
		t.Errorf("got %q", seen)
	}
}

// TestPool: buffers are used again, contents are each packet's own, and putting
// back twice is noticed.
func TestPool(t *testing.T) {
	p := NewPool()
	a, b := p.Get(), p.Get()
	copy(p.Payload(a, 4), "abcd")
	copy(p.Payload(b, MaxPayload), "efgh")
	p.Payload(a, 2)
	if string(p.At(a).Payload) != "ab" || string(p.At(b).Payload[:4]) != "efgh" || p.Live() != 2 {
		t.Errorf("%q %q, %d live", p.At(a).Payload, p.At(b).Payload[:4], p.Live())
	}
	p.Put(a)
	c := p.Get()
	if pkt := p.At(c); len(pkt.Payload) != 0 || pkt.Op != 0 || len(p.Payload(c, 0)) != 0 {
		t.Error("a new packet is not empty")
	}
	for name, wrong := range map[string]func(){
		"twice": func() { p.Put(b); p.Put(b) },
		"long":  func() { p.Payload(c, MaxPayload+1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			wrong()
		}()
	}
}

func BenchmarkPacket(b *testing.B) {
	w := newWorld(b, nil)
	for b.Loop() {
		w.got[B] = w.got[B][:0]
		w.send(A, ib.RCWriteOnly, 64, 0, 1)
		w.engine.Run(sim.Never)
	}
}
