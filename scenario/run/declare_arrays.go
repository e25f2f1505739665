package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
)

// A block is the memory of an array of regions that have buffers of their own:
// one behind the other.
type block struct{ va, stride uint64 }

// blockOf places the memory of n regions; nil if a region has a place of its
// own, or a buffer.
func (x *side) blockOf(m *lang.RegMR) *block {
	if m.Buf.Given() || m.Addr != nil || m.At != nil {
		return nil
	}
	mem := ownMemory(m)
	page := pageShift(mem.Page)
	size := uint64(1) << page
	stride := (uint64(mem.Length) + size - 1) &^ (size - 1)
	return &block{va: x.proc(&mem).Place(uint64(*m.Count)*stride, page), stride: stride}
}

// declareMRs registers an array of regions. Those without a name leave nothing
// behind but what the tables hold of them.
func (r *runner) declareMRs(x *side, name string, m *lang.RegMR) (err error) {
	a, in := x.newArray(name, *m.Count), x.blockOf(m)
	unnamed := &host.MR{}
	for k := range a.n {
		if r.spoken.element(x.name, name, k) {
			if err = r.declareMR(x, name, m, k, in); err != nil {
				return err
			}
			a.own[k] = x.names[element(name, k)]
			a.madeRegion(k, a.own[k].mr)
			continue
		}
		reg, err := r.registration(x, name, m, k, in)
		if err != nil {
			return err
		}
		if m.Access&ib.OnDemand != 0 { // the host keeps those
			unnamed = &host.MR{}
		}
		if x.host.RegMR(0, unnamed, reg, outcome(m.Pos, "region "+name, &err)); err != nil {
			return err
		}
		a.madeRegion(k, unnamed)
	}
	return nil
}

// declareFRs allocates fast-register regions: one, or an array.
func (r *runner) declareFRs(x *side, name string, f *lang.AllocMR) (err error) {
	a := x.perhapsArray(name, f.Count)
	each(f.Count, func(k int) {
		if err != nil {
			return
		}
		mr := &host.MR{}
		x.host.AllocMR(0, mr, r.fastRegion(f), outcome(f.Pos, "region "+name, &err))
		if a != nil && err == nil {
			a.madeRegion(k, mr)
		}
		r.enterSpoken(a, x, name, k, func() *named { return &named{mr: mr, dead: true} })
	})
	return err
}

// declareMWs allocates windows: one, or an array.
func (r *runner) declareMWs(x *side, name string, w *lang.AllocMW) (err error) {
	a := x.perhapsArray(name, w.Count)
	each(w.Count, func(k int) {
		if err != nil {
			return
		}
		mw := &host.MW{}
		x.host.AllocMW(0, mw, r.object(w.PD).pd, ib.MWType(w.Type), outcome(w.Pos, "window "+name, &err))
		if a != nil && err == nil {
			a.madeWindow(k, mw)
		}
		r.enterSpoken(a, x, name, k, func() *named { return &named{mw: mw, dead: true} })
	})
	return err
}

// perhapsArray books an array if a declaration is of one.
func (x *side) perhapsArray(name string, count *uint32) *array {
	if count == nil {
		return nil
	}
	return x.newArray(name, *count)
}

// enterSpoken enters an object that the file can speak of.
func (r *runner) enterSpoken(a *array, x *side, name string, k int, object func() *named) {
	if a != nil && !r.spoken.element(x.name, name, k) {
		return
	}
	n := x.add(name, k, object())
	if n.mr != nil {
		r.learn(n, ib.Key(n.mr.LKey))
	} else {
		r.learn(n, ib.Key(n.mw.RKey))
	}
	r.own(x, name, k)
	if a != nil {
		a.own[k] = n
	}
}
