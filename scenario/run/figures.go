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
	return tally{at: at, fired: r.world.engine.Fired(), faults: len(r.rec.faults), counted: r.rec.counts, opcodes: slices.Clone(r.rec.opcodes.list)}
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
	name, unit, doc string
	value           func(h *hostCounts) uint64
}{
	{"mpt.lookups", "", "Protection entries looked up.", func(h *hostCounts) uint64 { return h.mpt.asked }},
	{"mpt.hits", "", "Of these, found on chip.", func(h *hostCounts) uint64 { return h.mpt.hit }},
	{"mpt.misses", "", "Of these, waited for.", func(h *hostCounts) uint64 { return h.mpt.asked - h.mpt.hit }},
	{"mtt.lookups", "", "Accesses translated.", func(h *hostCounts) uint64 { return h.mtt.asked }},
	{"mtt.hits", "", "Of these, with all pages found on chip.", func(h *hostCounts) uint64 { return h.mtt.hit }},
	{"mtt.misses", "", "Of these, waited for.", func(h *hostCounts) uint64 { return h.mtt.asked - h.mtt.hit }},
	{"qpc.lookups", "", "Queue-pair contexts looked up.", func(h *hostCounts) uint64 { return h.qpc.asked }},
	{"qpc.hits", "", "Of these, found on chip.", func(h *hostCounts) uint64 { return h.qpc.hit }},
	{"qpc.misses", "", "Of these, waited for.", func(h *hostCounts) uint64 { return h.qpc.asked - h.qpc.hit }},
	{"changes", "", "Changes of the tables.", func(h *hostCounts) uint64 { return h.changes }},
	{"pcie.up.tlps", "", "TLPs of the adapter that the root complex took.", func(h *hostCounts) uint64 { return h.up.count }},
	{"pcie.up.bytes", "B", "Their bytes on the link, headers and framing included.", func(h *hostCounts) uint64 { return h.up.bytes }},
	{"pcie.up.busy", "ps", "Time that the link was sending them.", func(h *hostCounts) uint64 { return h.up.busy }},
	{"pcie.down.tlps", "", "TLPs of the host that the adapter took.", func(h *hostCounts) uint64 { return h.down.count }},
	{"pcie.down.bytes", "B", "Their bytes on the link, headers and framing included.", func(h *hostCounts) uint64 { return h.down.bytes }},
	{"pcie.down.busy", "ps", "Time that the link was sending them.", func(h *hostCounts) uint64 { return h.down.busy }},
	{"pcie.reads", "", "Read request TLPs.", func(h *hostCounts) uint64 { return h.reads }},
	{"pcie.read_bytes", "B", "Data of their completions.", func(h *hostCounts) uint64 { return h.readBytes }},
	{"pcie.writes", "", "Write TLPs of the adapter.", func(h *hostCounts) uint64 { return h.writes }},
	{"pcie.write_bytes", "B", "Their data.", func(h *hostCounts) uint64 { return h.writeBytes }},
	{"pcie.wqe_reads", "", "Read request TLPs for work requests.", func(h *hostCounts) uint64 { return h.by[wqeReads] }},
	{"pcie.rwqe_reads", "", "Read request TLPs for receive requests.", func(h *hostCounts) uint64 { return h.by[rwqeReads] }},
	{"pcie.table_reads", "", "Read request TLPs for protection entries, translations and contexts.", func(h *hostCounts) uint64 { return h.by[tableReads] }},
	{"pcie.payload_reads", "", "Read request TLPs for the payload of packets.", func(h *hostCounts) uint64 { return h.by[payloadReads] }},
	{"iotlb.lookups", "", "Pages looked up in the IOTLB.", func(h *hostCounts) uint64 { return h.iotlb.asked }},
	{"iotlb.hits", "", "Of these, held there or being walked for.", func(h *hostCounts) uint64 { return h.iotlb.hit }},
	{"iotlb.misses", "", "Of these, walked for.", func(h *hostCounts) uint64 { return h.iotlb.asked - h.iotlb.hit }},
	{"llc.hits", "", "Read request TLPs of which the last-level cache had all.", func(h *hostCounts) uint64 { return h.llc.hit }},
	{"llc.misses", "", "Read request TLPs of which it had not.", func(h *hostCounts) uint64 { return h.llc.asked - h.llc.hit }},
	{"wire.packets", "", "Packets that it sent.", func(h *hostCounts) uint64 { return h.wire.count }},
	{"wire.bytes", "B", "Their bytes on the wire.", func(h *hostCounts) uint64 { return h.wire.bytes }},
	{"wire.busy", "ps", "Time that the wire was sending them.", func(h *hostCounts) uint64 { return h.wire.busy }},
}

// figures returns the figures of the time from one tally to another.
func (r *runner) figures(since, until *tally) []figure {
	c, from := &until.counted, &since.counted
	list := []figure{
		{"time", uint64(until.at.Sub(since.at)), "ps", "Simulated time at the end of the run."},
		{"events", until.fired - since.fired, "", "Events of the engine."},
		{"ops", c.ops - from.ops, "", "Verb calls and work requests."},
		{"faults", uint64(until.faults - since.faults), "", "Refusals, of keys and of requests."},
		{"wire.packets", c.wire().count - from.wire().count, "", "Packets that entered the wire, both ways."},
		{"wire.bytes", c.wire().bytes - from.wire().bytes, "B", "Their bytes on the wire."},
	}
	list = append(list, opcodeFigures(since.opcodes, until.opcodes)...)
	for _, x := range r.world.sides {
		for _, f := range hostFigures {
			h, before := &c.hosts[x.end], &from.hosts[x.end]
			list = append(list, figure{x.name + "." + f.name, f.value(h) - f.value(before), f.unit, f.doc})
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
		return part == "count" || part == "rate" || part == "bandwidth"
	}
	switch name {
	case "time", "events", "ops", "faults", "wire.packets", "wire.bytes":
		return true
	}
	if knownKeyFigure(name) || knownOpcodeFigure(name) {
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
	for _, f := range hostFigures {
		if f.name == part {
			return f.unit
		}
	}
	return ""
}

// Metrics returns the names that KnownMetric takes of a run with these hosts,
// but for those of single opcodes on the wire.
func Metrics(hosts []string) (names []string) {
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, p := range latencyParts {
			names = append(names, kind+"."+p.name)
		}
		names = append(names, kind+".count", kind+".rate", kind+".bandwidth")
	}
	names = append(names, "time", "events", "ops", "faults", "wire.packets", "wire.bytes")
	for _, host := range hosts {
		for _, f := range hostFigures {
			names = append(names, host+"."+f.name)
		}
	}
	for _, f := range keyFigures {
		names = append(names, f.name)
	}
	return names
}
