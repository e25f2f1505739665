package sim

import (
	"slices"
	"strings"
	"testing"
)

// mustPanic runs f and returns what it panicked with.
func mustPanic(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if r == nil {
			t.Error("no panic")
			return
		}
		message, _ = r.(string)
	}()
	f()
	return ""
}

func TestPastIsClosed(t *testing.T) {
	e := NewEngine()
	h := e.Register("late", fireFunc(func(now Time, _ uint32) {
		message := mustPanic(t, func() { e.At(now-1, 0, 0) })
		if !strings.Contains(message, "late") || !strings.Contains(message, "5ps") {
			t.Errorf("%q names neither the component nor the time", message)
		}
	}))
	e.At(5, h, 0)
	e.Run(Never)
}

// TestNowRunsAfterNow: what is scheduled for the current instant fires after what
// already was, however much that is.
func TestNowRunsAfterNow(t *testing.T) {
	for _, n := range []uint32{1, 3, 8, 15, 16, 17, 40, 1000} {
		e := NewEngine()
		var got []uint32
		var h HandlerID
		h = e.Register("h", fireFunc(func(now Time, arg uint32) {
			got = append(got, arg)
			if arg < 3*n {
				e.At(now, h, arg+n)
			}
		}))
		for i := range n {
			e.At(777, h, i)
		}
		e.Run(Never)
		if len(got) != int(4*n) || !slices.IsSorted(got) {
			t.Fatalf("%d at once: fired in the order %v", n, got)
		}
	}
}

// TestEndOfTime: the last instant can be scheduled and reached.
func TestEndOfTime(t *testing.T) {
	e := NewEngine()
	fired := 0
	h := e.Register("h", fireFunc(func(Time, uint32) { fired++ }))
	e.At(Never, h, 0)
	e.At(0, h, 0)
	e.At(Never-1, h, 0)
	if e.Run(Never-1) || fired != 2 {
		t.Errorf("%d fired before the end of time, want 2", fired)
	}
	if !e.Run(Never) || fired != 3 || e.Now() != Never {
		t.Errorf("%d fired by %v, want 3 by the end of time", fired, e.Now())
	}
}

func TestStop(t *testing.T) {
	for _, n := range []int{1, 5, 100} { // from the front, and from a batch
		e := NewEngine()
		fired := 0
		h := e.Register("h", fireFunc(func(Time, uint32) {
			fired++
			e.Stop()
		}))
		for range n {
			e.At(9, h, 0)
		}
		for i := range n {
			if done := e.Run(Never); done != (i == n-1) || fired != i+1 {
				t.Fatalf("run %d of %d: done %v, %d fired", i+1, n, done, fired)
			}
		}
	}
}

func TestRunIsNotForEvents(t *testing.T) {
	e := NewEngine()
	h := e.Register("h", fireFunc(func(Time, uint32) { mustPanic(t, func() { e.Run(Never) }) }))
	e.At(1, h, 0)
	e.Run(Never)
}

// TestNoAllocations: in the steady state nothing on the way of an event
// allocates, few pending or many, spread or at one instant.
func TestNoAllocations(t *testing.T) {
	for _, n := range []int{1, 10, 100, 5000} {
		for _, step := range []Time{0, 1000, 777_777} {
			e := NewEngine()
			var h HandlerID
			left := 0
			h = e.Register("h", fireFunc(func(now Time, arg uint32) {
				if left--; left == 0 {
					e.Stop()
				}
				e.At(now+step+Time(arg)*step/7, h, arg)
			}))
			for i := range n {
				e.At(Time(i)*step, h, uint32(i))
			}
			run := func() {
				left = 80 * n // so often that a chunk lost each time would show
				e.Run(Never)
			}
			for range 5 {
				run()
			}
			if a := testing.AllocsPerRun(3, run); a != 0 {
				t.Errorf("%d pending, step %v: %v allocations in %d events", n, step, a, 80*n)
			}
		}
	}
}
