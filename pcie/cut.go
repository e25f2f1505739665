package pcie

import "hcasim/sim"

// cutEnd returns how many of the left bytes at addr the next TLP takes, when
// none may be larger than limit, a power of two of at most 4 KiB.
func cutEnd(addr uint64, left, limit uint32, a Alignment) uint32 {
	room := limit - uint32(addr)&(limit-1)
	if a == Packed {
		room = min(limit, page-uint32(addr)&(page-1))
	}
	return min(left, room)
}

// postedBytes are the link bytes of a write.
func (l Link) postedBytes(r *request) sim.Bytes {
	bytes, head := r.Len, l.RequestBytes(r.Addr)
	for left := r.Len; ; {
		left -= cutEnd(r.Addr+uint64(r.Len-left), left, l.MPS, l.device.Cut)
		if bytes += head; left == 0 {
			return sim.Bytes(bytes)
		}
	}
}

// answerBytes are the link bytes of the completions of a read.
func (l Link) answerBytes(r *request) sim.Bytes {
	bytes := r.Len
	for left := r.Len; ; {
		addr := r.Addr + uint64(r.Len-left)
		n := cutEnd(addr, left, l.MRRS, l.device.Cut)
		bytes += l.completion * completions(addr, n, l.cut, uint32(l.host.RCB))
		if left -= n; left == 0 {
			return sim.Bytes(bytes)
		}
	}
}

// completionEnd returns how many of the left bytes at addr the next completion
// carries: at most limit, and up to an RCB boundary unless it is the last
// (base specification 2.3.1.1).
func completionEnd(addr uint64, left, limit, rcb uint32) uint32 {
	room := limit - uint32(addr+uint64(limit))&(rcb-1)
	return min(left, room)
}

// completions is the number of completions of n bytes at addr.
func completions(addr uint64, n, limit, rcb uint32) uint32 {
	first := completionEnd(addr, n, limit, rcb)
	return 1 + (n-first+limit-1)/limit
}

// Carried returns what a TLP, as Up and Down show it, keeps of the link, and
// how many TLPs it stands for: all completions of one read request are one.
func (l Link) Carried(tlp *TLP) (bytes sim.Bytes, count uint32) {
	switch tlp.Kind {
	case MRd:
		return sim.Bytes(l.RequestBytes(tlp.Addr)), 1
	case MWr, MMIO:
		return sim.Bytes(l.RequestBytes(tlp.Addr) + tlp.Len), 1
	case Cpl:
		return sim.Bytes(l.CompletionBytes()), 1
	case CplD:
		n := completions(tlp.Addr, tlp.Len, l.cut, uint32(l.host.RCB))
		return sim.Bytes(tlp.Len + n*l.CompletionBytes()), n
	}
	panic("pcie: unknown kind of TLP")
}

// completionCredits is what the completions of n bytes at addr need.
func (l Link) completionCredits(addr uint64, n uint32) (headers, data uint32) {
	cut, rcb := l.cut, uint32(l.host.RCB)
	first := completionEnd(addr, n, cut, rcb)
	return completions(addr, n, cut, rcb), dataCredits(first) + dataCredits(n-first)
}
