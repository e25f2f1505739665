package run

import (
	"fmt"

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
		x.host.AllocMR(now, mr, r.object(a.PD).pd, pagesOf(a), then)
	case *lang.RegShared:
		mr := &host.MR{}
		o.Object = a.As.Text
		made = func() { r.entered(x, a.As.Text, &named{mr: mr}, ib.Key(mr.LKey)) }
		x.host.RegShared(now, mr, r.object(a.Of).mr, r.object(a.PD).pd, a.Access, then)
	case *lang.AdviseMR:
		o.Object = a.MR.Name
		m := r.object(a.MR).mr
		x.host.Advise(now, m, m.VA+uint64(a.Offset), or((*uint64)(a.Length), m.Length-min(m.Length, uint64(max(a.Offset, 0)))), a.Advice == "prefetch_write", then)
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

// entered books an object that a verb has made.
func (r *runner) entered(x *side, name string, n *named, key ib.Key) {
	x.add(name, lang.Whole, n).learn(key)
	r.own(x, name, lang.Whole)
}

// queueVerb carries out the verbs on queues.
func (r *runner) queueVerb(now sim.Time, st *step, o *op, then host.Then, made *func()) {
	x := st.side
	switch a := st.Do.(type) {
	case *lang.CreateCQ:
		cq := &host.CQ{Manual: r.byHand(x, a.As.Text)}
		o.Object = a.As.Text
		*made = func() { x.add(a.As.Text, lang.Whole, &named{cq: cq}) }
		x.host.CreateCQ(now, cq, or(a.Depth, 0), x.cqeBytes(), then)
	case *lang.CreateSRQ:
		srq := &host.SRQ{}
		o.Object = a.As.Text
		*made = func() { x.add(a.As.Text, lang.Whole, &named{srq: srq}) }
		x.host.CreateSRQ(now, srq, r.object(a.PD).pd, or(a.MaxWR, 0), or(a.MaxSGE, 0), or(a.Limit, 0), then)
	case *lang.ModifySRQ:
		o.Object = a.SRQ.Name
		x.host.ModifySRQ(now, r.object(a.SRQ).srq, or(a.Limit, 0), then)
	case *lang.CreateQP:
		r.createQP(now, st, o, a, then, made)
	case *lang.ModifyQP:
		r.modifyQP(now, st, o, a, then)
	case *lang.DestroyQP:
		o.Object = a.QP.Name
		x.host.DestroyQP(now, r.object(a.QP).qp, then)
	case *lang.Destroy:
		o.Object = a.Of.Name
		if n := r.object(a.Of); n.srq != nil {
			x.host.DestroySRQ(now, n.srq, then)
		} else {
			x.host.DestroyCQ(now, n.cq, then)
		}
	case *lang.Query:
		o.Object = a.Of.Name
		x.host.Query(now, then)
	default: // Unmodelled names it before anything runs
		panic(fmt.Sprintf("run: %v: no such verb: %s", now, st.Verb))
	}
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
			switch {
			case w.Bind != nil:
				needs = append(needs, bindNeeds(w.Bind)...)
			case w.Reg != nil:
				needs = append(needs, w.Reg.MR, w.Reg.Buf)
			}
		}
	case *lang.PostRecv:
		needs = []lang.Ref{a.QP, a.SRQ}
	}
	for _, ref := range needs {
		if ref.Given() && ref.Name != lang.None && r.object(ref) == nil {
			return ref, true
		}
	}
	return lang.Ref{}, false
}

func bindNeeds(b *lang.Bind, more ...lang.Ref) []lang.Ref { return append(more, b.MW, b.MR) }

// pollCQ takes what a completion queue that is polled by hand has, at most n:
// the CPU looks once, and once more for each after the first.
func (r *runner) pollCQ(now sim.Time, st *step, p *lang.PollCQ) {
	cq := r.polledBy(p)
	if cq == nil {
		r.missing(now, st, p.CQ)
		return
	}
	h, o := r.newOp(now, st, 0, "ibv_poll_cq")
	o.Object = p.CQ.Name + p.QP.Name
	n := min(int(max(p.N, 1)), int(cq.Ring.Producer-cq.Ring.Consumer))
	done := now.Add(st.side.host.Params.CPU.Poll * sim.Duration(max(1, n)))
	st.verbs++
	st.side.free = done
	r.later.at(done, func(now sim.Time) {
		st.polled[0] = len(r.rec.completions)
		st.side.host.Poll(now, cq, n)
		st.polled[1] = len(r.rec.completions)
		o := r.ops.At(h)
		r.returned(now, o, host.Outcome{CPU: now.Sub(o.Start)})
	})
}

// polledBy returns the queue that a poll_cq looks at.
func (r *runner) polledBy(p *lang.PollCQ) *host.CQ {
	if n := r.object(p.CQ); n != nil {
		return n.cq
	}
	if n := r.object(p.QP); n != nil && n.qp != nil {
		return n.qp.SendCQ
	}
	return nil
}

// handPolled returns the queues that a scenario polls by hand, by the names
// of completion queues and of queue pairs.
func handPolled(s *lang.Scenario) map[lang.Ref]bool {
	set := map[lang.Ref]bool{}
	steps(s.Ops, func(s *lang.Step) {
		if p, ok := s.Do.(*lang.PollCQ); ok {
			for _, ref := range [...]lang.Ref{p.CQ, p.QP} {
				set[lang.Ref{Host: ref.Host, Name: ref.Name}] = true
			}
		}
	})
	return set
}

// byHand reports whether a queue is polled by hand.
func (r *runner) byHand(x *side, name string) bool {
	return r.hand[lang.Ref{Host: x.name, Name: name}]
}

// regMR registers a region.
func (r *runner) regMR(now sim.Time, st *step, o *op, a *lang.RegMR, then host.Then) {
	x := st.side
	o.Object = a.As.Text
	reg, err := r.registration(x, a.As.Text, a, lang.Whole)
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

// createQP makes a queue pair, in RESET unless the step says otherwise.
func (r *runner) createQP(now sim.Time, st *step, o *op, a *lang.CreateQP, then host.Then, made *func()) {
	x := st.side
	attr, sizes := queueAttr(&a.QPAttr)
	attr.Type, attr.State = or(a.Type, ib.RC), or(a.State, ib.Reset)
	o.Object = a.As.Text
	if peer := r.object(a.Peer); peer != nil {
		attr.Dest = peer.qp.N
	}
	send, recv := r.queuesOf(x, &a.QP)
	sizes.SRQ = r.sharedOf(&a.QP)
	create := func(now sim.Time) {
		qp := &host.QP{}
		*made = func() { x.add(a.As.Text, lang.Whole, &named{qp: qp}) }
		x.host.CreateQP(now, qp, r.object(a.PD).pd, send, recv, attr, sizes, then)
	}
	if send != nil {
		create(now)
		return
	}
	cq := &host.CQ{Manual: r.byHand(x, a.As.Text)}
	x.host.CreateCQ(now, cq, 0, x.cqeBytes(), func(now sim.Time, first host.Outcome) {
		if first.Errno != ib.OK {
			then(now, first)
			return
		}
		send, recv = cq, cq
		last := then
		then = func(now sim.Time, out host.Outcome) {
			out.CPU, out.Device = out.CPU+first.CPU, out.Device+first.Device
			last(now, out)
		}
		create(now)
	})
}

// modifyQP goes through the states one after another, and sets attributes
// with the first.
func (r *runner) modifyQP(now sim.Time, st *step, o *op, a *lang.ModifyQP, then host.Then) {
	n := r.object(a.QP)
	o.Object = a.QP.Name
	attr, mask := r.modification(n, a)
	states := a.State
	var cpu, device sim.Duration // of all calls
	var next func(now sim.Time, out host.Outcome)
	next = func(now sim.Time, out host.Outcome) {
		cpu, device = cpu+out.CPU, device+out.Device
		if out.Errno != ib.OK || len(states) == 0 {
			out.CPU, out.Device = cpu, device
			then(now, out)
			return
		}
		attr.State = states[0]
		states = states[1:]
		m := mask | ib.MaskState
		mask = 0
		st.side.host.ModifyQP(now, n.qp, m, attr, next)
	}
	if len(states) > 0 {
		next(now, host.Outcome{})
		return
	}
	st.side.host.ModifyQP(now, n.qp, mask, attr, then)
}

// modification returns the attributes that a step sets.
func (r *runner) modification(n *named, a *lang.ModifyQP) (ib.QPAttr, ib.QPAttrMask) {
	attr, _ := queueAttr(&a.QPAttr)
	old := n.qp.Attr
	var mask ib.QPAttrMask
	if a.Access != nil {
		mask |= ib.MaskAccess
	}
	attr.Dest = old.Dest
	if a.MTU == nil {
		attr.PathMTU = old.PathMTU
	}
	if peer := r.object(a.Peer); peer != nil {
		attr.Dest = peer.qp.N
	}
	if a.MTU != nil || a.Peer.Given() {
		mask |= ib.MaskPath
	}
	if a.PSN != nil || a.RQPSN != nil {
		mask |= ib.MaskPSN
	}
	if a.Timeout != nil || a.RetryCnt != nil || a.RNRRetry != nil || a.MinRNRTimer != nil {
		mask |= ib.MaskRetry
		keep(&attr.Timeout, a.Timeout, old.Timeout)
		keep(&attr.RetryCnt, a.RetryCnt, old.RetryCnt)
		keep(&attr.RNRRetry, a.RNRRetry, old.RNRRetry)
		keep(&attr.MinRNRTimer, a.MinRNRTimer, old.MinRNRTimer)
	}
	if a.MaxRdAtomic != nil || a.MaxDestRdAtomic != nil {
		mask |= ib.MaskReads
		keep(&attr.MaxRdAtomic, a.MaxRdAtomic, old.MaxRdAtomic)
		keep(&attr.MaxDestRdAtomic, a.MaxDestRdAtomic, old.MaxDestRdAtomic)
	}
	return attr, mask
}

// keep leaves an attribute as it was if it is not given.
func keep(at, given *uint8, old uint8) {
	if given == nil {
		*at = old
	}
}

// hostAct is something that the CPU or the operating system does to memory.
func (r *runner) hostAct(now sim.Time, st *step, a *lang.HostAct) {
	h, o := r.newOp(now, st, 0, st.Verb)
	b := r.place(st.side, a)
	if a.Length == nil && a.Data != nil {
		b.length = min(b.length, ownLength(a.Data, b.length))
	}
	o.Bytes = b.length
	o.Object = a.Buf.Name
	if a.MR.Given() {
		o.Object = a.MR.Name
	}
	done := func(now sim.Time) {
		o := r.ops.At(h)
		o.Verb, o.Done, o.End = true, true, now
		o.Errno = r.touch(st, a, b)
		st.open--
		r.check(now, st)
	}
	switch st.Verb {
	case "page_out", "munmap", "mprotect": // pages of on-demand regions are taken from the adapter first
		st.side.host.Withdraw(now, b.proc, b.va, b.length, done)
	default:
		done(now)
	}
}

// touch does to memory what a host act says.
func (r *runner) touch(st *step, a *lang.HostAct, b buffer) (errno ib.Errno) {
	switch st.Verb {
	case "store":
		data := lang.Data{}
		if a.Data != nil {
			data = *a.Data
		}
		errno = b.proc.Store(b.va, r.bytes(&data, b.length))
	case "load":
		errno = b.proc.Load(b.va, make([]byte, b.length))
	case "mprotect":
		errno = b.proc.Protect(b.va, b.length, protOf(a.Prot))
	case "munmap":
		errno = b.proc.Unmap(b.va, b.length)
	case "page_out":
		_, errno = b.proc.PageOut(b.va, b.length)
	case "page_in":
		_, errno = b.proc.PageIn(b.va, b.length)
	case "iommu_unmap":
		r.unmapIOMMU(st.side, b)
	}
	return errno
}

// ownLength returns how many bytes data has by itself; left if it fills
// whatever there is.
func ownLength(d *lang.Data, left uint64) uint64 {
	switch d.Kind {
	case lang.DataU64:
		return 8
	case lang.DataBytes:
		return uint64(len(d.Bytes))
	}
	return left
}

// place returns the memory that a host act is about.
func (r *runner) place(x *side, a *lang.HostAct) buffer {
	b := buffer{proc: x.first}
	if a.Proc.Given() {
		b.proc = x.procs[a.Proc.Name]
	}
	of := r.object(a.Buf)
	if of == nil {
		of = r.object(a.MR)
	}
	if m, ok := of.memory(); ok {
		b = m
		b.va += uint64(a.Offset)
		b.length -= min(b.length, uint64(max(a.Offset, 0)))
	}
	if a.Addr != nil {
		b.va = uint64(*a.Addr)
	}
	if a.Length != nil {
		b.length = uint64(*a.Length)
	}
	return b
}

// unmapIOMMU takes the frames of memory out of the adapter's reach.
func (r *runner) unmapIOMMU(x *side, b buffer) {
	if x.host.Root.IOMMU == nil {
		return
	}
	for at := b.va &^ 4095; at < b.va+b.length; at += 4096 {
		if pa, ok := b.proc.Translate(at); ok {
			x.host.Root.IOMMU.Revoke(host.Run{PA: pa &^ 4095, N: 4096})
		}
	}
}
