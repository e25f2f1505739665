package run

import (
	"fmt"
	"math/bits"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/scenario/config"
	"hcasim/scenario/lang"
	"hcasim/scenario/run/keys"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// A side is one host with its adapter.
type side struct {
	name  string
	end   wire.End
	setup *lang.Host
	host  *host.Host
	hca   *hca.HCA
	procs map[string]*host.Process
	first *host.Process
	names map[string]*named
	qps   map[ib.QPN]*named // of a number used again the last

	arrays []*array // of regions and windows, in the order of their entries
	free   sim.Time // when its CPU is free for the next step
	watch  *mtp.Coherence
	keys   *keys.Audit
	dma    pcie.ClientID // of dma steps
}

// A world is everything that a run simulates.
type world struct {
	engine  *sim.Engine
	variant tpt.Variant
	packets *wire.Pool
	link    *wire.Link
	sides   []*side // in the order of the scenario
	rand    *sim.Rand
}

// devices hands the doorbells of a bus to the adapter, which is made later.
type devices struct{ *hca.HCA }

// build makes the world of a scenario, without its objects. Worlds are the
// parameters of each host, in order.
func build(s *lang.Scenario, params []*config.World, v tpt.Variant) *world {
	w := &world{engine: sim.NewEngine(), variant: v, packets: wire.NewPool(), rand: sim.NewRand(s.Run.Seed, 0)}
	w.link = wire.NewLink(w.engine, "wire", params[0].Wire, w.packets, s.Run.Seed)
	w.link.Book(wire.Parts{Queue: hca.PartWire, Wire: hca.PartWire, Flight: hca.PartWire, Buffer: hca.PartWire})
	for i := range s.Hosts {
		item := &s.Hosts[i]
		x := &side{name: item.Name, end: wire.End(i), setup: &item.Value, names: map[string]*named{}, qps: map[ib.QPN]*named{}, procs: map[string]*host.Process{}}
		w.sides = append(w.sides, x)
		w.assemble(x, params[i], s.Run.Seed)
	}
	return w
}

// assemble builds one side.
func (w *world) assemble(x *side, p *config.World, seed uint64) {
	h := host.New(w.engine, x.name, p.Host, &w.variant)
	h.LargestPage = uint8(bits.Len64(uint64(p.HCA.LargestPage))) - 1
	d := &devices{}
	h.Bus = pcie.New(w.engine, x.name+".pcie", p.Host.PCIe, p.HCA.PCIe, h.Root, d)
	rooms := p.HCA.Rooms()
	take := func(n uint64) uint64 {
		addr, ok := h.Allocate(n)
		if !ok { // config.World.Check has seen that they fit
			panic(fmt.Sprintf("run: %s: no %d bytes for the adapter's tables", x.name, n))
		}
		return addr
	}
	h.Commands = &tpt.CommandRing{Base: take(rooms.Commands), Slots: make([]tpt.CommandSlot, p.HCA.CommandSlots())}
	x.hca = hca.New(w.engine, hca.Config{
		Name: x.name, Params: p.HCA, Variant: w.variant,
		Layout: mtp.Layout{
			MPT: take(rooms.MPT), MTT: take(rooms.MTT), QPC: take(rooms.QPC),
		},
		Events: take(rooms.Events), Commands: h.Commands, Memory: h.Pager.Memory, Software: h,
		Bus: h.Bus, Link: w.link, End: x.end, Packets: w.packets, Seed: seed<<1 | uint64(x.end),
	})
	d.HCA = x.hca
	x.host = h
}

// side returns the side of a host by name. Loading has checked the name.
func (w *world) side(name string) *side {
	for _, x := range w.sides {
		if x.name == name {
			return x
		}
	}
	panic(fmt.Sprintf("run: no host %q", name))
}

// named returns an object by host and spelling, nil if there is none.
func (w *world) named(host, name string) *named {
	for _, x := range w.sides {
		if x.name == host {
			return x.names[name]
		}
	}
	return nil
}

// nameOf returns the name of a queue pair: of an array's first element that of
// the array.
func (x *side) nameOf(n ib.QPN) string {
	q := x.qps[n]
	switch {
	case q == nil:
		return x.name + "."
	case q.ref.Index == 0:
		return x.name + "." + q.ref.Name
	}
	return x.name + "." + element(q.ref.Name, q.ref.Index)
}

// peerOf returns the queue pair that one is connected to, nil if there is
// none.
func (w *world) peerOf(n *named) *named { return w.peer(n.side).qps[n.qp.Attr.Dest] }

// peer returns the other side.
func (w *world) peer(x *side) *side { return w.sides[1-int(x.end)] }

// waits lists who waits for what.
func (w *world) waits() (all []string) {
	for _, x := range w.sides {
		all = append(all, x.hca.Waiting()...)
		all = append(all, x.host.Bus.Waiting()...)
	}
	if all = append(all, w.link.Waits()...); len(all) > 0 {
		return all
	}
	return w.engine.Unfinished() // what no room has thought of
}
