package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// oracle is a deliberately dumb engine: a list that is searched for the least.
type oracle struct {
	now  Time
	list []event
	fire func(now Time, arg uint32)
}

func (o *oracle) at(t Time, arg uint32) { o.list = append(o.list, event{t, uint64(arg)}) }

func (o *oracle) run(limit Time) bool {
	for len(o.list) > 0 {
		least := 0
		for i, ev := range o.list {
			if ev.at < o.list[least].at {
				least = i
			}
		}
		ev := o.list[least]
		if ev.at > limit {
			return false
		}
		o.list = slices.Delete(o.list, least, least+1)
		o.now = ev.at
		o.fire(ev.at, uint32(ev.to))
	}
	return true
}

type fireFunc func(now Time, arg uint32)

func (f fireFunc) Fire(now Time, arg uint32) { f(now, arg) }

type firing struct {
	at  Time
	arg uint32
}

// drawSpan draws how far ahead something is: now, near, on a grid, or anywhere.
func drawSpan(t *rapid.T, label string) Duration {
	var n uint64
	switch rapid.IntRange(0, 4).Draw(t, label+" kind") {
	case 0:
	case 1:
		n = rapid.Uint64Range(0, 4).Draw(t, label)
	case 2:
		n = 1000 * rapid.Uint64Range(0, 5).Draw(t, label)
	case 3:
		n = rapid.Uint64Range(0, 300_000).Draw(t, label)
	case 4:
		n = 1 << rapid.Uint64Range(0, 55).Draw(t, label)
	}
	return Duration(n)
}

// TestEngineOracle holds the ladder to the dumb list: the same firings in the
// same order, whatever is scheduled from outside or from within an event.
func TestEngineOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := NewEngine()
		var got, want []firing
		spans := make([]Duration, 16)
		for i := range spans {
			spans[i] = drawSpan(t, "reply")
		}
		// An event schedules up to three others, decided by its argument alone.
		budget := rapid.IntRange(0, 400).Draw(t, "budget")
		replies := func(at func(d Duration, arg uint32)) func(arg uint32) {
			left := budget
			return func(arg uint32) {
				for k := range arg % 4 {
					if left--; left < 0 {
						return
					}
					next := arg*2654435761 + k*40503 + 1
					at(spans[next>>7%16], next>>3)
				}
			}
		}
		var id HandlerID
		more := replies(func(d Duration, arg uint32) { e.At(e.Now().Add(d), id, arg) })
		id = e.Register("test", fireFunc(func(now Time, arg uint32) {
			if now != e.Now() {
				t.Fatalf("fired at %v, the clock says %v", now, e.Now())
			}
			got = append(got, firing{now, arg})
			more(arg)
		}))
		o := &oracle{}
		oMore := replies(func(d Duration, arg uint32) { o.at(o.now.Add(d), arg) })
		o.fire = func(now Time, arg uint32) {
			want = append(want, firing{now, arg})
			oMore(arg)
		}
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			for range rapid.IntRange(0, 120).Draw(t, "events") {
				d, arg := drawSpan(t, "ahead"), rapid.Uint32().Draw(t, "arg")
				for range rapid.SampledFrom([]int{1, 1, 1, 1, 40}).Draw(t, "copies") {
					e.At(e.Now().Add(d), id, arg)
					o.at(o.now.Add(d), arg)
					arg += 4
				}
			}
			limit := e.Now().Add(drawSpan(t, "limit"))
			if g, w := e.Run(limit), o.run(limit); g != w {
				t.Fatalf("Run(%v) = %v, want %v", limit, g, w)
			}
			compare(t, e, o, got, want)
		}
		e.Run(Never)
		o.run(Never)
		compare(t, e, o, got, want)
	})
}

func compare(t *rapid.T, e *Engine, o *oracle, got, want []firing) {
	t.Helper()
	if !slices.Equal(got, want) {
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("firing %d of %d is wrong: got %v, want %v", i, len(want), got[min(i, len(got)):min(i+3, len(got))], want[i:min(i+3, len(want))])
			}
		}
		t.Fatalf("%d firings, want %d", len(got), len(want))
	}
	if e.Now() != o.now {
		t.Fatalf("now %v, want %v", e.Now(), o.now)
	}
	if e.Live() != uint64(len(o.list)) || e.Fired() != uint64(len(want)) {
		t.Fatalf("live %d, want %d; fired %d, want %d", e.Live(), len(o.list), e.Fired(), len(want))
	}
}
