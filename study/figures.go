package study

import (
	"strconv"

	"hcasim/scenario/run"
	"hcasim/scenario/suite"
	"hcasim/sim"
)

// figuresOf returns all that a metric may name of a run: the figures of
// stats.csv in their units, the same of the measured part under measured., and
// of each kind of request KIND.p50, p90, p99, p999, min, max, mean in ns,
// KIND.count, and of the last traffic of its kind KIND.rate in requests and
// KIND.bandwidth in bits a second.
func figuresOf(res *run.Result) suite.Figures {
	f := suite.Figures{}
	latencies(f, res)
	for i := range res.Traffic {
		flow(f, &res.Traffic[i])
	}
	stats(f, "", res.Stats)
	stats(f, "measured.", res.Measured)
	return f
}

func stats(f suite.Figures, prefix string, list []run.Stat) {
	for _, s := range list {
		if v, err := strconv.ParseFloat(s.Value, 64); err == nil {
			f.Put(prefix+s.Name, v)
		}
	}
}

// latencies puts those of all requests that did what they were asked for.
func latencies(f suite.Figures, res *run.Result) {
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
		latency(f, kind, h)
	}
}

func latency(f suite.Figures, kind string, h *run.Histogram) {
	if h.Count() == 0 {
		return
	}
	for _, q := range []struct {
		name string
		d    sim.Duration
	}{
		{"p50", h.Quantile(500)}, {"p90", h.Quantile(900)}, {"p99", h.Quantile(990)}, {"p999", h.Quantile(999)},
		{"min", h.Min()}, {"max", h.Max()}, {"mean", h.Mean()},
	} {
		f.Put(kind+"."+q.name, float64(q.d)/float64(sim.Nanosecond))
	}
	f.Put(kind+".count", float64(h.Count()))
}

// flow puts rate and bandwidth; a later traffic's take the place of an
// earlier's.
func flow(f suite.Figures, t *run.Traffic) {
	kind := run.KindOf(t.Opcode)
	if kind == "" || t.Elapsed == 0 {
		return
	}
	seconds := float64(t.Elapsed) / float64(sim.Second)
	if g, fine := f[kind].(suite.Figures); fine {
		g["rate"], g["bandwidth"] = float64(t.Count)/seconds, float64(t.Bytes)*8/seconds
	}
}
