package timeline

import (
	"strings"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
)

// dmaUnits are the tracks of the parts of the adapter that move data.
var dmaUnits = map[hca.UnitID]unit{
	hca.UnitWQE: unitWQE, hca.UnitRecv: unitRecvFetch, hca.UnitGather: unitGather, hca.UnitPlace: unitPlace,
	hca.UnitAtomic: unitAtomic, hca.UnitCQE: unitCQE, hca.UnitEvent: unitEvent, hca.UnitCommand: unitCommand,
	hca.UnitPageList: unitPageList, hca.UnitOther: unitOther,
}

// fetchUnits are those of what the translation unit reads, by the words for it.
var fetchUnits = []struct {
	words string
	unit  unit
}{{"MPT", unitMPTFetch}, {"MTT", unitMTTFetch}, {"context", unitQPC}, {"", unitWriteBack}}

// dmaUnit says whose a DMA is, and in words what it is for.
func (h *hostWatch) dmaUnit(client pcie.ClientID, handle uint32) (u unit, what string) {
	id := h.view.HCA.UnitOf(client)
	if id != hca.UnitTable {
		return dmaUnits[id], id.String()
	}
	what = h.view.HCA.Unit.Fetching(client, handle)
	for _, f := range fetchUnits {
		if strings.HasPrefix(what, f.words) {
			return f.unit, what
		}
	}
	panic("timeline: a fetch without a unit")
}

// watchDMA shows each DMA on the track of its unit.
func (h *hostWatch) watchDMA() {
	h.view.Host.Bus.Taps.Requests.Watch(func(r pcie.Record) {
		u, what := h.dmaUnit(r.Client, r.Handle)
		verb := "read"
		if r.Write {
			verb = "write"
		}
		args := []arg{words("PCIe", verb), hexa("address", r.Addr), count("bytes", uint64(r.Len))}
		if r.Sent > r.Issued {
			args = append(args, long("waited for order, tags, credits", r.Sent.Sub(r.Issued)))
		}
		if !r.OK {
			what += ": refused by the IOMMU"
		}
		h.emit(h.show(u, r.Issued, r.Done, h.whoseDMA(r.Client, r.Handle), what, args...))
	})
}

func (h *hostWatch) whoseDMA(client pcie.ClientID, handle uint32) *journey {
	if op, ok := h.view.HCA.WhoseDMA(client, handle); ok {
		return h.r.of(op)
	}
	return nil
}

// watchTLPs shows when both directions of PCIe are busy, and with what; the
// doorbells; and the tags that are out.
func (h *hostWatch) watchTLPs() {
	bus := h.view.Host.Bus
	link, way := bus.Link(), h.view.Host.Params.PCIe.Propagation
	bus.Taps.TLPs.Watch(func(t pcie.TLP) {
		u, edge := unitUp, &h.edges[0]
		if t.Kind.Down() {
			u, edge = unitDown, &h.edges[1]
		}
		end := max(back(t.At, way), *edge)
		from := max(back(end, link.Time(sim.Bytes(t.Bytes))), *edge)
		*edge = end
		what, of := "doorbell", (*journey)(nil)
		if q, dma := bus.Asked(&t); dma {
			_, what = h.dmaUnit(q.Client, q.Handle)
			of = h.whoseDMA(q.Client, q.Handle)
		}
		e := h.show(u, from, end, of, t.Kind.String()+" "+what,
			hexa("address", t.Addr), count("bytes", uint64(t.Len)), count("link bytes", uint64(t.Bytes)))
		if t.Kind != pcie.MMIO && t.Kind != pcie.MWr {
			e.args = append(e.args, count("tag", uint64(t.Tag)))
		}
		h.emit(e)
		if t.Refused {
			h.flag(t.At, of, "refused by the IOMMU", e.args...)
		}
	})
	bus.Taps.Up.Watch(func(t *pcie.TLP) {
		if t.Kind == pcie.MRd {
			h.r.count(h.i, t.Sent, "PCIe reads", "tags", 1)
		}
	})
	bus.Taps.Down.Watch(func(t *pcie.TLP) {
		if t.Kind == pcie.MMIO {
			h.stored(t)
		} else {
			h.r.count(h.i, t.At, "PCIe reads", "tags", -1)
		}
	})
}

// back is an instant some time earlier.
func back(t sim.Time, d sim.Duration) sim.Time { return t - min(t, sim.Time(d)) }

// A ringing is a doorbell that has not been decoded.
type ringing struct{ sent, at sim.Time }

// stored takes a store of the CPU. That of a queue pair lasts until it is
// decoded.
func (h *hostWatch) stored(t *pcie.TLP) {
	n, register := ib.DoorbellOf(t.Addr)
	name := h.view.QP(n)
	if n == 0 || register == ib.DoorbellSRQ || register == ib.DoorbellRecv || name == "" {
		what := "doorbell"
		switch {
		case n == 0 && register == ib.DoorbellCommand:
			what = "doorbell of commands"
		case n == 0:
			what = "arm a CQ"
		case register == ib.DoorbellRecv:
			what = "doorbell of receives"
		}
		e := h.show(unitDoorbell, t.Sent, t.At, nil, what, hexa("address", t.Addr))
		e.qp = name
		h.emit(e)
		return
	}
	h.unrung(name)
	h.rungs[name] = &ringing{t.Sent, t.At}
}

// rung shows the doorbell of a queue pair as decoded, for the first request that
// it covers.
func (h *hostWatch) rung(now sim.Time, j *journey) {
	if r := h.rungs[j.op.QP]; r != nil {
		delete(h.rungs, j.op.QP)
		h.emit(h.show(unitDoorbell, r.sent, now, j, "doorbell", words("queue pair", h.view.Name+"."+j.op.QP)))
	}
}

// unrung shows one that covered nothing, or that the next has overtaken.
func (h *hostWatch) unrung(name string) {
	if r := h.rungs[name]; r != nil {
		delete(h.rungs, name)
		e := h.show(unitDoorbell, r.sent, r.at, nil, "doorbell", words("queue pair", h.view.Name+"."+name))
		e.qp = name
		h.emit(e)
	}
}
