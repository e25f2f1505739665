package run

import (
	"math/bits"
	"slices"
	"strings"

	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/wire"
)

// hostFigures are the figures of each host that grow, by what follows its name.
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
	{"mpt.fetches", "", "Protection entries fetched from host memory; one that several wait for is fetched once.", func(h *hostCounts) uint64 { return h.fetched[mtp.MPT] }},
	{"mtt.fetches", "", "Lines of 8 translation entries fetched from host memory.", func(h *hostCounts) uint64 { return h.fetched[mtp.MTT] }},
	{"qpc.fetches", "", "Contexts fetched from host memory.", func(h *hostCounts) uint64 { return h.fetched[mtp.QPC] }},
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
	{"pcie.stores", "", "TLPs of stores of the CPU to the adapter: doorbells, and each line of BlueFlame.", func(h *hostCounts) uint64 { return h.stores }},
	{"iotlb.lookups", "", "Pages looked up in the IOTLB.", func(h *hostCounts) uint64 { return h.iotlb.asked }},
	{"iotlb.hits", "", "Of these, held there or being walked for.", func(h *hostCounts) uint64 { return h.iotlb.hit }},
	{"iotlb.misses", "", "Of these, walked for.", func(h *hostCounts) uint64 { return h.iotlb.asked - h.iotlb.hit }},
	{"llc.hits", "", "Read request TLPs of which the last-level cache had all.", func(h *hostCounts) uint64 { return h.llc.hit }},
	{"llc.misses", "", "Read request TLPs of which it had not.", func(h *hostCounts) uint64 { return h.llc.asked - h.llc.hit }},
	{"wire.packets", "", "Packets that it sent.", func(h *hostCounts) uint64 { return h.wire.count }},
	{"wire.bytes", "B", "Their bytes on the wire.", func(h *hostCounts) uint64 { return h.wire.bytes }},
	{"wire.busy", "ps", "Time that the wire was sending them.", func(h *hostCounts) uint64 { return h.wire.busy }},
}

// caches are those of which there is a hit rate.
var caches = [...]struct {
	name, of string
	looked   func(h *hostCounts) lookups
}{
	{"mpt", "protection entries looked up", func(h *hostCounts) lookups { return h.mpt }},
	{"mtt", "accesses translated", func(h *hostCounts) lookups { return h.mtt }},
	{"qpc", "contexts looked up", func(h *hostCounts) lookups { return h.qpc }},
	{"mpt.l1", "protection entries sought in l1, the second level", func(h *hostCounts) lookups { return h.far(mtp.MPT) }},
	{"mtt.l1", "lines of translation entries sought in l1, the second level", func(h *hostCounts) lookups { return h.far(mtp.MTT) }},
	{"qpc.l1", "contexts sought in l1, the second level", func(h *hostCounts) lookups { return h.far(mtp.QPC) }},
	{"iotlb", "pages looked up in the IOTLB", func(h *hostCounts) lookups { return h.iotlb }},
	{"llc", "read request TLPs", func(h *hostCounts) lookups { return h.llc }},
}

// far are the lookups of a second level: one for each fill.
func (h *hostCounts) far(k mtp.Kind) lookups {
	return lookups{asked: h.near[k] + h.fetched[k], hit: h.near[k]}
}

// lanes are the links and pipes that have a utilisation, and how long each was
// taken.
var lanes = [...]struct {
	name, doc string
	listed    bool // its busy time has a figure of its own above
	busy      func(x *side, h *hostCounts) uint64
}{
	{"pcie.up", "the link towards the root complex", true, func(_ *side, h *hostCounts) uint64 { return h.up.busy }},
	{"pcie.down", "the link towards the adapter", true, func(_ *side, h *hostCounts) uint64 { return h.down.busy }},
	{"wire", "the wire from this host", true, func(_ *side, h *hostCounts) uint64 { return h.wire.busy }},
	{"send_engine", "the packet engine, by what is sent", false, func(x *side, h *hostCounts) uint64 { return x.kept(h.work[0]) }},
	{"receive_engine", "the packet engine, by what is received; with engine: shared it is the same", false, func(x *side, h *hostCounts) uint64 { return x.kept(h.work[1]) }},
	{"tx_requests", "the entrance of the pipeline of requests to the wire", false, func(x *side, h *hostCounts) uint64 { return x.sent(h, wire.Requests) }},
	{"tx_answers", "the entrance of the pipeline of answers to the wire", false, func(x *side, h *hostCounts) uint64 { return x.sent(h, wire.Answers) }},
	{"mpt", "the entrance of the stage that looks up protection entries", false, func(x *side, h *hostCounts) uint64 {
		return x.kept(h.judged * uint64(x.hca.Params.MTP.MPTInterval.Whole()))
	}},
	{"mtt", "the entrance of the stage that looks up translations", false, func(x *side, h *hostCounts) uint64 { return x.kept(h.judged * uint64(sim.PerCycle)) }},
}

// kept is how long something is kept that is kept for so many parts of a cycle.
func (x *side) kept(n uint64) uint64 {
	hi, lo := bits.Mul64(n, uint64(sim.Second))
	ps, _ := bits.Div64(hi, lo, uint64(x.hca.Params.Clock)*uint64(sim.PerCycle))
	return ps
}

func (x *side) sent(h *hostCounts, c wire.Class) uint64 {
	return x.kept(h.sent[c] * uint64(x.hca.Params.PacketGap))
}

// perOp are the figures that there are for each request, too: unit and doc are
// those of the figure without the ending.
var perOp = []string{
	"pcie.reads", "pcie.read_bytes", "pcie.writes", "pcie.write_bytes", "pcie.up.bytes", "pcie.down.bytes",
	"pcie.wqe_reads", "pcie.rwqe_reads", "pcie.table_reads", "pcie.payload_reads", "pcie.stores",
}

// The endings of figures that are made of others.
const (
	hitRate     = ".hit_rate"
	utilisation = ".utilisation"
	eachOp      = "_per_op"
)

// hostFigures returns the figures of one host, of the time from one tally to
// another. Those that are shares have none if there is nothing that they could
// be a share of.
func (r *runner) hostFigures(x *side, since, until *tally) (list []figure) {
	h, from := &until.counted.hosts[x.end], &since.counted.hosts[x.end]
	grown := map[string]uint64{}
	for _, f := range hostFigures {
		v := f.value(h) - f.value(from)
		grown[f.name] = v
		list = append(list, figure{name: f.name, value: v, unit: f.unit, doc: f.doc})
	}
	for i := range caches {
		c := &caches[i]
		if strings.HasSuffix(c.name, ".l1") && !x.hca.Unit.Levels(levelKind(c.name)) {
			continue
		}
		now, was := c.looked(h), c.looked(from)
		list = append(list, share(c.name+hitRate, now.hit-was.hit, now.asked-was.asked, "Share of the "+c.of+" that were found there.")...)
	}
	ops := until.counted.ops - since.counted.ops
	for _, name := range perOp {
		each := share(name+eachOp, grown[name], ops, "The same for each verb call and work request.")
		for i := range each {
			each[i].unit = unitOfHost(hostNames, name)
		}
		list = append(list, each...)
	}
	time := uint64(until.at.Sub(since.at))
	for i := range lanes {
		l := &lanes[i]
		busy := l.busy(x, h) - l.busy(x, from)
		if !l.listed {
			list = append(list, figure{name: l.name + ".busy", value: busy, unit: "ps", doc: "Time that this was taken: " + l.doc + "."})
		}
		list = append(list, share(l.name+utilisation, busy, time, "Share of the time in which this was taken: "+l.doc+".")...)
	}
	for i := range stallNames {
		s, was, n := &h.stalls[i], &from.stalls[i], &stallNames[i]
		list = append(list,
			figure{name: "stall." + n.name + ".count", value: s.count - was.count, doc: "Waits for " + n.doc + "."},
			figure{name: "stall." + n.name + ".time", value: uint64(s.time - was.time), unit: "ps", doc: "Their time, that of all who waited added up."})
	}
	for i := range list {
		list[i].name = x.name + "." + list[i].name
	}
	return list
}

// levelKind is the kind that the second level of a name holds.
func levelKind(name string) mtp.Kind {
	switch name {
	case "mpt.l1":
		return mtp.MPT
	case "mtt.l1":
		return mtp.MTT
	}
	return mtp.QPC
}

// share is a figure in millionths, rounded down; none where there is nothing
// that it could be a share of.
func share(name string, part, whole uint64, doc string) []figure {
	if whole == 0 {
		return nil
	}
	hi, lo := bits.Mul64(part, million)
	if hi >= whole {
		return nil
	}
	v, _ := bits.Div64(hi, lo, whole)
	return []figure{{name: name, value: v, doc: doc, millionths: true}}
}

const million = 1_000_000

// hostNames are all figures that a host may have, with their units.
var hostNames = nameHostFigures()

func nameHostFigures() (list []Stat) {
	for _, f := range hostFigures {
		list = append(list, Stat{Name: f.name, Unit: f.unit})
	}
	for i := range caches {
		list = append(list, Stat{Name: caches[i].name + hitRate})
	}
	for _, n := range perOp {
		list = append(list, Stat{Name: n + eachOp, Unit: unitOfHost(list, n)})
	}
	for i := range lanes {
		if !lanes[i].listed {
			list = append(list, Stat{Name: lanes[i].name + ".busy", Unit: "ps"})
		}
		list = append(list, Stat{Name: lanes[i].name + utilisation})
	}
	for i := range stallNames {
		n := "stall." + stallNames[i].name
		list = append(list, Stat{Name: n + ".count"}, Stat{Name: n + ".time", Unit: "ps"})
	}
	return list
}

// unitOfHost returns the unit of a figure of a list.
func unitOfHost(list []Stat, name string) string {
	for i := range list {
		if list[i].Name == name {
			return list[i].Unit
		}
	}
	return ""
}

// knownHostFigure reports whether a host may have a figure of a name.
func knownHostFigure(name string) bool {
	return slices.ContainsFunc(hostNames, func(s Stat) bool { return s.Name == name })
}
