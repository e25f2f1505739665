package pcie

import "math/bits"

// cutEnd returns how many of the left bytes at addr the next TLP takes, when
// none may be larger than limit, a power of two of at most 4 KiB.
func cutEnd(addr uint64, left, limit uint32, packed bool) uint32 {
	room := limit - uint32(addr)&(limit-1)
	if packed {
		room = min(limit, page-uint32(addr)&(page-1))
	}
	return min(left, room)
}

// completionEnd returns how many of the left bytes at addr the next completion
// carries: at most limit, and up to an RCB boundary unless it is the last
// (base specification 2.3.1.1).
func completionEnd(addr uint64, left, limit, rcb uint32) uint32 {
	room := limit - uint32(addr+uint64(limit))&(rcb-1)
	return min(left, room)
}

// completions is the number of completions of n bytes at addr, none larger than
// limit, a power of two.
func completions(addr uint64, n, limit, rcb uint32) uint32 {
	first := completionEnd(addr, n, limit, rcb)
	if first == n {
		return 1
	}
	return 1 + (n-first+limit-1)>>bits.TrailingZeros32(limit)
}

// completionCredits is what the completions of n bytes at addr need.
func (l *Link) completionCredits(addr uint64, n uint32) credits {
	cut, rcb := l.cut, uint32(l.host.RCB)
	first := completionEnd(addr, n, cut, rcb)
	return credits(completions(addr, n, cut, rcb))*header + credits(dataCredits(first)+dataCredits(n-first))
}
