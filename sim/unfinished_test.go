package sim

import (
	"slices"
	"testing"
)

// TestUnfinished: whatever is left at the end can be named, and who waits for it.
func TestUnfinished(t *testing.T) {
	e := NewEngine()
	shut := func(Time, uint32) bool { return false }
	p := NewPipe(e, "mpt", NewClock(1e9), PipeParams{Latency: 1, Interval: 1, Depth: 1}, shut)
	l := NewLine(e, "wire", LineParams{Rate: 1e9, Depth: 2}, shut)
	c := NewCredits(e, "tags", 2)
	d := NewDomain(e, "domain", NewClock(1e9))
	sleepy := tickFunc(func(Cycles) Cycles { return 0 })
	k := NewLink[int](d, "link", LinkParams{From: d.Add("from", sleepy), To: d.Add("to", sleepy), Latency: 1, Depth: 1})
	h := e.Register("reader", fireFunc(func(Time, uint32) {}))
	if got := e.Unfinished(); len(got) != 0 {
		t.Fatalf("unfinished at the start: %q", got)
	}
	p.Send(0, 1)
	p.Send(0, 2)
	l.Send(0, 1, 1)
	k.Send(1)
	k.Send(2)
	c.Take(2)
	c.TakeOrWait(1, h, 7)
	e.Run(Never)
	want := []string{
		"mpt: 1 inside, stalled, a sender waits for room",
		"wire: 1 inside, stalled",
		"tags: 2 of 2 out, reader (7) waits for 1",
		"link: 1 inside, from waits for room",
	}
	if got := e.Unfinished(); !slices.Equal(got, want) {
		t.Errorf("unfinished: %q", got)
	}
}

// TestDomainGrows: members may be added after others were woken.
func TestDomainGrows(t *testing.T) {
	e := NewEngine()
	d := NewDomain(e, "domain", NewClock(1e9))
	ticks := make([]int, 200)
	for i := range ticks {
		d.Wake(d.Add("member", tickFunc(func(Cycles) Cycles { ticks[i]++; return 0 })))
	}
	e.Run(Never)
	for i, n := range ticks {
		if n != 1 {
			t.Fatalf("member %d ticked %d times, want once", i, n)
		}
	}
}
