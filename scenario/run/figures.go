package run

import (
	"fmt"
	"strings"

	"hcasim/scenario/run/keys"
	"hcasim/sim"
)

// counters are the figures that every run has.
type counters struct {
	packets, bytes uint64 // on the wire
	ops            uint64
	mptHit, mptAsk [2]uint64
	mttHit, mttAsk [2]uint64
	changes        [2]uint64
	keys           keys.Counts
}

// A tally is how far the figures were at an instant.
type tally struct {
	at      sim.Time
	fired   uint64 // events of the engine
	faults  int
	counted counters
}

// tally returns the figures as they stand. At is now, or the instant before it
// since which nothing has happened that counts.
func (r *runner) tally(at sim.Time) tally {
	return tally{at: at, fired: r.world.engine.Fired(), faults: len(r.rec.faults), counted: r.rec.counts}
}

// A figure is a number of a run, or of the time since a moment of it.
type figure struct {
	name  string
	value uint64
	unit  string
	doc   string
}

// hostFigures are the figures of each host, by what follows its name.
var hostFigures = [...]struct {
	name, doc string
	value     func(c *counters, end int) uint64
}{
	{"mpt.lookups", "Protection entries looked up.", func(c *counters, i int) uint64 { return c.mptAsk[i] }},
	{"mpt.hits", "Of these, found on chip.", func(c *counters, i int) uint64 { return c.mptHit[i] }},
	{"mpt.misses", "Of these, waited for.", func(c *counters, i int) uint64 { return c.mptAsk[i] - c.mptHit[i] }},
	{"mtt.lookups", "Accesses translated.", func(c *counters, i int) uint64 { return c.mttAsk[i] }},
	{"mtt.hits", "Of these, with all pages found on chip.", func(c *counters, i int) uint64 { return c.mttHit[i] }},
	{"mtt.misses", "Of these, waited for.", func(c *counters, i int) uint64 { return c.mttAsk[i] - c.mttHit[i] }},
	{"changes", "Changes of the tables.", func(c *counters, i int) uint64 { return c.changes[i] }},
}

// figures returns the figures of the time from one tally to another.
func (r *runner) figures(since, until *tally) []figure {
	c, from := &until.counted, &since.counted
	list := []figure{
		{"time", uint64(until.at.Sub(since.at)), "ps", "Simulated time at the end of the run."},
		{"events", until.fired - since.fired, "", "Events of the engine."},
		{"ops", c.ops - from.ops, "", "Verb calls and work requests."},
		{"faults", uint64(until.faults - since.faults), "", "Refusals, of keys and of requests."},
		{"wire.packets", c.packets - from.packets, "", "Packets that entered the wire, both ways."},
		{"wire.bytes", c.bytes - from.bytes, "B", "Their bytes on the wire."},
	}
	for _, x := range r.world.sides {
		for _, f := range hostFigures {
			i := int(x.end)
			list = append(list, figure{x.name + "." + f.name, f.value(c, i) - f.value(from, i), "", f.doc})
		}
	}
	return append(list, r.keyFigures(from, c)...)
}

// stats returns figures as a result has them.
func stats(figures []figure) (list []Stat) {
	for _, f := range figures {
		list = append(list, Stat{f.name, fmt.Sprint(f.value), f.unit, f.doc})
	}
	return list
}

// latencyParts are the figures of the latencies of one kind of request.
var latencyParts = [...]struct {
	name  string
	value func(h *Histogram) sim.Duration
}{
	{"p50", func(h *Histogram) sim.Duration { return h.Quantile(500) }},
	{"p90", func(h *Histogram) sim.Duration { return h.Quantile(900) }},
	{"p99", func(h *Histogram) sim.Duration { return h.Quantile(990) }},
	{"p999", func(h *Histogram) sim.Duration { return h.Quantile(999) }},
	{"min", (*Histogram).Min}, {"max", (*Histogram).Max}, {"mean", (*Histogram).Mean},
}

// KnownMetric reports whether a threshold may name a figure, of a run with
// these hosts. Whether a run has it is another matter: one without READs has
// no read.p99.
func KnownMetric(name string, hosts []string) bool {
	kind, part, dotted := strings.Cut(name, ".")
	if _, request := kinds[kind]; request && dotted {
		for _, p := range latencyParts {
			if p.name == part {
				return true
			}
		}
		return part == "count"
	}
	switch name {
	case "time", "events", "ops", "faults", "wire.packets", "wire.bytes":
		return true
	}
	if knownKeyFigure(name) {
		return true
	}
	for _, host := range hosts {
		for _, f := range hostFigures {
			if name == host+"."+f.name {
				return true
			}
		}
	}
	return false
}
