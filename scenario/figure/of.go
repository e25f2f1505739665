package figure

import (
	"strconv"
	"strings"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// Of returns all that a metric may name of a run: the figures of stats.csv in
// their units, the same of the measured part under measured., and of each kind
// of request those of its latencies in ns, KIND.count, and of the last traffic
// of its kind KIND.rate in requests, KIND.bytes_per_s, KIND.bandwidth in bits a
// second, and, if it was offered at a rate, KIND.offered in requests.
func Of(res *run.Result) Figures {
	f := Figures{}
	for kind, h := range Latencies(res) {
		for _, q := range latencyFigures {
			f.Put(kind+"."+q.name, nanoseconds(q.of(h)))
		}
		f.Put(kind+".count", float64(h.Count()))
	}
	for i := range res.Traffic {
		flow(f, &res.Traffic[i])
	}
	stats(f, "", res.Stats)
	stats(f, "measured.", res.Measured)
	return f
}

func nanoseconds(d sim.Duration) float64 { return float64(d) / float64(sim.Nanosecond) }

func stats(f Figures, prefix string, list []run.Stat) {
	for _, s := range list {
		if v, err := strconv.ParseFloat(s.Value, 64); err == nil {
			f.Put(prefix+s.Name, v)
		}
	}
}

// latencyFigures are the figures of latencies.
var latencyFigures = [...]struct {
	name string
	of   func(h *run.Histogram) sim.Duration
}{
	{"p50", func(h *run.Histogram) sim.Duration { return h.Quantile(500) }},
	{"p90", func(h *run.Histogram) sim.Duration { return h.Quantile(900) }},
	{"p99", func(h *run.Histogram) sim.Duration { return h.Quantile(990) }},
	{"p999", func(h *run.Histogram) sim.Duration { return h.Quantile(999) }},
	{"p9999", func(h *run.Histogram) sim.Duration { return h.AtBasis(9999) }},
	{"min", (*run.Histogram).Min}, {"max", (*run.Histogram).Max}, {"mean", (*run.Histogram).Mean},
}

// LatencyOf returns the figure KIND.PART of some histograms, such as write.p99,
// in ns.
func LatencyOf(name string, all map[string]*run.Histogram) (v float64, found bool) {
	kind, part, _ := strings.Cut(name, ".")
	h := all[kind]
	if h == nil || h.Count() == 0 {
		return 0, false
	}
	for _, q := range latencyFigures {
		if q.name == part {
			return nanoseconds(q.of(h)), true
		}
	}
	return 0, false
}

// Latencies returns those of all requests that did what they were asked for,
// by their kind. None is empty.
func Latencies(res *run.Result) map[string]*run.Histogram {
	all := map[string]*run.Histogram{}
	of := func(request string) *run.Histogram {
		kind := run.KindOf(request)
		if all[kind] == nil {
			all[kind] = &run.Histogram{}
		}
		return all[kind]
	}
	for i := range res.Ops {
		if o := &res.Ops[i]; o.Done && !o.Failed() {
			of(o.Request).Add(o.Latency())
		}
	}
	for i := range res.Traffic {
		of(res.Traffic[i].Opcode).Merge(&res.Traffic[i].Latency)
	}
	delete(all, "") // a request that figures have no word for
	for kind, h := range all {
		if h.Count() == 0 {
			delete(all, kind)
		}
	}
	return all
}

// flow puts rate, bandwidth and so on; a later traffic's take the place of an
// earlier's.
func flow(f Figures, t *run.Traffic) {
	kind := run.KindOf(t.Opcode)
	if kind == "" || t.Elapsed == 0 {
		return
	}
	seconds := float64(t.Elapsed) / float64(sim.Second)
	if g, fine := f[kind].(Figures); fine {
		g["rate"], g["bytes_per_s"], g["bandwidth"] = float64(t.Count)/seconds, float64(t.Bytes)/seconds, float64(t.Bytes)*8/seconds
		if t.Arrivals > 0 {
			g["offered"] = float64(t.Offered) / (float64(t.Arrivals) / float64(sim.Second))
		}
	}
}
