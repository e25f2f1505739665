package run

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
)

// hostCounts are what a run counts of each host.
type hostCounts struct {
	up, down, wire            carried
	reads, writes             uint64 // TLPs
	readBytes, writeBytes     uint64 // payload
	by                        [readKinds]uint64
	mpt, mtt, qpc, iotlb, llc lookups
	changes                   uint64
	stores                    uint64    // TLPs
	judged                    uint64    // accesses
	near, fetched             [3]uint64 // fills, by kind
	work                      [2]uint64 // of the packet engines, parts of cycles: sent, received
	sent                      [2]uint64 // packets, by class
	stalls                    [numStalls]stall
}

// A carried is what one direction of a link has carried.
type carried struct{ count, bytes, busy uint64 }

func (c *carried) add(n, bytes uint64, busy sim.Duration) {
	c.count += n
	c.bytes += bytes
	c.busy += uint64(busy)
}

// lookups are those of one cache.
type lookups struct{ asked, hit uint64 }

func (l *lookups) add(hit bool) {
	l.asked++
	if hit {
		l.hit++
	}
}

// The kinds of reads that are counted apart.
const (
	otherReads uint8 = iota
	wqeReads
	rwqeReads
	tableReads
	payloadReads
	readKinds
)

// kindOfReads returns what the reads of a unit of the adapter are for.
func kindOfReads(client string) uint8 {
	switch client[strings.LastIndexByte(client, '.')+1:] {
	case "wqe":
		return wqeReads
	case "rwqe":
		return rwqeReads
	case "fetch":
		return tableReads
	case "gather":
		return payloadReads
	}
	return otherReads
}

// watchBus counts what the link to a host carries. All units of the adapter
// are clients by now.
func (c *recorder) watchBus(x *side) {
	h, bus := &c.counts.hosts[x.end], x.host.Bus
	delay := x.host.Params.PCIe.Propagation
	kinds := make([]uint8, bus.Clients())
	for id := range kinds {
		kinds[id] = kindOfReads(bus.ClientName(pcie.ClientID(id)))
	}
	bus.Taps.Up.Watch(func(p *pcie.TLP) {
		h.up.add(uint64(p.Count), uint64(p.Bytes), p.At.Sub(p.Entered)-delay)
		if p.Kind == pcie.MWr {
			h.writes++
			h.writeBytes += uint64(p.Len)
			return
		}
		h.reads++
		h.by[kinds[p.Client]]++
	})
	bus.Taps.Down.Watch(func(p *pcie.TLP) {
		h.down.add(uint64(p.Count), uint64(p.Bytes), p.At.Sub(p.Entered)-delay)
		switch p.Kind {
		case pcie.CplD:
			h.readBytes += uint64(p.Len)
		case pcie.MMIO:
			h.stores++
		default:
		}
	})
}

// watchLookups counts what the caches of a host and its adapter hold.
func (c *recorder) watchLookups(x *side) {
	h := &c.counts.hosts[x.end]
	x.hca.Unit.Judgements.Watch(func(j mtp.Judgement) {
		h.judged++
		if j.Access.Judge.Length != 0 { // else no entry is asked for
			h.mpt.add(j.Access.MPTHit)
		}
	})
	x.hca.Unit.Translations.Watch(func(j mtp.Judgement) { h.mtt.add(j.Access.MTTHit) })
	x.hca.Unit.Contexts.Watch(func(l mtp.ContextLookup) { h.qpc.add(l.Hit) })
	x.hca.Unit.Fetches.Watch(func(f mtp.Fetch) {
		if f.Near {
			h.near[f.Kind]++
		} else {
			h.fetched[f.Kind]++
		}
	})
	x.hca.Worked.Watch(func(w hca.Work) {
		if w.Receive {
			h.work[1] += uint64(w.For)
		} else {
			h.work[0] += uint64(w.For)
		}
	})
	x.host.Root.Found.Watch(h.llc.add)
	if u := x.host.Root.IOMMU; u != nil {
		u.Looked.Watch(h.iotlb.add)
	}
}

// An opcodeCount is the packets of one opcode.
type opcodeCount struct {
	opcode         ib.Opcode
	packets, bytes uint64
}

// opcodeCounts are those of the opcodes that occurred, as they came: one has
// the same place in all tallies that have it.
type opcodeCounts struct {
	list []opcodeCount
	at   [256]uint16 // by opcode: its place, from 1
}

// add counts a packet.
func (c *opcodeCounts) add(o ib.Opcode, bytes uint64) {
	if c.at[o] == 0 {
		c.list = append(c.list, opcodeCount{opcode: o})
		c.at[o] = uint16(len(c.list))
	}
	of := &c.list[c.at[o]-1]
	of.packets++
	of.bytes += bytes
}

// opcodeFigures are the figures of the opcodes that occurred, in the order of
// their numbers.
func opcodeFigures(since, until []opcodeCount) (list []figure) {
	grown := slices.Clone(until)
	for i, c := range since {
		grown[i].packets -= c.packets
		grown[i].bytes -= c.bytes
	}
	slices.SortFunc(grown, func(a, b opcodeCount) int { return int(a.opcode) - int(b.opcode) })
	for _, c := range grown {
		name := c.opcode.String()
		list = append(list,
			figure{name: "wire.packets." + name, value: c.packets, doc: fmt.Sprintf("Packets of opcode %s that entered the wire, both ways.", name)},
			figure{name: "wire.bytes." + name, value: c.bytes, unit: "B", doc: "Their bytes on the wire."})
	}
	return list
}

// knownOpcodeFigure reports whether a figure is that of an opcode, occurred
// or not.
func knownOpcodeFigure(name string) bool {
	word, ok := strings.CutPrefix(name, "wire.packets.")
	if !ok {
		if word, ok = strings.CutPrefix(name, "wire.bytes."); !ok {
			return false
		}
	}
	o, known := ib.ParseOpcode(word)
	return known && o.String() == word
}
