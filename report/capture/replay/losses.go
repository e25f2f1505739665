package replay

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"hcasim/ib"
)

// losses are what the wire lost of a direction, as far as what was sent again
// shows it: by packet number, which of the times that it was sent.
type losses struct {
	requests, answers, doubled map[int64][]int

	timeout int64 // longest wait before a request was sent again, ns; 0 none
	retries int   // how often in vain, to the end; 0: it was answered
}

// sent is one packet of a direction, in the order of their times.
type sent struct {
	*packet
	answer bool
}

// twice is how soon a packet comes again that the wire has doubled: no timer is
// that short.
const twice = 2000 // ns

// lose finds the losses of a side's requests and of their answers. What was
// sent again was lost where a NAK says so; else what was sent last, if there is
// no answer to it, or the answer.
func (c *conn) lose(side int) {
	d := &c.asks[side]
	l := losses{map[int64][]int{}, map[int64][]int{}, map[int64][]int{}, 0, 0}
	copies, replies := map[int64]int{}, map[int64]int{}
	var last sent
	var lastEnd int64    // last packet number that it stands for
	var told bool        // a NAK or RNR NAK explains what comes again
	var heard []int64    // answers since the last time that something came again
	var window []*packet // requests since then
	vain := 0
	for _, k := range d.inOrder() {
		s := k.h.AETH.Syndrome
		switch {
		case k.u == 0 || c.uc: // it fits nothing
		case k.answer && s == ib.NAKPSNSequence && !k.h.BTH.Opcode.IsReadResponse():
			told, vain = true, 0
			if n := copies[k.u]; n > 0 {
				l.requests[k.u] = append(l.requests[k.u], n-1)
			}
		case k.answer && s.IsRNR() && k.h.BTH.Opcode == ib.RCAck:
			told, vain = true, 0
		case k.answer:
			heard, vain = append(heard, k.u), 0
			replies[k.u]++
		default:
			if last.packet != nil && k.u <= lastEnd && !told {
				switch {
				case k.u == last.u && k.at-last.at < twice:
					l.doubled[k.u] = append(l.doubled[k.u], copies[k.u]-1)
					continue
				case !l.reply(k.packet, heard, replies):
					l.unheard(window, k.u, copies)
					l.timeout = max(l.timeout, k.at-last.at)
					vain++
				}
			}
			if last.packet != nil && k.u <= lastEnd {
				told, heard, window = false, nil, nil
			}
			copies[k.u]++
			window = append(window, k.packet)
			last, lastEnd = k, k.u
			if k.h.BTH.Opcode == ib.RCReadRequest {
				lastEnd += c.packetsOf(k.h.RETH.Length) - 1
			}
		}
	}
	if l.retries = vain; vain > 0 {
		l.unheard(window, 0, copies)
	}
	d.losses = l
}

// unheard notes that of the requests from a number on nothing was heard: had one
// come that asks for an answer, there were one.
func (l *losses) unheard(window []*packet, from int64, copies map[int64]int) {
	for i, k := range window {
		if k.u >= from && (k.h.BTH.AckReq || i == len(window)-1) {
			l.requests[k.u] = append(l.requests[k.u], copies[k.u]-1)
		}
	}
}

// packetsOf returns how many packets a message of n bytes has.
func (c *conn) packetsOf(n uint32) int64 {
	return max(1, (int64(n)+int64(c.mtu)-1)/int64(c.mtu))
}

// reply notes the answers that were lost if a request comes again that had been
// answered. It reports whether there are any.
func (l *losses) reply(k *packet, heard []int64, replies map[int64]int) (any bool) {
	exact := k.h.BTH.Opcode == ib.RCReadRequest || k.h.BTH.Opcode.IsAtomic()
	for _, u := range heard {
		if u == k.u || !exact && u > k.u {
			if n := replies[u] - 1; !slices.Contains(l.answers[u], n) {
				l.answers[u] = append(l.answers[u], n)
			}
			any = true
		}
	}
	return any
}

// inOrder returns requests and answers as they were captured.
func (d *direction) inOrder() []sent {
	list := make([]sent, 0, len(d.requests)+len(d.answers))
	for _, k := range d.requests {
		list = append(list, sent{k, false})
	}
	for _, k := range d.answers {
		list = append(list, sent{k, true})
	}
	slices.SortStableFunc(list, func(a, b sent) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.frame, b.frame)) })
	return list
}

// any reports whether the wire lost or doubled something.
func (l *losses) any() bool { return len(l.requests)+len(l.answers)+len(l.doubled) > 0 }

// steps are the faults that do on the wire what it did.
func (x *plan) faults(c *conn, side int) {
	l := &c.asks[side].losses
	for _, f := range [...]struct {
		do   string
		from int
		what map[int64][]int
	}{{"drop", side, l.requests}, {"drop", 1 - side, l.answers}, {"duplicate", side, l.doubled}} {
		for _, u := range slices.Sorted(maps.Keys(f.what)) {
			for _, r := range runsOf(f.what[u]) {
				t := fmt.Sprintf("fault: {wire: %s, from: %s, qp: %s.%s, psn: %d, count: %d", f.do, hostNames[f.from], hostNames[f.from], x.qpName(c), u&(1<<24-1), r[1])
				if r[0] > 0 {
					t += fmt.Sprintf(", skip: %d", r[0])
				}
				x.setup = append(x.setup, &step{on: f.from, do: t + "}", why: "lost on the wire, or doubled by it, as what was sent again shows"})
			}
		}
	}
}

// runsOf returns the runs of neighbours among numbers: first, how many.
func runsOf(list []int) (runs [][2]int) {
	for _, n := range slices.Compact(slices.Sorted(slices.Values(list))) {
		if k := len(runs); k > 0 && runs[k-1][0]+runs[k-1][1] == n {
			runs[k-1][1]++
			continue
		}
		runs = append(runs, [2]int{n, 1})
	}
	return runs
}

// code returns the timeout code whose time comes nearest to how long a
// requester waited.
func (l *losses) code() (best uint8) {
	least := math.Inf(1)
	for code := uint8(1); code < 32; code++ {
		if off := math.Abs(math.Log(float64(l.timeout) / float64(ib.ACKTimeout(code)))); off < least {
			best, least = code, off
		}
	}
	return best
}
