package talk

import (
	"cmp"
	"slices"

	"hcasim/ib"
)

// Losses are what the wire lost of a direction, as far as what was sent again
// shows it: by packet number, which of the times that it was sent, from 0.
// Doubled are those that the wire delivered twice.
type Losses struct {
	Requests, Answers, Doubled map[int64][]int

	Timeout int64 // longest wait before a request was sent again, ns; 0 none
	Retries int   // how often in vain, to the end; 0: it was answered
}

// Any reports whether the wire lost or doubled something.
func (l *Losses) Any() bool { return len(l.Requests)+len(l.Answers)+len(l.Doubled) > 0 }

// twice is how soon a packet comes again that the wire has doubled: no timer is
// that short.
const twice = 2000 // ns

// A search follows a direction and finds what was lost of it: where a NAK says
// so; else what was sent last before it came again, if there is no answer to it,
// or the answer.
type search struct {
	Losses
	conn            *Conn
	copies, replies map[int64]int // by packet number, how many were seen

	last    *Packet   // request
	lastEnd int64     // last packet number that it stands for
	told    bool      // a NAK or RNR NAK explains what comes again
	heard   []int64   // answers since the last time that something came again
	window  []*Packet // requests since then
}

// lose finds the losses of a side's requests and of their answers. No answer
// speaks of those of an unreliable connection.
func (c *Conn) lose(side int) {
	if c.UC {
		return
	}
	d := &c.Asks[side]
	s := &search{conn: c, copies: map[int64]int{}, replies: map[int64]int{}}
	s.Requests, s.Answers, s.Doubled = map[int64][]int{}, map[int64][]int{}, map[int64][]int{}
	for _, k := range d.inOrder() {
		switch {
		case k.u == 0: // it fits nothing
		case k.Headers.BTH.Opcode.IsRequest():
			s.request(k)
		default:
			s.answer(k)
		}
	}
	if s.Retries > 0 {
		s.unheard(0)
	}
	d.Losses = s.Losses
}

// answer takes note of what came back.
func (s *search) answer(k *Packet) {
	code, word := k.Headers.BTH.Opcode, k.Headers.AETH.Syndrome
	s.Retries = 0
	switch {
	case word == ib.NAKPSNSequence && !code.IsReadResponse():
		s.told = true
		if n := s.copies[k.u]; n > 0 {
			s.Requests[k.u] = append(s.Requests[k.u], n-1)
		}
	case word.IsRNR() && code == ib.RCAck:
		s.told = true
	default:
		s.heard = append(s.heard, k.u)
		s.replies[k.u]++
	}
}

// request takes a packet of a request, and asks why if it is not a new one.
func (s *search) request(k *Packet) {
	if s.last != nil && k.u <= s.lastEnd {
		if !s.told {
			if k.u == s.last.u && k.At-s.last.At < twice {
				s.Doubled[k.u] = append(s.Doubled[k.u], s.copies[k.u]-1)
				return
			}
			if !s.reply(k) {
				s.unheard(k.u)
				s.Timeout = max(s.Timeout, k.At-s.last.At)
				s.Retries++
			}
		}
		s.told, s.heard, s.window = false, nil, nil
	}
	s.copies[k.u]++
	s.window = append(s.window, k)
	s.last, s.lastEnd = k, k.u
	if k.Headers.BTH.Opcode == ib.RCReadRequest {
		s.lastEnd += s.conn.packetsOf(k.Headers.RETH.Length) - 1
	}
}

// unheard notes that of the requests from a number on nothing was heard: had one
// come that asks for an answer, there were one.
func (s *search) unheard(from int64) {
	for i, k := range s.window {
		if k.u >= from && (k.Headers.BTH.AckReq || i == len(s.window)-1) {
			s.Requests[k.u] = append(s.Requests[k.u], s.copies[k.u]-1)
		}
	}
}

// reply notes the answers that were lost if a request comes again that had been
// answered. It reports whether there are any.
func (s *search) reply(k *Packet) (any bool) {
	exact := k.Headers.BTH.Opcode == ib.RCReadRequest || k.Headers.BTH.Opcode.IsAtomic()
	for _, u := range s.heard {
		if u == k.u || !exact && u > k.u {
			if n := s.replies[u] - 1; !slices.Contains(s.Answers[u], n) {
				s.Answers[u] = append(s.Answers[u], n)
			}
			any = true
		}
	}
	return any
}

// inOrder returns requests and answers as they were captured.
func (d *Direction) inOrder() []*Packet {
	list := slices.Concat(d.requests, d.answers)
	slices.SortStableFunc(list, func(a, b *Packet) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Frame, b.Frame)) })
	return list
}
