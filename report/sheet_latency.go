package report

import (
	"fmt"
	"math"

	"hcasim/report/page"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// A spread is the latencies of one kind of request.
type spread struct {
	name string
	h    *run.Histogram
}

// fewLatencies are too few to be a distribution.
const fewLatencies = 20

// spreads are those of each traffic; without any, of each kind of request.
func (rec *Record) spreads() (list []spread) {
	for i := range rec.Result.Traffic {
		t := &rec.Result.Traffic[i]
		name := short(t.Opcode)
		if len(rec.Result.Traffic) > 1 {
			name += fmt.Sprintf(", step %d", t.Step)
		}
		if t.Latency.Count() > 0 {
			list = append(list, spread{name, &t.Latency})
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, k := range rec.kinds() {
		if len(k.ops) < fewLatencies || k.verb() {
			continue
		}
		h := &run.Histogram{}
		for _, o := range k.ops {
			h.Add(o.Latency())
		}
		list = append(list, spread{short(k.request), h})
	}
	return list
}

// latencySection draws how latencies are spread.
func (rec *Record) latencySection() page.Section {
	s := page.Section{ID: "latency", Title: "Latency"}
	list := rec.spreads()
	if len(list) == 0 {
		return s
	}
	g := &grid{columns: []column{left("request"), right("count"), right("min"), right("mean"), right("p50"), right("p90"), right("p99"), right("p99.9"), right("max")}}
	for _, one := range list {
		h := one.h
		g.row(one.name, thousands(h.Count()), micro(h.Min()), micro(h.Mean()), micro(h.Quantile(500)), micro(h.Quantile(900)),
			micro(h.Quantile(990)), micro(h.Quantile(999)), micro(h.Max()))
	}
	s.Tables = []page.Table{g.table("", false)}
	s.Plots = spreadPlots(list)
	return s
}

// mostSpreads are as many as can be told apart in one plot.
const mostSpreads = 6

// spreadPlots are a curve over percentiles and a histogram. What takes the same
// time always has neither.
func spreadPlots(list []spread) []page.Plot {
	var varied []spread
	for _, s := range list {
		if s.h.Min() < s.h.Max() && len(varied) < mostSpreads {
			varied = append(varied, s)
		}
	}
	if len(varied) == 0 {
		return nil
	}
	least, most := sim.Duration(math.MaxUint64), sim.Duration(0)
	for _, s := range varied {
		least, most = min(least, s.h.Min()), max(most, s.h.Max())
	}
	wide := most/30 > least
	return []page.Plot{percentilePlot(varied, wide), histogramPlot(varied, least, most, wide)}
}

// percentiles are where the curve has its points, in parts per 10,000.
var percentiles = []struct {
	at   uint64
	name string
}{{0, "min"}, {100, "1 %"}, {1000, "10 %"}, {2500, "25 %"}, {5000, "50 %"}, {7500, "75 %"}, {9000, "90 %"}, {9500, "95 %"},
	{9900, "99 %"}, {9990, "99.9 %"}, {9999, "99.99 %"}, {10000, "max"}}

// percentilePlot shows what a share of all did not exceed.
func percentilePlot(list []spread, wide bool) page.Plot {
	p := page.Plot{
		ID: "percentiles", Title: "What a share of the requests did not exceed",
		X: page.Axis{Label: "share of the requests"}, Y: page.Axis{Label: "latency", Unit: "us", Log: wide},
	}
	most := uint64(0)
	for _, s := range list {
		most = max(most, s.h.Count())
	}
	for _, q := range percentiles {
		if q.at == 0 || q.at == 10000 || 10000/(10000-q.at) <= most { // one in so many needs as many
			p.X.Ticks = append(p.X.Ticks, q.name)
		}
	}
	for _, s := range list {
		r := page.Series{Name: s.name, Kind: page.Both}
		at := 0
		for _, q := range percentiles {
			if at == len(p.X.Ticks) || p.X.Ticks[at] != q.name {
				continue
			}
			r.X, r.Y = append(r.X, float64(at)), append(r.Y, float64(rank(s.h, q.at))/float64(sim.Microsecond))
			at++
		}
		p.Series = append(p.Series, r)
	}
	return p
}

// rank is the duration that a share in parts per 10,000 of all do not exceed,
// by nearest rank.
func rank(h *run.Histogram, share uint64) sim.Duration {
	wanted := (h.Count()*share + 9999) / 10000
	found, before := h.Min(), uint64(0)
	h.Each(func(d sim.Duration, n uint64) {
		if before < wanted {
			found = d
		}
		before += n
	})
	return found
}

// mostBins is how fine a histogram is.
const mostBins = 40

// histogramPlot shows how many requests took how long, in bins of one width, or
// of one ratio where they reach far.
func histogramPlot(list []spread, least, most sim.Duration, wide bool) page.Plot {
	p := page.Plot{
		ID: "histogram", Title: "How many requests took how long",
		X: page.Axis{Label: "latency", Unit: "us", Log: wide}, Y: page.Axis{Label: "requests", Unit: "%"},
	}
	edge := func(i int) float64 {
		a, b, share := float64(max(least, 1)), float64(most), float64(i)/mostBins
		if wide {
			return a * math.Pow(b/a, share)
		}
		return a + (b-a)*share
	}
	for _, s := range list {
		bins := make([]float64, mostBins)
		at := 0
		s.h.Each(func(d sim.Duration, n uint64) {
			for at < mostBins-1 && float64(d) >= edge(at+1) {
				at++
			}
			bins[at] += 100 * float64(n) / float64(s.h.Count())
		})
		r := page.Series{Name: s.name, Kind: page.Steps}
		for i, share := range bins {
			r.X, r.Y = append(r.X, edge(i)/float64(sim.Microsecond)), append(r.Y, share)
		}
		r.X, r.Y = append(r.X, edge(mostBins)/float64(sim.Microsecond)), append(r.Y, 0)
		p.Series = append(p.Series, r)
	}
	return p
}
