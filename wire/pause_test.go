package wire

import (
	"slices"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
)

// TestPause: the buffer never overflows as long as its rest holds what is on
// the wire, nothing is lost, and the wire does go on.
func TestPause(t *testing.T) {
	w := newWorld(t, func(p *Params) {
		p.Protocol, p.Flow, p.Delay = "roce_v4", "pause", 300*sim.Nanosecond
		p.Requests = BufferParams{Packets: 64, Bytes: 1 << 20}
	})
	most, paused := 0, 0
	d := w.link.ways[A]
	w.link.Tap.Watch(func(p *Packet) {
		most = max(most, d.recv[Requests].waiting.Len())
		if d.send[Requests].gate.paused {
			t.Errorf("a packet entered at %v during a pause", p.Entered)
		}
	})
	w.close(B, Requests)
	w.send(A, ib.RCWriteOnly, 1024, 0, 500)
	for len(w.got[B]) < 500 {
		w.engine.Run(sim.Never) // until all stands still: paused
		most = max(most, d.recv[Requests].waiting.Len())
		paused++
		w.open(B, Requests)
		w.engine.Run(w.engine.Now())
		w.close(B, Requests)
		if paused > 500 {
			t.Fatal("stuck")
		}
	}
	w.finish()
	if most <= 32 || most > 64 || paused < 5 {
		t.Errorf("at most %d packets in a buffer of 64 paused at half, %d pauses", most, paused)
	}
	if got := w.psns(B, Requests); !slices.Equal(got, psnsFrom(500)) {
		t.Errorf("%d arrived of 500, in order %v", len(got), slices.IsSorted(got))
	}
}

// TestPauseTakesTime: a paused sender stops when the word reaches it, and goes
// on when the next does.
func TestPauseTakesTime(t *testing.T) {
	w := newWorld(t, func(p *Params) {
		p.Flow, p.Delay, p.PauseAt, p.ResumeAt = "pause", 10*sim.Microsecond, 1, 0
		p.Requests = BufferParams{Packets: 1024, Bytes: 1 << 20}
	})
	var entered []sim.Time
	w.link.Tap.Watch(func(p *Packet) { entered = append(entered, p.Entered) })
	w.close(B, Requests)
	w.send(A, ib.RCWriteOnly, 1024, 0, 400)
	w.engine.Run(sim.Never)
	bytes := uint64(w.link.encap.WireBytes(ib.RCWriteOnly, 1024))
	way := w.link.params.Propagation()
	heard := sim.Time(0).Add(w.serial(bytes) + way + way) // the first packet fills 1 ppm
	last := entered[len(entered)-1]
	if last > heard || last.Add(w.serial(bytes)+1) < heard {
		t.Errorf("the last packet entered at %v, the pause was heard at %v", last, heard)
	}
	n := len(entered)
	later := heard.Add(sim.Millisecond)
	w.engine.Run(later)
	w.engine.At(later, w.engine.Register("open", opener{w}), 0)
	w.finish()
	if entered[n] != later.Add(way) {
		t.Errorf("went on at %v, want %v", entered[n], later.Add(way))
	}
	if len(w.got[B]) != 400 {
		t.Errorf("%d arrived of 400", len(w.got[B]))
	}
}

// TestPauseMarks: a class is paused above one mark and goes on at the other.
func TestPauseMarks(t *testing.T) {
	w := newWorld(t, func(p *Params) {
		p.Flow, p.Length, p.Requests = "pause", 0, BufferParams{Packets: 64, Bytes: 1 << 20}
	})
	allowed := 0
	w.link.Port(B).Accept(Requests, func(_ sim.Time, h uint32) bool {
		if allowed == 0 {
			return false
		}
		allowed--
		w.pool.Put(h)
		return true
	})
	b := &w.link.ways[A].recv[Requests]
	drainTo := func(n int) {
		allowed = b.waiting.Len() - n
		w.link.Port(B).Resume(w.engine.Now(), Requests)
		w.engine.Run(sim.Never)
	}
	w.send(A, ib.RCWriteOnly, 1024, 0, 200)
	w.engine.Run(sim.Never)
	full := b.waiting.Len() // a quarter of 64 is 16; one more is on the wire when the word comes
	if full != 33 && full != 34 {
		t.Errorf("%d packets in the buffer when all stands still, want 33 or 34", full)
	}
	if drainTo(17); b.waiting.Len() != 17 {
		t.Errorf("above the lower mark the sender went on: %d packets", b.waiting.Len())
	}
	if drainTo(16); b.waiting.Len() != full {
		t.Errorf("at the lower mark %d packets, want %d again", b.waiting.Len(), full)
	}
	allowed = 1000
	w.link.Port(B).Resume(w.engine.Now(), Requests)
	w.finish()
}

type opener struct{ w *world }

func (o opener) Fire(sim.Time, uint32) { o.w.open(B, Requests) }
