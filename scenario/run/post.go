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

// sendWR makes the request that a scenario describes.
func (r *runner) sendWR(st *step, w *lang.WR) host.SendWR {
	if w.Bind != nil {
		return r.bindWR(w)
	}
	var s host.SendWR
	s.Opcode, s.Flags = w.Opcode.Value, w.Flags|signaled(w.Signaled)
	s.Imm = or(w.Imm, 0)
	r.address(&s, w)
	s.Swap, s.Compare = or(w.Swap, or(w.Add, 1)), or(w.Compare, 0)
	s.SGE, s.Memory = r.pieces(st.side, w.SGE, w.Flags&ib.Inline != 0)
	switch {
	case w.Reg != nil:
		r.regWR(&s, w.Reg)
	case w.Invalidate != nil:
		s.RKey = ib.RKey(r.value(w.Invalidate, nil, w.Opcode.Value == ib.WRLocalInv))
	default:
		s.RemoteAddr, s.RKey = r.remote(&w.Remote)
	}
	return s
}

func signaled(p *bool) ib.SendFlags {
	if or(p, true) {
		return ib.Signaled
	}
	return 0
}

// remote returns the address and key of a place at the peer.
func (r *runner) remote(x *lang.Remote) (uint64, ib.RKey) {
	n := r.object(x.Object())
	var addr uint64
	var key ib.RKey
	if n != nil {
		addr = r.base(n) + uint64(x.Offset)
		key = ib.RKey(n.key())
		if n.mr != nil {
			key = n.mr.RKey
		}
	}
	if x.Addr != nil {
		addr = uint64(*x.Addr)
	}
	if x.Key != nil {
		key = ib.RKey(r.value(x.Key, n, false))
	}
	return addr, key
}

// pieces makes a scatter/gather list, and says whose memory inline data are:
// those are named by the addresses of the process, not by those of the region.
func (r *runner) pieces(x *side, list []lang.SGE, inline bool) ([]ib.SGE, *host.Process) {
	out := make([]ib.SGE, 0, len(list))
	proc := x.first
	for i := range list {
		g := &list[i]
		n := r.object(g.MR)
		var s ib.SGE
		length := uint64(0)
		if n != nil && n.mr != nil {
			s.Addr, s.LKey, length = n.mr.IOVA, n.mr.LKey, n.mr.Length
			if n.coming != 0 {
				s.LKey = ib.LKey(n.coming)
			}
			if inline {
				s.Addr = n.mr.VA
			}
			if n.mr.Process != nil {
				proc = n.mr.Process
			}
		} else if n != nil {
			s.Addr, s.LKey = r.base(n), ib.LKey(n.key())
		}
		if b := r.object(g.Buf); b != nil {
			s.Addr, length = b.mem.va, b.mem.length
			proc = b.mem.proc
		}
		s.Addr += uint64(g.Offset)
		length -= min(length, uint64(max(g.Offset, 0)))
		if g.Addr != nil {
			s.Addr = uint64(*g.Addr)
		}
		if g.Length != nil {
			length = uint64(*g.Length)
		}
		s.Length = uint32(min(length, 1<<32-1))
		if g.Key != nil {
			s.LKey = ib.LKey(r.value(g.Key, n, true))
		}
		out = append(out, s)
	}
	return out, proc
}

// bindWR makes a BIND_MW request, for the verb and for the work request.
func (r *runner) bindWR(w *lang.WR) host.SendWR {
	s := r.bind(w.Bind)
	s.WQE.Bind.Type = ib.MWType2 // whatever the window is (POST-4)
	r.comes(r.object(w.Bind.MW), ib.Key(s.WQE.Bind.NewKey))
	s.Flags = w.Flags | signaled(w.Signaled)
	if len(w.SGE) > 0 {
		s.SGE = make([]ib.SGE, len(w.SGE))
	}
	return s
}

func (r *runner) bind(b *lang.Bind) host.SendWR {
	mw := r.object(b.MW)
	mr := r.object(b.MR)
	var region *host.MR
	var addr, length uint64
	if mr != nil {
		region = mr.mr
		addr = region.IOVA + uint64(b.Offset)
		length = region.Length - min(region.Length, uint64(max(b.Offset, 0)))
	} else {
		addr = uint64(b.Offset)
	}
	if b.Addr != nil {
		addr = uint64(*b.Addr)
	}
	if b.Length != nil {
		length = uint64(*b.Length)
	}
	key := mw.key()
	if b.Key != nil {
		key = r.value(b.Key, mw, true)
	} else {
		next := b.KeyByte
		if !next.Given {
			next = lang.Delta{Given: true, Relative: true, Value: 1}
		}
		key = ib.MakeKey(key.Index(), uint8(next.Apply(int64(key.Byte()))))
	}
	s := host.Bind(mw.mw, region, addr, length, b.Access, ib.RKey(key))
	if mr != nil && mr.coming != 0 {
		s.WQE.Bind.Region = ib.LKey(mr.coming)
	}
	if b.MRKey != nil {
		s.WQE.Bind.Region = ib.LKey(r.value(b.MRKey, mr, true))
	}
	return s
}

// regWR makes a REG_MR request.
func (r *runner) regWR(s *host.SendWR, g *lang.Reg) {
	mr := r.object(g.MR)
	key := mr.key()
	if g.Key != nil {
		key = r.value(g.Key, mr, true)
	} else {
		next := g.KeyByte
		if !next.Given {
			next = lang.Delta{Given: true, Relative: true, Value: 1}
		}
		key = ib.MakeKey(key.Index(), uint8(next.Apply(int64(key.Byte()))))
	}
	b := ib.Bind{Region: mr.mr.LKey, NewKey: ib.RKey(key), Access: g.Access, PageShift: host.Page4K}
	buf := r.object(g.Buf)
	if buf != nil {
		m := buf.mem
		va := m.va + uint64(g.Offset)
		b.Length = m.length - min(m.length, uint64(max(g.Offset, 0)))
		if g.Length != nil {
			b.Length = uint64(*g.Length)
		}
		b.PageShift = m.page
		if g.Page != nil {
			b.PageShift = pageShift(g.Page)
		}
		b.Addr = va
		if g.Iova != nil {
			b.Addr = uint64(*g.Iova)
		}
		s.Pages = pageList(m.proc, va, b.Length, b.PageShift)
		mr.mr.Process, mr.mr.VA, mr.mr.Length, mr.mr.IOVA = m.proc, va, b.Length, b.Addr
	}
	b.Pages = uint32(len(s.Pages))
	s.WQE.Bind = b
	r.comes(mr, key)
}

// comes notes the key that a request of the list being posted makes.
func (r *runner) comes(n *named, key ib.Key) {
	n.coming = ib.MakeKey(n.index(), key.Byte())
	r.coming = append(r.coming, n)
}

// pageList returns the physical pages behind a range. The kernel would have
// pinned them long before.
func pageList(p *host.Process, va, n uint64, shift uint8) (pages []uint64) {
	size := uint64(1) << shift
	for at := va &^ (size - 1); at < va+n; at += size {
		pa, _ := p.Translate(at)
		pages = append(pages, pa&^(size-1))
	}
	return pages
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
