package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Ring[int]
		var list []int
		for i := range rapid.IntRange(0, 300).Draw(t, "steps") {
			if len(list) > 0 && rapid.IntRange(0, 2).Draw(t, "pop") == 0 {
				if got := r.Pop(); got != list[0] {
					t.Fatalf("popped %d, want %d", got, list[0])
				}
				list = list[1:]
			} else {
				r.Push(i)
				list = append(list, i)
			}
			if r.Len() != len(list) || len(list) > 0 && *r.Peek() != list[0] {
				t.Fatalf("holds %d, want %v", r.Len(), list)
			}
			for k, v := range list {
				if *r.At(k) != v {
					t.Fatalf("at %d: %d, want %d", k, *r.At(k), v)
				}
			}
		}
	})
	var r Ring[int]
	mustPanic(t, func() { r.Pop() })
	r.Push(1)
	mustPanic(t, func() { r.At(1) })
}

func TestPool(t *testing.T) {
	var p Pool[[4]uint64]
	first := p.Get()
	at := p.At(first)
	at[0] = 7
	handles := map[uint32]bool{first: true}
	for range 3 * poolChunk {
		h := p.Get()
		if handles[h] {
			t.Fatalf("handle %d given out twice", h)
		}
		handles[h] = true
	}
	if p.At(first) != at || at[0] != 7 {
		t.Error("a pointer did not stay valid as the pool grew")
	}
	if p.Live() != len(handles) {
		t.Errorf("%d live, want %d", p.Live(), len(handles))
	}
	p.Put(first)
	if got := p.Get(); got != first {
		t.Errorf("got %d, want %d, the last put", got, first)
	}
	if n := testing.AllocsPerRun(100, func() { p.Put(p.Get()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCredits(t *testing.T) {
	e := NewEngine()
	c := NewCredits(e, "tags", 4)
	var served []uint32
	h := e.Register("waiter", fireFunc(func(now Time, arg uint32) {
		if now != 50 {
			t.Errorf("served at %v, want at the instant of the giving, 50ps", now)
		}
		served = append(served, arg)
	}))
	if !c.Take(3) || c.Take(2) || c.Free() != 1 {
		t.Fatal("four credits, three taken: one is left")
	}
	if c.TakeOrWait(2, h, 1) || c.TakeOrWait(1, h, 2) || c.TakeOrWait(1, h, 3) {
		t.Fatal("took what was not there, or got ahead of a waiter")
	}
	if c.Take(1) {
		t.Fatal("got ahead of a waiter")
	}
	if c.Waiting() != 3 || c.Waiter(0) != (Waiter{h, 1, 2}) {
		t.Fatalf("%d waiting, the first %v", c.Waiting(), c.Waiter(0))
	}
	give := e.Register("giver", fireFunc(func(Time, uint32) {
		c.Give(2)
		if len(served) != 0 {
			t.Error("served from within Give")
		}
		if c.Free() != 0 || c.Waiting() != 1 {
			t.Errorf("%d free and %d waiting, want 0 and 1: taken before the waiters fire", c.Free(), c.Waiting())
		}
	}))
	e.At(50, give, 0)
	if e.Run(Never); !slices.Equal(served, []uint32{1, 2}) {
		t.Errorf("served %v, want 1 and 2: first come first served", served)
	}
	mustPanic(t, func() { c.Give(5) })
	mustPanic(t, func() { c.Take(5) })
}

func TestTrail(t *testing.T) {
	var tr Trail
	tr.Begin(100)
	tr.Step(3, 150)
	tr.Step(4, 150)
	tr.Step(3, 175)
	tr.Step(23, 300)
	var sum Duration
	for _, d := range tr.Spent {
		sum += d
	}
	if tr.Spent[3] != 75 || sum != 200 || tr.Total() != sum {
		t.Errorf("spent %v, total %v", tr.Spent, tr.Total())
	}
	mustPanic(t, func() { tr.Step(0, 299) })
}

// TestRandIsFixed: the numbers are part of the results of every recorded run.
func TestRandIsFixed(t *testing.T) {
	r := NewRand(1, 2)
	got := []uint64{r.Uint64(), r.Uint64N(1000), r.Uint64N(6), uint64(r.Exponential(Microsecond))}
	if want := []uint64{14192431797130687760, 616, 4, 227407}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if NewRand(1, 3).Uint64() == NewRand(1, 2).Uint64() {
		t.Error("two streams of a seed are equal")
	}
}

// TestExponential holds the integer table to the formula, and the mean.
func TestExponential(t *testing.T) {
	for _, u := range []uint64{1, 2, 12345, 1 << 20, 1<<40 + 12345, 1 << 63, 3 << 62, 1<<64 - 1, 0xdeadbeefdeadbeef} {
		got := float64(negativeLog(u)) / (1 << logBits)
		want := 64*math.Ln2 - math.Log(float64(u))
		if math.Abs(got-want) > 4e-6 {
			t.Errorf("-ln(%d/2^64) = %v, want %v", u, got, want)
		}
	}
	r := NewRand(7, 7)
	var sum Duration
	const n = 200_000
	for range n {
		sum += r.Exponential(Microsecond)
	}
	if mean := sum / n; mean < 990*Nanosecond || mean > 1010*Nanosecond {
		t.Errorf("mean of %d draws is %v, want 1us", n, mean)
	}
}

func TestUniform(t *testing.T) {
	r := NewRand(3, 1)
	var count [7]int
	for range 70_000 {
		count[r.IntN(7)]++
	}
	for i, c := range count {
		if c < 9_500 || c > 10_500 {
			t.Errorf("%d came %d times of 70000, want about 10000", i, c)
		}
	}
}
