package talk

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

// An address is where a packet comes from or goes to: an IP address or a LID.
type address struct {
	lid bool
	ip  netip.Addr
	n   uint16
}

func (a address) String() string {
	if a.lid {
		return fmt.Sprintf("LID %d", a.n)
	}
	return a.ip.String()
}

// less orders addresses, so that names do not depend on who spoke first.
func (a address) less(b address) bool {
	if a.lid != b.lid {
		return b.lid
	}
	if a.lid {
		return a.n < b.n
	}
	return a.ip.Less(b.ip)
}

// A pair is two hosts that exchange packets; the first has the lower address.
type pair struct {
	hosts   [2]address
	packets []*Packet
}

func (p *pair) String() string { return p.hosts[0].String() + "," + p.hosts[1].String() }

// pairs sorts packets by their hosts; most packets first. It says of each packet
// which of the two sent it.
func pairs(packets []*Packet) (list []*pair) {
	by := map[[2]address]*pair{}
	for _, k := range packets {
		h := [2]address{k.src, k.dst}
		if h[1].less(h[0]) {
			h[0], h[1], k.End = h[1], h[0], 1
		}
		p := by[h]
		if p == nil {
			p = &pair{hosts: h}
			by[h] = p
			list = append(list, p)
		}
		p.packets = append(p.packets, k)
	}
	slices.SortStableFunc(list, func(a, b *pair) int { return cmp.Compare(len(b.packets), len(a.packets)) })
	return list
}

// choose returns the pair that is meant: the one that is named, or the only
// one.
func choose(list []*pair, named [2]string) (*pair, error) {
	if named[0] == "" {
		if len(list) == 1 {
			return list[0], nil
		}
		return nil, errors.New(listed(list))
	}
	for _, p := range list {
		a, b := p.hosts[0].String(), p.hosts[1].String()
		if a == named[0] && b == named[1] || a == named[1] && b == named[0] {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no RoCE or InfiniBand packet goes between %s and %s; there are %s", named[0], named[1], listed(list))
}

// listed counts the pairs and lists them, those with the most packets first.
func listed(list []*pair) string {
	s := fmt.Sprintf("%d pairs of hosts; --hosts chooses one:", len(list))
	for i, p := range list {
		if i == 20 {
			s += fmt.Sprintf("\n  and %d more", len(list)-i)
			break
		}
		s += fmt.Sprintf("\n  --hosts %-40s %6d packets", p, len(p.packets))
	}
	return s
}
