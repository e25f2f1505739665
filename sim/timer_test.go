package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// timerOracle is a bank of timers that looks through all deadlines each time.
// Deadlines of timer i are i modulo 64, so no two fire at one instant.
type timerOracle struct {
	deadline [8]Time
	armed    [8]bool
	plain    []Time // other events
	act      func(now Time, who int)
	now      Time
	fired    []firing
}

func (o *timerOracle) live() (n uint64) {
	for _, a := range o.armed {
		if a {
			n++
		}
	}
	return n + uint64(len(o.plain))
}

func (o *timerOracle) run(limit Time) bool {
	for o.live() > 0 {
		who, at := -1, Never
		for i, a := range o.armed {
			if a && o.deadline[i] <= at {
				who, at = i, o.deadline[i]
			}
		}
		for i, t := range o.plain {
			if t < at {
				who, at = len(o.armed)+i, t
			}
		}
		if at > limit {
			return false
		}
		o.now = at
		if who < len(o.armed) {
			o.armed[who] = false
		} else {
			o.plain = slices.Delete(o.plain, who-len(o.armed), who-len(o.armed)+1)
			who = len(o.armed)
		}
		o.fired = append(o.fired, firing{at, uint32(who)})
		o.act(at, who)
	}
	return true
}

// aligned returns an instant after t, ahead or so, that is who modulo 64.
func aligned(t Time, ahead Duration, who int) Time {
	at := t.Add(ahead)
	return at + (Time(who)-at)%64
}

// TestTimersOracle arms, stops and moves timers at random, from outside and from
// within events, and holds firings, Live, the clock and Run's answer to the dumb
// bank.
func TestTimersOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type op struct {
			on   int
			stop bool
			d    Duration
		}
		ops := make([]op, rapid.IntRange(1, 60).Draw(t, "ops"))
		for i := range ops {
			ops[i] = op{
				rapid.IntRange(0, 8).Draw(t, "on"),
				rapid.IntRange(0, 3).Draw(t, "stop") == 0,
				drawSpan(t, "ahead"),
			}
		}
		e := NewEngine()
		o := &timerOracle{}
		var got []firing
		var bank *Timers
		var plain HandlerID
		// Each side takes its next two ops as an event fires.
		acts := func(arm func(i int, at Time), stop func(i int), event func(at Time)) func(now Time, who int) {
			next := 0
			return func(now Time, _ int) {
				for range 2 {
					if next == len(ops) {
						return
					}
					p := ops[next]
					next++
					switch at := aligned(now, p.d, p.on); {
					case p.on == 8:
						event(aligned(now, p.d, 63))
					case p.stop:
						stop(p.on)
					default:
						arm(p.on, at)
					}
				}
			}
		}
		ours := acts(func(i int, at Time) { bank.Arm(uint32(i), at) }, func(i int) { bank.Stop(uint32(i)) },
			func(at Time) { e.At(at, plain, 8) })
		o.act = acts(func(i int, at Time) { o.armed[i], o.deadline[i] = true, at }, func(i int) { o.armed[i] = false },
			func(at Time) { o.plain = append(o.plain, at) })
		fire := func(now Time, who uint32) {
			got = append(got, firing{now, who})
			ours(now, int(who))
		}
		bank = NewTimers(e, "bank", fire)
		plain = e.Register("plain", fireFunc(fire))
		for range o.armed {
			bank.Add()
		}
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			ours(e.Now(), 0)
			o.act(e.Now(), 0)
			limit := e.Now().Add(drawSpan(t, "limit"))
			if g, w := e.Run(limit), o.run(limit); g != w {
				t.Fatalf("Run(%v) = %v, want %v", limit, g, w)
			}
			if e.Live() != o.live() {
				t.Fatalf("live %d, want %d", e.Live(), o.live())
			}
		}
		if !e.Run(Never) || !o.run(Never) {
			t.Fatal("not done without a limit")
		}
		if !slices.Equal(got, o.fired) {
			t.Fatalf("fired %v, want %v", got, o.fired)
		}
		for i := range o.armed {
			if bank.Armed(uint32(i)) || bank.timers[i].deadline != o.deadline[i] {
				t.Fatalf("timer %d: armed %v, deadline %v", i, bank.Armed(uint32(i)), bank.timers[i].deadline)
			}
		}
	})
}

// TestStoppedTimerEndsRun: a stopped timer's event is not live, and the clock
// does not go there.
func TestStoppedTimerEndsRun(t *testing.T) {
	e := NewEngine()
	bank := NewTimers(e, "bank", func(Time, uint32) { t.Error("a stopped timer fired") })
	bank.Add()
	h := e.Register("stop", fireFunc(func(Time, uint32) { bank.Stop(0) }))
	bank.Arm(0, 1000)
	e.At(10, h, 0)
	if !e.Run(Never) || e.Now() != 10 || e.Live() != 0 {
		t.Errorf("now %v, live %d; want 10ps and 0", e.Now(), e.Live())
	}
	e.At(20, h, 0) // what is left of the timer must not be in the way
	if !e.Run(Never) || e.Now() != 20 {
		t.Errorf("now %v, want 20ps", e.Now())
	}
}

// TestTimerRestartedByEveryAck: moving a timer later costs no event.
func TestTimerRestartedByEveryAck(t *testing.T) {
	e := NewEngine()
	var at Time
	bank := NewTimers(e, "bank", func(now Time, _ uint32) { at = now })
	bank.Add()
	bank.Arm(0, 1000)
	acks := 0
	var h HandlerID
	h = e.Register("ack", fireFunc(func(now Time, _ uint32) {
		bank.Arm(0, now+1000)
		if acks++; acks < 100 {
			e.At(now+1, h, 0)
		}
	}))
	e.At(1, h, 0)
	e.Run(Never)
	if at != 1100 {
		t.Errorf("fired at %v, want 1100ps: a thousand after the last restart", at)
	}
	if got := e.Fired(); got != 100+2 {
		t.Errorf("%d events, want 100 and the two of the timer", got)
	}
}
