package wire

import (
	"slices"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
)

func psnsFrom(n int) (psns []ib.PSN) {
	for i := range n {
		psns = append(psns, ib.PSN(i))
	}
	return psns
}

// TestCredits: with its sink closed a receiver gets as many packets as its
// buffer has room for, by packets or by bytes, and the rest stays at the sender
// until they are taken.
func TestCredits(t *testing.T) {
	const bytes = 1024 + 26 // a middle packet, no GRH
	for _, test := range []struct {
		buffer BufferParams
		want   int
	}{
		{BufferParams{Packets: 1, Bytes: 1 << 20}, 1},
		{BufferParams{Packets: 7, Bytes: 1 << 20}, 7},
		{BufferParams{Packets: 100, Bytes: 5*bytes + bytes - 1}, 5},
		{BufferParams{Packets: 100, Bytes: 6 * bytes}, 6},
	} {
		w := newWorld(t, func(p *Params) { p.Flow, p.MTU, p.Requests = "credits", 1024, test.buffer })
		entered := 0
		w.link.Tap.Watch(func(*Packet) { entered++ })
		w.close(B, Requests)
		w.send(A, ib.RCWriteMiddle, 1024, 0, 50)
		w.engine.Run(sim.Never)
		if entered != test.want || w.link.Port(A).Room(Requests) {
			t.Errorf("%v: %d packets entered, want %d; room at the sender: %v",
				test.buffer, entered, test.want, w.link.Port(A).Room(Requests))
		}
		w.open(B, Requests)
		w.finish()
		if got := w.psns(B, Requests); !slices.Equal(got, psnsFrom(50)) {
			t.Errorf("%v: got %v", test.buffer, got)
		}
	}
}

// TestCreditLoop: with room for one packet the next leaves when the word that
// the first was taken has come back: no earlier, no later.
func TestCreditLoop(t *testing.T) {
	w := newWorld(t, func(p *Params) {
		p.Flow, p.Delay, p.Requests.Packets = "credits", 700*sim.Nanosecond, 1
	})
	w.send(A, ib.RCWriteOnly, 100, 0, 5)
	w.finish()
	way := w.link.params.Propagation()
	once := w.serial(uint64(w.link.encap.WireBytes(ib.RCWriteOnly, 100)))
	for i, g := range w.got[B] {
		if due := sim.Time(0).Add(sim.Duration(i)*(once+2*way) + once + way); g.at != due {
			t.Errorf("packet %d at %v, want %v", i, g.at, due)
		}
	}
}

// TestBackPressure: a sender is refused when queue and buffer are full, woken
// once for that, and offered packets are taken in order.
func TestBackPressure(t *testing.T) {
	w := newWorld(t, func(p *Params) { p.Flow, p.SendQueue, p.Requests.Packets = "credits", 3, 2 })
	w.close(B, Requests)
	port := w.link.Port(A)
	sent := 0
	for sent < 10 {
		h := w.packet(ib.RCSendOnly, ib.PSN(sent), 64)
		if !port.Send(0, h) {
			w.pool.Put(h)
			break
		}
		sent++
	}
	if sent != 4 || port.Room(Requests) { // one on the wire, three queued
		t.Errorf("%d packets taken, want 4; room %v", sent, port.Room(Requests))
	}
	w.engine.Run(sim.Never)
	if w.woken[A][Requests] != 1 || !port.Room(Requests) {
		t.Errorf("woken %d times, room %v, want once and room", w.woken[A][Requests], port.Room(Requests))
	}
	w.open(B, Requests)
	w.finish()
	if w.woken[A][Requests] != 1 {
		t.Errorf("woken %d times for one refusal", w.woken[A][Requests])
	}
	if got := w.psns(B, Requests); !slices.Equal(got, psnsFrom(4)) {
		t.Errorf("got %v", got)
	}
}

// TestAnswersPass: whatever the flow control, answers get through while
// requests are stalled for ever (W3).
func TestAnswersPass(t *testing.T) {
	for _, flow := range []string{"credits", "pause", "drop"} {
		w := newWorld(t, func(p *Params) { p.Flow = flow })
		w.close(B, Requests)
		w.send(A, ib.RCWriteOnly, 4096, 0, 300)
		w.engine.Run(sim.Time(0).Add(sim.Millisecond))
		w.send(A, ib.RCReadRespMiddle, 4096, 0, 300)
		w.engine.Run(sim.Never)
		if got := w.psns(B, Answers); !slices.Equal(got, psnsFrom(300)) {
			t.Errorf("%s: %d answers of 300 got through", flow, len(got))
		}
		if len(w.psns(B, Requests)) != 0 {
			t.Errorf("%s: a closed sink took requests", flow)
		}
		w.open(B, Requests)
		w.finish()
	}
}

// TestOverrun: without protection what finds the buffer full is discarded and
// reported, and no more than that.
func TestOverrun(t *testing.T) {
	w := newWorld(t, func(p *Params) { p.Protocol, p.Requests.Packets = "roce_v6", 10 })
	fates := map[Fate]int{}
	w.link.Received.Watch(func(r Receipt) { fates[r.Fate]++ })
	w.close(B, Requests)
	w.send(A, ib.RCWriteOnly, 64, 0, 25)
	w.engine.Run(sim.Never)
	w.open(B, Requests)
	w.finish()
	if fates[Overrun] != 15 || fates[Sound] != 10 {
		t.Errorf("fates %v, want 10 sound, 15 overrun", fates)
	}
	if got := w.psns(B, Requests); !slices.Equal(got, psnsFrom(10)) {
		t.Errorf("got %v", got)
	}
}

// TestRefusedOnce: a stalled class is not asked until Resume, and then once.
func TestRefusedOnce(t *testing.T) {
	w := newWorld(t, nil)
	w.close(B, Requests)
	w.send(A, ib.RCSendOnly, 0, 0, 20)
	w.engine.Run(sim.Never)
	if n := w.asked[B][Requests]; n != 1 || !w.link.Port(B).in.recv[Requests].stalled {
		t.Errorf("asked %d times, stalled %v", n, w.link.Port(B).in.recv[Requests].stalled)
	}
	w.link.Port(B).Resume(w.engine.Now(), Requests)
	w.engine.Run(sim.Never)
	if n := w.asked[B][Requests]; n != 2 {
		t.Errorf("asked %d times after one Resume", n)
	}
	w.open(B, Requests)
	w.finish()
}

// TestWaits: a link that cannot go on says why.
func TestWaits(t *testing.T) {
	w := newWorld(t, func(p *Params) { p.Requests.Packets = 2 })
	w.close(B, Requests)
	w.send(A, ib.RCSendOnly, 0, 0, 4)
	w.engine.Run(sim.Never)
	want := []string{
		"wire: 2 requests queued at A wait for the wire or credits (0 packets, 131020B left)",
		"wire: 2 requests in the buffer at B wait for its sink",
	}
	if got := w.link.Waits(); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	w.open(B, Requests)
	w.finish()
}
