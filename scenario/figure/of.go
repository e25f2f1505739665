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
// of its kind KIND.rate and KIND.offered in requests, KIND.bytes_per_s, and
// KIND.bandwidth in bits a second.
func Of(res *run.Result) Figures {
	f := Figures{}
	for kind, h := range Latencies(res) {
		for _, part := range run.LatencyParts() {
			d, _ := h.Part(part)
			f.Put(kind+"."+part, nanoseconds(d))
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

// LatencyOf returns the figure KIND.PART of some histograms, such as write.p99,
// in ns.
func LatencyOf(name string, all map[string]*run.Histogram) (v float64, found bool) {
	kind, part, _ := strings.Cut(name, ".")
	h := all[kind]
	if h == nil || h.Count() == 0 {
		return 0, false
	}
	d, found := h.Part(part)
	return nanoseconds(d), found
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

// flow puts what a load does in a second; a later one's take the place of an
// earlier's.
func flow(f Figures, t *run.Traffic) {
	kind := run.KindOf(t.Opcode)
	g, fine := f[kind].(Figures)
	if kind == "" || !fine {
		return
	}
	put := func(name string, amount uint64, per sim.Duration) {
		if per > 0 {
			g[name] = float64(amount) / (float64(per) / float64(sim.Second))
		}
	}
	put("rate", t.Count, t.Elapsed)
	put("bytes_per_s", t.Bytes, t.Elapsed)
	put("bandwidth", t.Bytes*8, t.Elapsed)
	put("offered", t.Offered, t.Arrivals)
}
