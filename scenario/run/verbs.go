package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// verb carries out one verb that enters the kernel, or the Bind verb.
func (r *runner) verb(now sim.Time, st *step) {
	x := st.side
	if ref, gone := r.absent(st.Do); gone {
		r.missing(now, st, ref)
		return
	}
	if b, ok := st.Do.(*lang.BindMW); ok {
		r.bindVerb(now, st, b)
		return
	}
	h, o := r.newOp(now, st, 0, "ibv_"+st.Verb)
	st.verbs++
	made := func() {}
	then := func(now sim.Time, out host.Outcome) {
		if out.Errno == ib.OK {
			made()
		}
		r.returned(now, r.ops.At(h), out)
	}
	switch a := st.Do.(type) {
	case *lang.AllocPD:
		pd := &host.PD{}
		o.Object = a.As.Text
		made = func() { x.add(a.As.Text, lang.Whole, &named{pd: pd}) }
		x.host.AllocPD(now, pd, then)
	case *lang.DeallocPD:
		o.Object = a.PD.Name
		x.host.DeallocPD(now, r.object(a.PD).pd, then)
	case *lang.RegMR:
		r.regMR(now, st, o, a, then)
	case *lang.DeregMR:
		o.Object = a.MR.Name
		x.host.DeregMR(now, r.object(a.MR).mr, then)
	case *lang.ReregMR:
		r.reregMR(now, st, o, a, then)
	case *lang.AllocMR:
		mr := &host.MR{}
		o.Object = a.As.Text
		made = func() { r.entered(x, a.As.Text, &named{mr: mr, dead: true}, ib.Key(mr.LKey)) }
		x.host.AllocMR(now, mr, r.fastRegion(a), then)
	case *lang.RegShared:
		mr := &host.MR{}
		o.Object = a.As.Text
		made = func() { r.entered(x, a.As.Text, &named{mr: mr}, ib.Key(mr.LKey)) }
		x.host.RegShared(now, mr, r.object(a.Of).mr, r.object(a.PD).pd, a.Access, then)
	case *lang.AdviseMR:
		o.Object = a.MR.Name
		r.advise(now, x, a, then)
	case *lang.AllocMW:
		mw := &host.MW{}
		o.Object = a.As.Text
		made = func() { r.entered(x, a.As.Text, &named{mw: mw, dead: true}, ib.Key(mw.RKey)) }
		x.host.AllocMW(now, mw, r.object(a.PD).pd, ib.MWType(a.Type), then)
	case *lang.DeallocMW:
		o.Object = a.MW.Name
		x.host.DeallocMW(now, r.object(a.MW).mw, then)
	default:
		r.queueVerb(now, st, o, then, &made)
	}
}

// advise has pages of an on-demand region fetched ahead.
func (r *runner) advise(now sim.Time, x *side, a *lang.AdviseMR, then host.Then) {
	m := r.object(a.MR).mr
	va := m.VA + uint64(a.Offset)
	n := or((*uint64)(a.Length), m.Length-min(m.Length, uint64(max(a.Offset, 0))))
	if a.Advice == "prefetch_no_fault" {
		x.host.AdvisePresent(now, m, va, n, then)
		return
	}
	x.host.Advise(now, m, va, n, a.Advice == "prefetch_write", then)
}

// entered books an object that a verb has made.
func (r *runner) entered(x *side, name string, n *named, key ib.Key) {
	r.learn(x.add(name, lang.Whole, n), key)
	r.own(x, name, lang.Whole)
}

// absent returns the first object that a verb needs and that was never made,
// because the verb that should have made it was refused.
func (r *runner) absent(act lang.Act) (lang.Ref, bool) {
	var needs []lang.Ref
	switch a := act.(type) {
	case *lang.DeallocPD:
		needs = []lang.Ref{a.PD}
	case *lang.RegMR:
		needs = []lang.Ref{a.PD, a.Buf}
	case *lang.AdviseMR:
		needs = []lang.Ref{a.MR}
	case *lang.DeregMR:
		needs = []lang.Ref{a.MR}
	case *lang.ReregMR:
		needs = []lang.Ref{a.MR, a.PD, a.Buf}
	case *lang.AllocMR:
		needs = []lang.Ref{a.PD}
	case *lang.RegShared:
		needs = []lang.Ref{a.Of, a.PD}
	case *lang.AllocMW:
		needs = []lang.Ref{a.PD}
	case *lang.DeallocMW:
		needs = []lang.Ref{a.MW}
	case *lang.BindMW:
		needs = bindNeeds(&a.Bind, a.QP)
	case *lang.CreateQP:
		needs = []lang.Ref{a.PD, a.SendCQ, a.RecvCQ, a.SRQ, a.Peer}
	case *lang.CreateSRQ:
		needs = []lang.Ref{a.PD}
	case *lang.ModifySRQ:
		needs = []lang.Ref{a.SRQ}
	case *lang.ModifyQP:
		needs = []lang.Ref{a.QP, a.Peer}
	case *lang.DestroyQP:
		needs = []lang.Ref{a.QP}
	case *lang.Destroy:
		needs = []lang.Ref{a.Of}
	case *lang.Query:
		needs = []lang.Ref{a.Of}
	case *lang.PostSend:
		needs = []lang.Ref{a.QP}
		for i := range a.WRs {
			w := &a.WRs[i]
			needs = append(needs, w.AH)
			switch {
			case w.Bind != nil:
				needs = append(needs, bindNeeds(w.Bind)...)
			case w.Reg != nil:
				needs = append(needs, w.Reg.MR, w.Reg.Buf)
			}
		}
	case *lang.PostRecv:
		needs = []lang.Ref{a.QP, a.SRQ}
	case *lang.Packet:
		needs = []lang.Ref{a.QP}
	case *lang.CreateAH:
		needs = []lang.Ref{a.PD, a.Peer}
	}
	for _, ref := range needs {
		if ref.Given() && ref.Name != lang.None && r.object(ref) == nil {
			return ref, true
		}
	}
	return lang.Ref{}, false
}

func bindNeeds(b *lang.Bind, more ...lang.Ref) []lang.Ref { return append(more, b.MW, b.MR) }

// regMR registers a region.
func (r *runner) regMR(now sim.Time, st *step, o *op, a *lang.RegMR, then host.Then) {
	x := st.side
	o.Object = a.As.Text
	reg, err := r.registration(x, a.As.Text, a, lang.Whole, nil)
	if err != nil {
		r.failed = err
		then(now, host.Outcome{Errno: ib.EINVAL})
		return
	}
	o.Bytes = reg.Length
	mr := &host.MR{}
	x.host.RegMR(now, mr, reg, func(now sim.Time, out host.Outcome) {
		if out.Errno == ib.OK && a.As.Text != "" {
			r.enter(x, a.As.Text, lang.Whole, mr)
		}
		then(now, out)
	})
}

// reregMR changes a region. What is given decides what changes, unless flags
// say otherwise.
func (r *runner) reregMR(now sim.Time, st *step, o *op, a *lang.ReregMR, then host.Then) {
	n := r.object(a.MR)
	o.Object = a.MR.Name
	re := host.Rereg{Fail: r.rec.failsCommand("rereg_mr"), Page: n.mr.Shift}
	if a.PD.Given() {
		re.Flags |= ib.ReregPD
		re.PD = r.object(a.PD).pd
	}
	if a.Access != nil {
		re.Flags |= ib.ReregAccess
		re.Access = *a.Access
	}
	if b := r.object(a.Buf); b != nil {
		re.Flags |= ib.ReregTranslation
		re.VA, re.Length, re.Page = b.mem.va+uint64(a.Offset), b.mem.length-uint64(a.Offset), b.mem.page
	}
	if a.Addr != nil {
		re.Flags |= ib.ReregTranslation
		re.VA, re.Length = uint64(*a.Addr), n.mr.Length
	}
	if a.Length != nil {
		re.Flags |= ib.ReregTranslation
		re.Length = uint64(*a.Length)
		if re.VA == 0 {
			re.VA = n.mr.VA + uint64(a.Offset)
		}
	}
	if a.Flags != nil {
		re.Flags = *a.Flags
	}
	o.Bytes = re.Length
	st.side.host.ReregMR(now, n.mr, re, then)
}

// bindVerb is ibv_bind_mw: a request that the library posts, and whose
// completion the caller polls.
func (r *runner) bindVerb(now sim.Time, st *step, b *lang.BindMW) {
	h, o := r.newOp(now, st, 0, "ibv_bind_mw")
	o.QP, o.Object = b.QP.Name, b.MW.Name
	w := r.bind(&b.Bind)
	w.Flags, w.Op = b.Flags|signaled(b.Signaled), h
	w.WQE.Bind.Type = ib.MWType1
	o.Bytes = w.WQE.Bind.Length
	qp := r.object(b.QP).qp
	done, errno, posted := st.side.host.PostSend(now, qp, []host.SendWR{w})
	if errno != ib.OK {
		_, rule := st.side.host.CheckPost(qp, &w)
		r.refused(done, st, []uint32{h}, errno, rule, posted)
	}
	r.occupy(st, done)
}
