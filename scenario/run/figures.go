package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hcasim/scenario/run/keys"
	"hcasim/sim"
)

// counters are the figures that every run has.
type counters struct {
	ops   uint64
	hosts [2]hostCounts
	keys  keys.Counts
}

// wire is what entered the wire, both ways.
func (c *counters) wire() carried {
	a, b := &c.hosts[0].wire, &c.hosts[1].wire
	return carried{a.count + b.count, a.bytes + b.bytes, a.busy + b.busy}
}

// A tally is how far the figures were at an instant.
type tally struct {
	at      sim.Time
	fired   uint64 // events of the engine
	faults  int
	counted counters
	opcodes []opcodeCount
}

// tally returns the figures as they stand. At is now, or the instant before it
// since which nothing has happened that counts.
func (r *runner) tally(at sim.Time) tally {
	t := tally{at: at, fired: r.world.engine.Fired(), faults: len(r.rec.faults), counted: r.rec.counts, opcodes: slices.Clone(r.rec.opcodes.list)}
	r.rec.settle(&t.counted, r.world.engine.Now())
	return t
}

// A figure is a number of a run, or of the time since a moment of it.
type figure struct {
	name  string
	value uint64
	unit  string
	doc   string

	millionths bool // that is what value is in
}

// String returns the value without its unit.
func (f *figure) String() string {
	if f.millionths {
		return fmt.Sprintf("%d.%06d", f.value/million, f.value%million)
	}
	return fmt.Sprint(f.value)
}

// figures returns the figures of the time from one tally to another.
func (r *runner) figures(since, until *tally) []figure {
	c, from := &until.counted, &since.counted
	list := []figure{
		{name: "time", value: uint64(until.at.Sub(since.at)), unit: "ps", doc: "Simulated time at the end of the run."},
		{name: "events", value: until.fired - since.fired, doc: "Events of the engine."},
		{name: "ops", value: c.ops - from.ops, doc: "Verb calls and work requests."},
		{name: "faults", value: uint64(until.faults - since.faults), doc: "Refusals, of keys and of requests."},
		{name: "wire.packets", value: c.wire().count - from.wire().count, doc: "Packets that entered the wire, both ways."},
		{name: "wire.bytes", value: c.wire().bytes - from.wire().bytes, unit: "B", doc: "Their bytes on the wire."},
	}
	list = append(list, opcodeFigures(since.opcodes, until.opcodes)...)
	for _, x := range r.world.sides {
		list = append(list, r.hostFigures(x, since, until)...)
	}
	return append(list, r.keyFigures(from, c)...)
}

// stats returns figures as a result has them.
func stats(figures []figure) (list []Stat) {
	for i := range figures {
		f := &figures[i]
		list = append(list, Stat{f.name, f.String(), f.unit, f.doc})
	}
	return list
}

// measuredPart begins the names of figures of the measured part.
const measuredPart = "measured."

// KnownMetric reports whether a threshold may name a figure, of a run with
// these hosts. Whether a run has it is another matter: one without READs has
// no read.p99.
func KnownMetric(name string, hosts []string) bool {
	name, measured := strings.CutPrefix(name, measuredPart)
	return knownFigure(name, hosts) || !measured && knownLatency(name)
}

// knownLatency reports whether a figure is that of a kind of requests.
func knownLatency(name string) bool {
	kind, part, dotted := strings.Cut(name, ".")
	if _, request := kinds[kind]; request && dotted {
		for _, p := range latencyParts {
			if p.name == part {
				return true
			}
		}
		return part == "count" || isFlow(part)
	}
	return false
}

func knownFigure(name string, hosts []string) bool {
	switch name {
	case "time", "events", "ops", "faults", "wire.packets", "wire.bytes":
		return true
	}
	if knownKeyFigure(name) || knownOpcodeFigure(name) {
		return true
	}
	for _, host := range hosts {
		if of, ok := strings.CutPrefix(name, host+"."); ok && knownHostFigure(of) {
			return true
		}
	}
	return false
}

// IsKind reports whether figures call a kind of request by a word.
func IsKind(word string) bool { return kinds[word] != "" }

// UnitOf returns the unit of a figure of Stats: ps, B, or "" for what is
// counted and for names that no run has.
func UnitOf(name string) string {
	if name == "time" {
		return "ps"
	}
	if name == "wire.bytes" || strings.HasPrefix(name, "wire.bytes.") {
		return "B"
	}
	for _, f := range keyFigures {
		if f.name == name {
			return f.unit
		}
	}
	_, part, _ := strings.Cut(name, ".") // behind the name of a host
	return unitOfHost(hostNames, part)
}

// Metrics returns the names that KnownMetric takes of a run with these hosts,
// but for those of single opcodes on the wire and those of the measured part.
func Metrics(hosts []string) (names []string) {
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, p := range latencyParts {
			names = append(names, kind+"."+p.name)
		}
		names = append(names, kind+".count")
		for _, f := range flows {
			names = append(names, kind+"."+f.name)
		}
	}
	names = append(names, "time", "events", "ops", "faults", "wire.packets", "wire.bytes")
	for _, host := range hosts {
		for i := range hostNames {
			names = append(names, host+"."+hostNames[i].Name)
		}
	}
	for _, f := range keyFigures {
		names = append(names, f.name)
	}
	return names
}
