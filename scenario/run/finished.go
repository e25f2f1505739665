package run

import (
	"maps"
	"slices"
	"strconv"

	"hcasim/sim"
)

// A Figure is a number of a finished run: in picoseconds (ps), bytes (B),
// requests a second (op/s), bits a second (b/s), or of nothing.
type Figure struct {
	Name  string
	Value uint64
	Unit  string
}

// Figures returns all that a scenario may record of a run: op.ID, the latency of
// each op that is done; what thresholds may name of the kinds of requests that
// occurred; and Stats. The number of the engine's events is none of the model's
// and is left out.
func (r *Result) Figures() (list []Figure) {
	for i := range r.Ops {
		if o := &r.Ops[i]; o.Done {
			list = append(list, Figure{"op." + o.ID, uint64(o.Latency()), "ps"})
		}
	}
	for _, word := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, r.figuresOf(word)...)
	}
	for _, s := range r.Stats {
		if v, err := strconv.ParseUint(s.Value, 10, 64); err == nil && s.Name != "events" {
			list = append(list, Figure{s.Name, v, s.Unit})
		}
	}
	return list
}

// figuresOf returns the figures of one kind of request.
func (r *Result) figuresOf(word string) (list []Figure) {
	var h Histogram
	var n, bytes uint64
	var elapsed sim.Duration
	request := kinds[word]
	for i := range r.Ops {
		if o := &r.Ops[i]; o.Request == request && o.Done && !o.Failed() {
			h.Add(o.Latency())
		}
	}
	for i := range r.Traffic {
		if t := &r.Traffic[i]; t.Opcode == request {
			h.Merge(&t.Latency)
			n, bytes, elapsed = n+t.Count, bytes+t.Bytes, elapsed+t.Elapsed
		}
	}
	if h.Count() == 0 {
		return nil
	}
	for _, p := range latencyParts {
		list = append(list, Figure{word + "." + p.name, uint64(p.value(&h)), "ps"})
	}
	list = append(list, Figure{word + ".count", h.Count(), ""})
	if rate, ok := perSecond(n, elapsed); ok {
		list = append(list, Figure{word + ".rate", rate, "op/s"})
	}
	if rate, ok := perSecond(8*bytes, elapsed); ok {
		list = append(list, Figure{word + ".bandwidth", rate, "b/s"})
	}
	return list
}
