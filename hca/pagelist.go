package hca

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// A pageLists reads the page lists of fast registrations, 8 bytes a page, from
// host memory before the table unit gets them.
type pageLists struct {
	hca    *HCA
	client pcie.ClientID
}

func (l *pageLists) init(h *HCA) {
	l.hca = h
	l.client = h.Bus.Client(h.Name+".page-list", l)
}

// read fetches the list of a request. Until it is there no later request of
// its queue is looked at.
func (l *pageLists) read(now sim.Time, q *qp, id uint32) {
	w := l.hca.wrs.At(id)
	w.listing = true
	list := &q.attr.SQ.PageLists[w.slot]
	l.hca.Bus.Read(now, pcie.Request{Addr: list.Addr, Len: uint32(len(list.Pages)) * tpt.MTTBytes, Client: l.client, Handle: id, Class: pcie.Fetch})
}

// Served does nothing: the list is read from the typed ring.
func (l *pageLists) Served(sim.Time, uint32, uint32, uint32) {}

// Done hands the request to the table unit, unless its queue forgot it.
func (l *pageLists) Done(now sim.Time, id uint32, ok bool) {
	if !ok {
		panic("hca: the IOMMU refused the read of a page list")
	}
	h := l.hca
	w := h.wrs.At(id)
	w.listing = false
	if w.orphan {
		h.unref(id)
		return
	}
	q := h.qp(w.qpn)
	h.submit(now, q, id)
	if h.Params.LocalDepth > 1 {
		h.kick(now, q, waitLocal)
	}
}

// fetchesList reports whether a request has a page list that is to be read.
func (h *HCA) fetchesList(e *ib.WQE) bool {
	return h.Params.FetchList && e.Opcode == ib.WRRegMR && e.Bind.Pages > 0
}
