package scenario

import (
	"fmt"
	"math/bits"

	"hcasim/scenario/config"
	"hcasim/scenario/lang"
	"hcasim/tpt"
)

// checkSizes holds what a host declares against the sizes of its adapter's
// tables and of the wire. What steps ask for is refused as they run, as a
// real adapter would.
func checkSizes(name string, h *lang.Host, w *config.World) (problems []lang.Problem) {
	say := func(p lang.Pos, suggestion, format string, args ...any) {
		problems = append(problems, lang.Problem{File: p.File, Line: p.Line, Column: max(1, p.Column),
			Message: fmt.Sprintf(format, args...), Suggestion: suggestion})
	}
	limit := &w.HCA.Limit
	pages := uint64(0)
	spend := func(p lang.Pos, n, each uint64) {
		if pages <= uint64(limit.MTT) {
			if pages = sum(pages, n, each); pages > uint64(limit.MTT) {
				say(p, "hca.limit.mtt is its size", "the regions of %s have %d pages up to here, the table holds %d", name, pages, limit.MTT)
			}
		}
	}
	keyed := func(p lang.Pos, key *uint32) {
		if most := min(uint64(limit.MR)+uint64(limit.MW), tpt.MaxIndex); uint64(pointee(key, 0)>>8) > most {
			say(p, "hca.limit.mr and hca.limit.mw are its size", "key %#x of %s is of index %d, the table holds %d", *key, name, *key>>8, most)
		}
	}
	regions := counted{limit: limit.MR, what: "regions", path: "hca.limit.mr"}
	for i := range h.MR {
		m := &h.MR[i].Value
		n := uint64(pointee(m.Count, 1))
		regions.add(say, name, h.MR[i].Pos, n)
		spend(h.MR[i].Pos, n, pagesOf(h, m))
		keyed(h.MR[i].Pos, m.Key)
	}
	for i := range h.FR {
		f := &h.FR[i].Value
		n := uint64(pointee(f.Count, 1))
		regions.add(say, name, h.FR[i].Pos, n)
		spend(h.FR[i].Pos, n, uint64(pointee(f.Pages, 16)))
		keyed(h.FR[i].Pos, f.Key)
	}
	windows := counted{limit: limit.MW, what: "windows", path: "hca.limit.mw"}
	for i := range h.MW {
		windows.add(say, name, h.MW[i].Pos, uint64(pointee(h.MW[i].Value.Count, 1)))
	}
	shared := counted{limit: limit.SRQ, what: "shared receive queues", path: "hca.limit.srq"}
	for i := range h.SRQ {
		shared.add(say, name, h.SRQ[i].Pos, 1)
	}
	domains := counted{limit: limit.PD, what: "protection domains", path: "hca.limit.pd"}
	for i := range h.PD {
		domains.add(say, name, h.PD[i].Pos, 1)
	}
	queues := counted{limit: limit.QP, what: "queue pairs", path: "hca.limit.qp"}
	for i := range h.QP {
		q := &h.QP[i].Value
		queues.add(say, name, h.QP[i].Pos, uint64(pointee(q.Count, 1)))
		if mtu := pointee(q.MTU, 1024); mtu > w.Wire.MTU {
			say(h.QP[i].Pos, "wire.mtu is the port's", "%s.%s has a path MTU of %d bytes, the port %d", name, h.QP[i].Name, mtu, w.Wire.MTU)
		}
	}
	return problems
}

// counted counts things of one table, and speaks once.
type counted struct {
	limit      uint32
	what, path string
	n          uint64
}

func (c *counted) add(say func(p lang.Pos, suggestion, format string, args ...any), host string, p lang.Pos, n uint64) {
	was := c.n
	c.n += n
	if was <= uint64(c.limit) && c.n > uint64(c.limit) {
		say(p, c.path+" is its size", "%s has %d %s up to here, the table holds %d", host, c.n, c.what, c.limit)
	}
}

// sum returns a + n*each, or the greatest number if that is too large.
func sum(a, n, each uint64) uint64 {
	hi, lo := bits.Mul64(n, each)
	total, carry := bits.Add64(a, lo, 0)
	if hi != 0 || carry != 0 {
		return ^uint64(0)
	}
	return total
}

// pagesOf returns the translation entries of a declared region if memory does
// not allow larger pages than were asked for: at least so many.
func pagesOf(h *lang.Host, m *lang.RegMR) uint64 {
	length, page := uint64(4096), uint64(4096)
	if m.Buf.Given() {
		if b, ok := h.Mem.Get(m.Buf.Name); ok {
			length = uint64(b.Length)
			if b.Page != nil {
				page = uint64(*b.Page)
			}
		}
	}
	if m.Length != nil {
		length = uint64(*m.Length)
	}
	if m.Page != nil {
		page = uint64(*m.Page)
	}
	return (length + page - 1) / page
}
