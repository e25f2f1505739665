package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
)

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
	key := r.nextKey(mw, b.Key, b.KeyByte)
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
	key := r.nextKey(mr, g.Key, g.KeyByte)
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

// nextKey is the key that a request gives its object: one that is said, or that
// of before with another key byte, by default the next.
func (r *runner) nextKey(of *named, said *lang.KeyExpr, next lang.Delta) ib.Key {
	if said != nil {
		return r.value(said, of, true)
	}
	if !next.Given {
		next = lang.Delta{Given: true, Relative: true, Value: 1}
	}
	key := of.key()
	return ib.MakeKey(key.Index(), uint8(next.Apply(int64(key.Byte()))))
}
