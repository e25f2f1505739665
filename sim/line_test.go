package sim

import (
	"math/big"
	"testing"
)

// exact returns when the last bit of n packets has left, rounded up: in big
// numbers, so that it shares nothing with the code.
func exact(n int, size Bytes, rate BitRate, ppm uint32) Time {
	num := big.NewInt(int64(n))
	num.Mul(num, big.NewInt(int64(size)*8))
	num.Mul(num, big.NewInt(1e12))
	num.Mul(num, big.NewInt(1e6))
	den := big.NewInt(int64(rate))
	den.Mul(den, big.NewInt(int64(ppm)))
	q, r := num.DivMod(num, den, new(big.Int))
	if r.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return Time(q.Uint64())
}

// TestLineDoesNotDrift: a million packets take what they should to the
// picosecond, whether sent all ahead or each as the entrance gets free.
func TestLineDoesNotDrift(t *testing.T) {
	const packets, size, rate = 1_000_000, 4156, 100e9
	for _, ppm := range []uint32{NoCap, 985_294, 333_333} {
		e := NewEngine()
		var last Time
		arrived := 0
		l := NewLine(e, "wire", LineParams{Rate: rate, Cap: ppm, Delay: 500, Depth: 4}, func(now Time, _ uint32) bool {
			arrived++
			last = now
			return true
		})
		sent := 0
		send := func(now Time) {
			for sent < packets && l.Send(now, uint32(sent), size) {
				sent++
			}
		}
		l.OnRoom(send)
		send(0)
		e.Run(Never)
		if want := exact(packets, size, rate, ppm).Add(500); arrived != packets || last != want {
			t.Errorf("%d ppm: last of %d at %v, want %v", ppm, arrived, last, want)
		}

		l = NewLine(NewEngine(), "wire", LineParams{Rate: rate, Cap: ppm, Depth: 1000}, func(Time, uint32) bool { return true })
		for range 1000 {
			l.Send(l.Free(), 0, size)
		}
		if want := exact(1000, size, rate, ppm); l.Free() != want {
			t.Errorf("%d ppm: each sent as the entrance is free, free at %v, want %v", ppm, l.Free(), want)
		}
	}
}

// TestLineWhen: not a picosecond before the last bit, but with it; and an idle
// line starts afresh.
func TestLineWhen(t *testing.T) {
	e := NewEngine()
	var got arrivals
	l := NewLine(e, "wire", LineParams{Rate: 3e9, Delay: 7 * Nanosecond, Depth: 4}, got.sink)
	var h Hop
	l.Passed.Watch(func(hop Hop) { h = hop })
	sent := Time(1001)
	id := e.Register("source", fireFunc(func(now Time, _ uint32) { l.Send(now, 1, 1) }))
	e.At(sent, id, 0)
	want := sent + 2667 + 7000 // 8 bits at 3 Gb/s are 2666.67 ps
	if e.Run(want - 1); len(got.at) != 0 {
		t.Errorf("arrived before %v", want)
	}
	if e.Run(want); len(got.at) != 1 {
		t.Errorf("not arrived at %v", want)
	}
	e.At(50_000, id, 0)
	e.Run(Never)
	if wantHop := (Hop{"wire", 1, 50_000, 50_000, 59_667, 59_667}); h != wantHop {
		t.Errorf("hop %v, want %v", h, wantHop)
	}
}

func TestLineStall(t *testing.T) {
	e := NewEngine()
	got := arrivals{closed: true}
	l := NewLine(e, "wire", LineParams{Rate: 8e9, Depth: 2}, got.sink)
	woken := 0
	l.OnRoom(func(Time) { woken++ })
	if !l.Send(0, 1, 10) || !l.Send(0, 2, 10) || l.Send(0, 3, 10) {
		t.Fatal("a line of depth 2 holds two")
	}
	if e.Run(Never); !l.Stalled() || l.Len() != 2 || e.Now() != 10_000 {
		t.Fatalf("stalled %v with %d at %v", l.Stalled(), l.Len(), e.Now())
	}
	got.closed = false
	l.Resume(e.Now())
	l.Resume(e.Now()) // idempotent
	if e.Run(Never); woken != 1 || l.Len() != 0 || e.Now() != 20_000 {
		t.Errorf("woken %d times, %d inside at %v; want 1, 0, 20ns", woken, l.Len(), e.Now())
	}
}

func TestBitRateTime(t *testing.T) {
	for _, c := range []struct {
		rate BitRate
		n    Bytes
		want Duration
	}{
		{8, 1, Second}, {100e9, 4096, 327_680}, {3e9, 1, 2667}, {3e9, 3, 8000}, {1e12, 0, 0}, {400e9, 1, 20},
	} {
		if got := c.rate.Time(c.n); got != c.want {
			t.Errorf("%v at %v takes %v, want %v", c.n, c.rate, got, c.want)
		}
	}
}
