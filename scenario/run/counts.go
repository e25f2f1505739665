package run

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
)

// hostCounts are what a run counts of each host.
type hostCounts struct {
	up, down, wire        carried
	reads, writes         uint64 // TLPs
	readBytes, writeBytes uint64 // payload
	by                    [readKinds]uint64
	qpc, iotlb, llc       lookups
}

// A carried is what one direction of a link has carried.
type carried struct{ count, bytes, busy uint64 }

func (c *carried) add(n uint32, bytes sim.Bytes, busy sim.Duration) {
	c.count += uint64(n)
	c.bytes += uint64(bytes)
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

// of makes the value of a host's figure.
func of(value func(h *hostCounts) uint64) func(c *counters, end int) uint64 {
	return func(c *counters, end int) uint64 { return value(&c.hosts[end]) }
}

// The kinds of reads that are counted apart.
const (
	otherReads = iota
	wqeReads
	rwqeReads
	tableReads
	payloadReads
	readKinds
)

// kindOfReads returns what the reads of a unit of the adapter are for.
func kindOfReads(client string) int {
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

// watchBus counts what the link to a host carries.
func (c *recorder) watchBus(x *side) {
	h, bus := &c.counts.hosts[x.end], x.host.Bus
	delay := x.host.Params.PCIe.Propagation
	var kinds []int // by client
	bus.Taps.Up.Watch(func(p *pcie.TLP) {
		h.up.add(uint32(p.Count), sim.Bytes(p.Bytes), p.At.Sub(p.Entered)-delay)
		if p.Kind == pcie.MWr {
			h.writes++
			h.writeBytes += uint64(p.Len)
			return
		}
		for id := pcie.ClientID(len(kinds)); id <= p.Client; id++ {
			kinds = append(kinds, kindOfReads(bus.ClientName(id)))
		}
		h.reads++
		h.by[kinds[p.Client]]++
	})
	bus.Taps.Down.Watch(func(p *pcie.TLP) {
		h.down.add(uint32(p.Count), sim.Bytes(p.Bytes), p.At.Sub(p.Entered)-delay)
		if p.Kind == pcie.CplD {
			h.readBytes += uint64(p.Len)
		}
	})
}

// watchLookups counts what the caches of a host and its adapter hold.
func (c *recorder) watchLookups(x *side) {
	h := &c.counts.hosts[x.end]
	x.hca.Unit.Contexts.Watch(func(l mtp.ContextLookup) { h.qpc.add(l.Hit) })
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

func byOpcode(c opcodeCount, o ib.Opcode) int { return int(c.opcode) - int(o) }

// opcode counts a packet of an opcode.
func (c *recorder) opcode(o ib.Opcode, n sim.Bytes) {
	i, found := slices.BinarySearchFunc(c.opcodes, o, byOpcode)
	if !found {
		c.opcodes = slices.Insert(c.opcodes, i, opcodeCount{opcode: o})
	}
	c.opcodes[i].packets++
	c.opcodes[i].bytes += uint64(n)
}

// opcodeFigures are the figures of the opcodes that occurred.
func opcodeFigures(since, until []opcodeCount) (list []figure) {
	for _, c := range until {
		if i, found := slices.BinarySearchFunc(since, c.opcode, byOpcode); found {
			c.packets -= since[i].packets
			c.bytes -= since[i].bytes
		}
		name := c.opcode.String()
		list = append(list,
			figure{"wire.packets." + name, c.packets, "", fmt.Sprintf("Packets of opcode %s that entered the wire, both ways.", name)},
			figure{"wire.bytes." + name, c.bytes, "B", "Their bytes on the wire."})
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
