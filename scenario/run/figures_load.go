package run

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"hcasim/sim"
)

// latencyParts are the figures of the latencies of one kind of request.
var latencyParts = [...]struct {
	name, doc string
	value     func(h *Histogram) sim.Duration
}{
	{"p50", "which half of them do not exceed", func(h *Histogram) sim.Duration { return h.AtBasis(5000) }},
	{"p90", "which 90 % do not exceed", func(h *Histogram) sim.Duration { return h.AtBasis(9000) }},
	{"p99", "which 99 % do not exceed", func(h *Histogram) sim.Duration { return h.AtBasis(9900) }},
	{"p999", "which 99.9 % do not exceed", func(h *Histogram) sim.Duration { return h.AtBasis(9990) }},
	{"p9999", "which 99.99 % do not exceed", func(h *Histogram) sim.Duration { return h.AtBasis(9999) }},
	{"min", "the shortest", (*Histogram).Min}, {"max", "the longest", (*Histogram).Max}, {"mean", "the mean", (*Histogram).Mean},
}

// flows are the figures of loads.
var flows = [...]struct{ name, unit, doc string }{
	{"rate", "op/s", "Requests done in a second: "},
	{"bytes_per_s", "B/s", "Payload carried in a second by "},
	{"bandwidth", "b/s", "The same in bits: "},
	{"offered", "op/s", "Requests of an offered load that arrived in a second: "},
}

func isFlow(name string) bool {
	for _, f := range flows {
		if f.name == name {
			return true
		}
	}
	return false
}

// KindStats are the figures of each kind of request that succeeded, in the
// order of their words: KIND.count, KIND.p50 and so on of all of a run, and of
// loads KIND.rate, KIND.bytes_per_s, KIND.bandwidth and KIND.offered, of their
// measured part.
func (r *Result) KindStats() (list []Stat) {
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		request := kinds[kind]
		h := r.latencies(request)
		if h.Count() == 0 {
			continue
		}
		what := strings.TrimPrefix(request, "IBV_WR_")
		list = append(list, Stat{kind + ".count", fmt.Sprint(h.Count()), "", "Requests that succeeded: " + what + "."})
		for _, p := range latencyParts {
			list = append(list, Stat{kind + "." + p.name, fmt.Sprint(uint64(p.value(&h))), "ps", "Latency of " + what + ", " + p.doc + "."})
		}
		for _, f := range flows {
			if rate, ok := perSecond(r.flow(request, f.name)); ok {
				list = append(list, Stat{kind + "." + f.name, fmt.Sprint(rate), f.unit, f.doc + what + "."})
			}
		}
	}
	return list
}

// latencies returns those of all requests of a kind that succeeded.
func (r *Result) latencies(request string) (h Histogram) {
	for i := range r.Ops {
		if o := &r.Ops[i]; o.Request == request && o.Done && !o.Failed() {
			h.Add(o.Latency())
		}
	}
	for i := range r.Traffic {
		if t := &r.Traffic[i]; t.Opcode == request {
			h.Merge(&t.Latency)
		}
	}
	return h
}

// flow returns what a figure of loads of a kind counts, and over which time.
func (r *Result) flow(request, name string) (n uint64, per sim.Duration) {
	for i := range r.Traffic {
		if t := &r.Traffic[i]; t.Opcode == request {
			amount, time := t.flow(name)
			n += amount
			per += time
		}
	}
	return n, per
}

// flow returns what a figure of a load counts, and over which time.
func (t *Traffic) flow(part string) (amount uint64, per sim.Duration) {
	switch part {
	case "bytes_per_s":
		return t.Bytes, t.Elapsed
	case "bandwidth":
		return 8 * t.Bytes, t.Elapsed
	case "offered":
		return t.Offered, t.Arrivals
	}
	return t.Count, t.Elapsed
}

// PerSecond returns a figure of a load, one of rate, bytes_per_s, bandwidth and
// offered; 0 where there is none.
func (t *Traffic) PerSecond(name string) uint64 {
	rate, _ := perSecond(t.flow(name))
	return rate
}

// perSecond returns an amount per second, rounded down; ok is false if there was
// no time.
func perSecond(n uint64, d sim.Duration) (rate uint64, ok bool) {
	hi, lo := bits.Mul64(n, uint64(sim.Second))
	if uint64(d) <= hi {
		return 0, false
	}
	rate, _ = bits.Div64(hi, lo, uint64(d))
	return rate, true
}
