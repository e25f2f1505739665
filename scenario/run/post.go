package run

import (
	"encoding/binary"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// postSend posts the requests of a step, with one doorbell or with one each.
func (r *runner) postSend(now sim.Time, st *step, p *lang.PostSend) {
	if ref, gone := r.absent(p); gone {
		r.missing(now, st, ref)
		return
	}
	qp := r.object(p.QP)
	r.hold(st, qp)
	wrs := make([]host.SendWR, len(p.WRs))
	handles := make([]uint32, len(p.WRs))
	for i := range p.WRs {
		w := &p.WRs[i]
		wrs[i] = r.sendWR(st, w)
		h, o := r.newOp(now, st, several(len(p.WRs), i), w.Opcode.Value.String())
		if w.ID != "" {
			r.steps[w.ID], r.requests[w.ID] = st, o.ID
		}
		o.QP, o.Object = element(p.QP.Name, p.QP.Index), objectOf(w)
		for _, s := range wrs[i].SGE {
			o.Bytes += uint64(s.Length)
		}
		if wrs[i].Opcode == ib.WRBindMW || wrs[i].Opcode == ib.WRRegMR {
			o.Bytes = wrs[i].WQE.Bind.Length
		}
		wrs[i].Op, handles[i] = h, h
	}
	for _, n := range r.coming {
		n.coming = 0
	}
	r.coming = r.coming[:0]
	group := len(wrs)
	if p.EachDoorbell {
		group = 1
	}
	at := now
	for first := 0; first < len(wrs); first += group {
		list := wrs[first:min(first+group, len(wrs))]
		done, errno, posted := st.side.host.PostSend(at, qp.qp, list)
		at = done
		if errno != ib.OK {
			_, rule := st.side.host.CheckPost(qp.qp, &list[posted])
			r.refused(at, st, handles[first+posted:], errno, rule, first+posted)
			break
		}
	}
	r.occupy(st, at)
}

// occupy keeps the CPU of a step's host busy until the call has returned. The
// step does not settle before.
func (r *runner) occupy(st *step, until sim.Time) {
	st.side.free = until
	st.verbs++
	r.later.at(until, func(now sim.Time) {
		for _, h := range st.ops {
			r.rec.stage(r, now, h, "post")
		}
		st.verbs--
		r.check(now, st)
	})
}

// several returns the number of a request within its list, 0 if it is alone.
func several(n, i int) int {
	if n == 1 {
		return 0
	}
	return i + 1
}

// objectOf names what a request aims at.
func objectOf(w *lang.WR) string {
	switch {
	case w.Bind != nil:
		return w.Bind.MW.Name
	case w.Reg != nil:
		return w.Reg.MR.Name
	case w.Invalidate != nil:
		return w.Invalidate.Of.Name
	default:
		return w.Remote.Object().Name
	}
}

// refused ends the requests that a post did not take: the first with the errno
// and the rule behind it, if that is told, the others with nothing at all.
func (r *runner) refused(now sim.Time, st *step, handles []uint32, errno ib.Errno, rule string, first int) {
	st.badWR = first + 1
	for i, h := range handles {
		o := r.ops.At(h)
		o.Done, o.Verb, o.End = true, true, now
		if i == 0 {
			o.Errno = errno
		} else {
			o.Request += " (not posted)"
		}
		st.open--
	}
	if rule != "" {
		o := r.ops.At(handles[0])
		f := Fault{At: now, Host: o.Host, Op: o.ID, Rule: rule}
		o.Faults = append(o.Faults, f)
		r.rec.fault(f)
	}
	for _, h := range handles {
		r.ended.Emit(&r.ops.At(h).Op)
	}
}

// missing ends a step that names an object that was never made.
func (r *runner) missing(now sim.Time, st *step, ref lang.Ref) {
	_, o := r.newOp(now, st, 0, st.Verb)
	o.Done, o.Verb, o.Errno, o.Object = true, true, ib.ENOENT, ref.String()
	r.ended.Emit(&o.Op)
	st.open--
}

// postRecv posts the receives of a step.
func (r *runner) postRecv(now sim.Time, st *step, p *lang.PostRecv) {
	if ref, gone := r.absent(p); gone {
		r.missing(now, st, ref)
		return
	}
	wrs := make([]host.RecvWR, len(p.WRs))
	handles := make([]uint32, len(p.WRs))
	for i := range p.WRs {
		w := &p.WRs[i]
		h, o := r.newOp(now, st, several(len(p.WRs), i), "ibv_post_recv")
		o.Recv, o.QP = true, element(p.QP.Name, p.QP.Index)
		if p.SRQ.Given() {
			o.Request, o.QP = "ibv_post_srq_recv", p.SRQ.Name
		}
		if w.ID != "" {
			r.steps[w.ID], r.requests[w.ID] = st, o.ID
		}
		wrs[i].SGE, _ = r.pieces(st.side, w.SGE, false)
		for _, s := range wrs[i].SGE {
			o.Bytes += uint64(s.Length)
		}
		wrs[i].Op, handles[i] = h, h
	}
	at, errno, posted, rule := r.handOver(now, st.side.host, p, wrs)
	if errno != ib.OK {
		r.refused(at, st, handles[posted:], errno, rule, posted)
	}
	r.occupy(st, at)
}

// handOver posts receives to a queue pair or to a shared receive queue.
func (r *runner) handOver(now sim.Time, h *host.Host, p *lang.PostRecv, wrs []host.RecvWR) (at sim.Time, errno ib.Errno, posted int, rule string) {
	if srq := r.object(p.SRQ); srq != nil {
		at, errno, posted = h.PostSRQRecv(now, srq.srq, wrs)
		return at, errno, posted, "QP-9"
	}
	qp := r.object(p.QP).qp
	if at, errno, posted = h.PostRecv(now, qp, wrs); errno != ib.OK {
		_, rule = h.CheckPostRecv(qp, &wrs[posted])
	}
	return at, errno, posted, rule
}

// bytes makes n bytes of data.
func (r *runner) bytes(d *lang.Data, n uint64) []byte {
	out := make([]byte, n)
	switch d.Kind {
	case lang.DataFill:
		for i := range out {
			out[i] = d.Byte
		}
	case lang.DataBytes:
		for i := range out {
			if len(d.Bytes) > 0 {
				out[i] = d.Bytes[i%len(d.Bytes)]
			}
		}
	case lang.DataCounting:
		for i := range out {
			out[i] = byte(i)
		}
	case lang.DataRandom:
		rand := sim.NewRand(r.plan.Scenario.Run.Seed, 1)
		for i := range out {
			out[i] = byte(rand.Uint64())
		}
	case lang.DataU64:
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], d.U64)
		copy(out, word[:])
	case lang.DataOf:
		if b, ok := r.object(d.Of).memory(); ok {
			b.proc.Peek(b.va+uint64(d.Offset), out)
		}
	}
	return out
}
