package sim

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPipeProperties drives a pipe with a sender that comes at odd times and a
// sink that refuses now and then, and holds every passage to S6, S7 and S8.
func TestPipeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := NewClock(Hertz(rapid.SampledFrom([]uint64{1e9, 3e9, 644_531_250}).Draw(t, "clock")))
		params := PipeParams{
			Latency:  Cycles(rapid.IntRange(0, 9).Draw(t, "latency")),
			Interval: Cycles(rapid.IntRange(0, 4).Draw(t, "interval")),
			Depth:    rapid.IntRange(1, 5).Draw(t, "depth"),
		}
		gaps := rapid.SliceOfN(rapid.Uint64Range(0, 9000), 1, 80).Draw(t, "gaps")
		refusals := rapid.SliceOfN(rapid.Uint64Range(0, 6000), 0, 20).Draw(t, "refusals")
		e := NewEngine()
		var p *Pipe
		resume := e.Register("resume", fireFunc(func(now Time, _ uint32) { p.Resume(now) }))
		p = NewPipe(e, "pipe", clock, params, func(now Time, v uint32) bool {
			if len(refusals) > 0 && v%3 == 0 {
				e.At(now.Add(Duration(refusals[0])), resume, 0)
				refusals = refusals[1:]
				return false
			}
			return true
		})
		var hops []Hop
		p.Passed.Watch(func(h Hop) { hops = append(hops, h) })
		sent, refused, woken := 0, 0, 0
		send := func(now Time) {
			room := p.Room()
			switch ok := p.Send(now, uint32(sent)); {
			case ok != room:
				t.Fatalf("Room said %v, Send %v", room, ok)
			case ok:
				sent++
			default:
				refused++
			}
			if p.Len() > params.Depth || p.Len() != sent-len(hops) {
				t.Fatalf("%d inside, %d sent, %d accepted", p.Len(), sent, len(hops))
			}
		}
		p.OnRoom(func(now Time) {
			woken++
			if !p.Room() {
				t.Fatal("woken, and there is no room")
			}
			send(now)
		})
		source := e.Register("source", fireFunc(func(now Time, _ uint32) { send(now) }))
		at := Time(0)
		for _, gap := range gaps {
			at = at.Add(Duration(gap))
			e.At(at, source, 0)
		}
		if !e.Run(Never) {
			t.Fatal("not done")
		}
		if len(hops) != sent || refused > 0 && woken == 0 || woken > refused {
			t.Fatalf("%d sent, %d accepted; %d refused, %d woken", sent, len(hops), refused, woken)
		}
		free := Cycles(0)
		for i, h := range hops {
			in := max(clock.Next(h.Sent), free)
			free = in + params.Interval
			if h.Value != uint32(i) || h.Entered != clock.Edge(in) || h.Arrived != clock.Edge(in+params.Latency) || h.Accepted < h.Arrived {
				t.Fatalf("passage %d: %v", i, h)
			}
			if i > 0 && params.Interval > 0 && h.Accepted < clock.After(hops[i-1].Accepted, params.Interval) {
				t.Fatalf("passages %v and %v are less than %d cycles apart", hops[i-1], h, params.Interval)
			}
		}
	})
}
