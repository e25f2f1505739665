package talk

import (
	"cmp"
	"slices"

	"hcasim/ib"
)

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
func evidence(packets []*Packet) []*link {
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
	for _, k := range packets {
		from, o := k.End, k.Headers.BTH.Opcode
		if o.IsRequest() {
			q := question{1 - from, k.Headers.BTH.PSN}
			c := slices.DeleteFunc(open[q], func(a asked) bool { return a.qpn == k.Headers.BTH.DestQP })
			if len(c) == mostCandidates {
				c = c[1:]
			}
			open[q] = append(c, asked{k.Headers.BTH.DestQP, k.At, kindOf(o)})
			continue
		}
		for _, a := range open[question{from, k.Headers.BTH.PSN}] {
			if kind := kindOf(o); kind != 0 && kind != a.kind {
				continue
			}
			var key [2]ib.QPN // by host
			key[from], key[1-from] = a.qpn, k.Headers.BTH.DestQP
			l := found[key]
			if l == nil {
				l = &link{a: key[0], b: key[1]}
				found[key] = l
				list = append(list, l)
			}
			l.hits++
			l.delay += k.At - a.at
		}
	}
	return list
}

// connect finds the connections between two hosts: by the answers that fit
// requests, the best first, and what is left by the order of appearance.
func connect(packets []*Packet) []*Conn {
	t := &table{at: [2]map[ib.QPN]*Conn{{}, {}}}
	t.match(evidence(packets))
	for _, k := range packets {
		to := 1 - k.End
		c := t.at[to][k.Headers.BTH.DestQP]
		if c == nil {
			c = &Conn{Sure: true}
			c.QPN[to], c.Known[to] = k.Headers.BTH.DestQP, true
			t.at[to][k.Headers.BTH.DestQP] = c
			t.list = append(t.list, c)
		}
		c.add(k, to)
	}
	slices.SortStableFunc(t.list, func(x, y *Conn) int { return cmp.Compare(x.first, y.first) })
	t.number()
	return t.list
}

// A table is the connections that are found, and by their queue pairs at each
// host.
type table struct {
	list []*Conn
	at   [2]map[ib.QPN]*Conn
}

// match takes the links that fit best, one for each queue pair.
func (t *table) match(links []*link) {
	slices.SortStableFunc(links, func(x, y *link) int {
		return cmp.Or(cmp.Compare(y.hits, x.hits), cmp.Compare(x.delay, y.delay))
	})
	for i, l := range links {
		if t.at[0][l.a] != nil || t.at[1][l.b] != nil {
			continue
		}
		sure := true
		for _, m := range links[i+1:] { // another that fits as well
			if m.hits < l.hits {
				break
			}
			sure = sure && !((m.a == l.a || m.b == l.b) && m.delay == l.delay)
		}
		c := &Conn{QPN: [2]ib.QPN{l.a, l.b}, Known: [2]bool{true, true}, Sure: sure}
		t.at[0][l.a], t.at[1][l.b] = c, c
		t.list = append(t.list, c)
	}
}

// number gives free numbers to the queue pairs whose own no packet shows.
func (t *table) number() {
	for end, at := range t.at {
		next := ib.QPN(0x10)
		for _, c := range t.list {
			if !c.Known[end] {
				for at[next] != nil {
					next++
				}
				c.QPN[end] = next
				at[next] = c
			}
		}
	}
}
