package hca_test

import (
	"testing"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/sim"
)

// Pages that cannot be had are refused, once and not for ever: a write to what
// may only be read, also after it has come for a READ; memory that is not
// mapped any more, at the peer and as a source and a sink. The other pages of
// the region are as good as before.
func TestPagesThatCannotBeHad(t *testing.T) {
	s := defaults()
	s.paged, s.qps = true, 8
	s.host[1].IOMMU.IOMMU, s.host[0].IOMMU.IOMMU = host.On, host.On
	p := newPair(t, s)
	a, b := p.sides[0], p.sides[1]
	if e := b.proc.Protect(b.base(), 4096, host.Read); e != ib.OK {
		t.Fatal(e)
	}
	b.host.Withdraw(0, b.proc, b.base()+8192, 4096, func(sim.Time) { b.proc.Unmap(b.base()+8192, 4096) })
	a.host.Withdraw(0, a.proc, a.base()+8192, 4096, func(sim.Time) { a.proc.Unmap(a.base()+8192, 4096) })
	for i, c := range []struct {
		name               string
		op                 ib.WROpcode
		local, length, far uint64
		want               ib.WCStatus
	}{
		{"WRITE to a read-only page", ib.WRRDMAWrite, 0, 64, 0, ib.RemOpErr},
		{"READ of it", ib.WRRDMARead, 0, 64, 0, ib.Success},
		{"WRITE to it, known by now", ib.WRRDMAWrite, 0, 64, 0, ib.RemOpErr},
		{"atomic on it", ib.WRAtomicFetchAndAdd, 0, 8, 0, ib.RemOpErr},
		{"WRITE to the next page", ib.WRRDMAWrite, 0, 64, 4096, ib.Success},
		{"READ of nothing", ib.WRRDMARead, 0, 64, 8192, ib.RemOpErr},
		{"WRITE from nothing", ib.WRRDMAWrite, 8192, 64, 4096, ib.LocProtErr},
		{"READ into nothing", ib.WRRDMARead, 8192, 64, 4096, ib.LocProtErr},
	} {
		p.post(0, i, c.op, c.local, c.length, c.far)
		p.finish()
		p.all(c.name, p.statuses(0, i), 1, c.want)
	}
}

// A refused page is not refused for ever: once it may be written, it is.
func TestPageThatMayBeWrittenLater(t *testing.T) {
	s := defaults()
	s.paged, s.qps = true, 2
	p := newPair(t, s)
	b := p.sides[1]
	b.proc.Protect(b.base(), 4096, host.Read)
	p.post(0, 0, ib.WRRDMAWrite, 0, 64, 0)
	p.finish()
	p.all("WRITE", p.statuses(0, 0), 1, ib.RemOpErr)
	b.host.Withdraw(p.Now(), b.proc, b.base(), 4096, func(sim.Time) { b.proc.Protect(b.base(), 4096, host.Read|host.Write) })
	p.finish()
	p.post(0, 1, ib.WRRDMAWrite, 0, 64, 0)
	p.finish()
	p.all("WRITE", p.statuses(0, 1), 1, ib.Success)
}
