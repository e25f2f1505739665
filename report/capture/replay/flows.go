package replay

import (
	"cmp"
	"fmt"
	"slices"

	"hcasim/ib"
)

// A pair is two hosts that exchange packets; the first has the lower address.
type pair struct {
	hosts   [2]address
	packets []*packet
}

func (p *pair) String() string { return p.hosts[0].String() + "," + p.hosts[1].String() }

// end returns which of the two sent a packet.
func (p *pair) end(k *packet) int {
	if k.src == p.hosts[0] {
		return 0
	}
	return 1
}

// pairs sorts packets by their hosts; most packets first.
func pairs(packets []*packet) (list []*pair) {
	by := map[[2]address]*pair{}
	for _, k := range packets {
		h := [2]address{k.src, k.dst}
		if h[1].less(h[0]) {
			h[0], h[1] = h[1], h[0]
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

// A conn is two queue pairs that are each other's peer. Side 0 is at the first
// host.
type conn struct {
	qpn   [2]ib.QPN
	known [2]bool // from the packets; else a number was chosen
	sure  bool    // the answers say who belongs to whom; else the order of appearance
	uc    bool
	asks  [2]direction // what each side asks of the other
	mtu   uint32
	exact bool // of mtu: seen, not only a bound
	first int64
}

// A direction is requests and what answered them, as captured.
type direction struct {
	requests, answers []*packet
	ops               []*op
	losses            losses
	psn               ib.PSN // of the first request
}

// A link is evidence that two queue pairs belong together.
type link struct {
	a, b  ib.QPN // at host 0, at host 1
	hits  int    // answers that fit requests
	delay int64  // between the two, all in all
}

// kindOf says what of a request must fit its answer: READs, atomics, others.
func kindOf(o ib.Opcode) int {
	switch {
	case o == ib.RCReadRequest || o.IsReadResponse():
		return 1
	case o.IsAtomic() || o == ib.RCAtomicAck:
		return 2
	default:
		return 0
	}
}

// mostCandidates bounds how many flows one answer may fit: with the same packet
// numbers everywhere all of them do.
const mostCandidates = 256

// evidence looks for the requests that each answer may belong to.
func evidence(p *pair) []*link {
	type question struct {
		to int
		n  ib.PSN
	}
	type asked struct {
		qpn  ib.QPN
		at   int64
		kind int
	}
	open := map[question][]asked{}
	found := map[[2]ib.QPN]*link{}
	var list []*link
	for _, k := range p.packets {
		from, o := p.end(k), k.h.BTH.Opcode
		if o.IsRequest() {
			q := question{1 - from, k.h.BTH.PSN}
			c := slices.DeleteFunc(open[q], func(a asked) bool { return a.qpn == k.h.BTH.DestQP })
			if len(c) == mostCandidates {
				c = c[1:]
			}
			open[q] = append(c, asked{k.h.BTH.DestQP, k.at, kindOf(o)})
			continue
		}
		for _, a := range open[question{from, k.h.BTH.PSN}] {
			if kind := kindOf(o); kind != 0 && kind != a.kind {
				continue
			}
			var key [2]ib.QPN // by host
			key[from], key[1-from] = a.qpn, k.h.BTH.DestQP
			l := found[key]
			if l == nil {
				l = &link{a: key[0], b: key[1]}
				found[key] = l
				list = append(list, l)
			}
			l.hits++
			l.delay += k.at - a.at
		}
	}
	return list
}

// connect finds the connections of a pair: by the answers that fit requests,
// the best first, and what is left by the order of appearance.
func connect(p *pair) []*conn {
	links := evidence(p)
	slices.SortStableFunc(links, func(x, y *link) int {
		return cmp.Or(cmp.Compare(y.hits, x.hits), cmp.Compare(x.delay, y.delay))
	})
	var list []*conn
	var at [2]map[ib.QPN]*conn
	at[0], at[1] = map[ib.QPN]*conn{}, map[ib.QPN]*conn{}
	for i, l := range links {
		if at[0][l.a] != nil || at[1][l.b] != nil {
			continue
		}
		sure := true
		for _, m := range links[i+1:] { // another that fits as well
			if m.hits < l.hits {
				break
			}
			sure = sure && !((m.a == l.a || m.b == l.b) && m.delay == l.delay)
		}
		c := &conn{qpn: [2]ib.QPN{l.a, l.b}, known: [2]bool{true, true}, sure: sure}
		at[0][l.a], at[1][l.b] = c, c
		list = append(list, c)
	}
	for _, k := range p.packets {
		to := 1 - p.end(k)
		c := at[to][k.h.BTH.DestQP]
		if c == nil {
			c = &conn{sure: true}
			c.qpn[to], c.known[to] = k.h.BTH.DestQP, true
			at[to][k.h.BTH.DestQP] = c
			list = append(list, c)
		}
		c.add(k, to)
	}
	slices.SortStableFunc(list, func(x, y *conn) int { return cmp.Compare(x.first, y.first) })
	for end := range 2 {
		next := ib.QPN(0x10)
		for _, c := range list {
			if !c.known[end] {
				for at[end][next] != nil {
					next++
				}
				c.qpn[end] = next
				at[end][next] = c
			}
		}
	}
	return list
}

// add sorts a packet to one side in.
func (c *conn) add(k *packet, to int) {
	if c.first == 0 {
		c.first = int64(k.frame)
	}
	if k.h.BTH.Opcode.IsRequest() {
		d := &c.asks[1-to]
		d.requests = append(d.requests, k)
		c.uc = c.uc || k.h.BTH.Opcode>>5 == 1
	} else {
		d := &c.asks[to]
		d.answers = append(d.answers, k)
	}
}

// choose returns the pair that is meant: the one that is named, or the only
// one.
func choose(list []*pair, named [2]string) (*pair, error) {
	if named[0] == "" {
		if len(list) == 1 {
			return list[0], nil
		}
		return nil, &ManyHosts{list}
	}
	for _, p := range list {
		a, b := p.hosts[0].String(), p.hosts[1].String()
		if a == named[0] && b == named[1] || a == named[1] && b == named[0] {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no RoCE or InfiniBand packet goes between %s and %s; there are %w", named[0], named[1], &ManyHosts{list})
}

// ManyHosts is said of a capture in which more than two hosts speak.
type ManyHosts struct{ pairs []*pair }

// Error lists the pairs, those with the most packets first.
func (m *ManyHosts) Error() string {
	s := fmt.Sprintf("%d pairs of hosts; --hosts chooses one:", len(m.pairs))
	for i, p := range m.pairs {
		if i == 20 {
			s += fmt.Sprintf("\n  and %d more", len(m.pairs)-i)
			break
		}
		s += fmt.Sprintf("\n  --hosts %-40s %6d packets", p, len(p.packets))
	}
	return s
}
