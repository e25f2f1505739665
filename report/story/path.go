package story

import (
	"fmt"
	"slices"

	"hcasim/hca"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// A Segment is one stretch of the way of a request: each picosecond belongs to
// the one thing that the next step waited for last.
type Segment struct {
	Part string       `json:"part"`
	What string       `json:"what"`
	From sim.Time     `json:"from_ps"`
	To   sim.Time     `json:"to_ps"`
	Took sim.Duration `json:"took_ps"`
}

// A Saving is what a part would have taken less, and what changes it.
type Saving struct {
	Part string       `json:"part"`
	Took sim.Duration `json:"took_ps"`
	Best sim.Duration `json:"best_ps"`
	Why  string       `json:"why"`
	With string       `json:"with,omitempty"` // the op that it is compared with
	Set  []string     `json:"set,omitempty"`  // parameters, with their present values
}

// parts say what each part is; %s is the host that asked, %p its peer.
var parts = [hca.NumParts]string{
	hca.PartPost:      "CPU of %s: building the request, up to the doorbell",
	hca.PartDoorbell:  "doorbell on its way to the adapter, and decoded",
	hca.PartQueue:     "waiting for its turn",
	hca.PartQPC:       "context of the queue pair being fetched",
	hca.PartWQE:       "work request being fetched",
	hca.PartMPT:       "protection entry (MPT) at %s",
	hca.PartMTT:       "pages (MTT) at %s",
	hca.PartDMA:       "payload over PCIe at %s",
	hca.PartNIC:       "pipelines of the adapter at %s",
	hca.PartWire:      "the wire",
	hca.PartRemoteQPC: "context of the queue pair being fetched at %p",
	hca.PartRemoteWQE: "receive request being fetched at %p",
	hca.PartRemoteMPT: "protection entry (MPT) at %p",
	hca.PartRemoteMTT: "pages (MTT) at %p",
	hca.PartRemoteDMA: "payload over PCIe at %p",
	hca.PartRemote:    "pipelines and queues of the adapter at %p",
	hca.PartRetry:     "waiting for a timer, or for the peer to be ready",
	hca.PartCQE:       "completion being written to %s",
	hca.PartPoll:      "CPU of %s: noticing and taking the completion",
}

// settings are the parameters that change a part.
var settings = [hca.NumParts][]string{
	hca.PartPost:      {"host.cpu.post"},
	hca.PartDoorbell:  {"hca.doorbell", "hca.pcie.generation"},
	hca.PartQueue:     {"hca.schedule", "hca.send_buffers"},
	hca.PartQPC:       {"hca.cache.qpc.entries"},
	hca.PartWQE:       {"hca.wqe_prefetch", "hca.pcie.generation"},
	hca.PartMPT:       {"hca.cache.mpt.entries", "hca.mtp.mpt_latency"},
	hca.PartMTT:       {"hca.cache.mtt.entries", "hca.mtp.mtt_latency"},
	hca.PartDMA:       {"hca.pcie.generation", "hca.pcie.lanes"},
	hca.PartNIC:       {"hca.transmit", "hca.receive"},
	hca.PartWire:      {"wire.rate", "wire.delay", "wire.hops"},
	hca.PartRemoteQPC: {"hca.cache.qpc.entries"},
	hca.PartRemoteWQE: {"hca.recv_prefetch"},
	hca.PartRemoteMPT: {"hca.cache.mpt.entries", "hca.mtp.mpt_latency"},
	hca.PartRemoteMTT: {"hca.cache.mtt.entries", "hca.mtp.mtt_latency"},
	hca.PartRemoteDMA: {"hca.pcie.generation", "hca.pcie.lanes"},
	hca.PartRemote:    {"hca.receive", "hca.answer"},
	hca.PartCQE:       {"hca.pcie.generation"},
	hca.PartPoll:      {"host.cpu.poll"},
}

// what puts the hosts into the words for a part.
func (t *teller) what(p sim.Part) string {
	out := ""
	text := parts[p]
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '%' && text[i+1] == 's':
			out += t.op.Host
			i++
		case text[i] == '%' && text[i+1] == 'p':
			out += t.host(1 - t.from).Name
			i++
		default:
			out += text[i : i+1]
		}
	}
	return out
}

// path lists the segments in order. A verb has no order of its own: its device
// command lies between what the CPU did before and after.
func (t *teller) path() {
	o := t.op
	if o.Verb || o.Recv || !o.Done {
		for p, d := range o.Parts {
			if d > 0 && o.Verb {
				what := "CPU of " + o.Host + ": library and kernel"
				if sim.Part(p) != hca.PartPost {
					what = "device command"
				}
				t.Path = append(t.Path, Segment{Part: hca.PartName(sim.Part(p)), What: what, Took: d})
			}
		}
		return
	}
	var legs []*sim.Leg
	for l := o.Legs; l != nil; l = l.Before {
		if l.To > l.From {
			legs = append(legs, l)
		}
	}
	if o.Legs == nil {
		return
	}
	slices.Reverse(legs)
	at := o.Start
	first := o.End
	if len(legs) > 0 {
		first = legs[0].From
	}
	t.segment(hca.PartPost, at, first)
	for _, l := range legs {
		t.segment(l.Part, l.From, l.To)
		at = l.To
	}
	t.segment(hca.PartPoll, max(at, first), o.End)
	t.directions()
}

// segment adds a stretch; one of the same part goes on.
func (t *teller) segment(p sim.Part, from, to sim.Time) {
	if to == from {
		return
	}
	if n := len(t.Path); n > 0 && t.Path[n-1].Part == hca.PartName(p) {
		last := &t.Path[n-1]
		last.To, last.Took = to, to.Sub(last.From)
		return
	}
	t.Path = append(t.Path, Segment{hca.PartName(p), t.what(p), from, to, to.Sub(from)})
}

// directions says of the wire which way.
func (t *teller) directions() {
	wires := 0
	for i := range t.Path {
		if t.Path[i].Part != hca.PartName(hca.PartWire) {
			continue
		}
		wires++
		if wires == 1 {
			t.Path[i].What = "the wire, to " + t.host(1-t.from).Name
		} else {
			t.Path[i].What = "the wire, back to " + t.op.Host
		}
	}
}

// waits tells for whom the op waited where its turn did not come.
func (t *teller) waits() {
	o := t.op
	if o.Verb || o.Recv || !o.Done || o.Failed() || t.fault != nil { // what else is slow about a failure is of no matter
		return
	}
	for i := range t.Path {
		seg := &t.Path[i]
		if seg.Part != hca.PartName(hca.PartQueue) || seg.Took < waitShown {
			continue
		}
		front, beside := t.inWork(seg)
		switch {
		case len(front) > 0:
			t.Waits = append(t.Waits, fmt.Sprintf("%s at %s behind %s of %s that %s posted before it: %s", ns(seg.Took), when(seg.From),
				count(uint64(len(front)), "request"), t.op.QP, were(len(front)), ops(front)))
		case len(beside) > 0:
			t.Waits = append(t.Waits, fmt.Sprintf("%s at %s while the adapter worked on %s of other queue pairs: %s", ns(seg.Took), when(seg.From),
				count(uint64(len(beside)), "request"), ops(beside)))
		}
	}
	t.shares()
	if t.w.crowd > 0 && len(t.Waits) > 0 {
		t.Waits = append(t.Waits, fmt.Sprintf("%s more were under way at the same time", thousands(uint64(t.w.crowd))))
	}
	if t.w.waited >= waitShown {
		t.Waits = append(t.Waits, fmt.Sprintf("%s in all its DMAs waited for PCIe: order, tags or credits", ns(t.w.waited)))
	}
	for i := range t.w.judged {
		j := &t.w.judged[i]
		if !j.hit && i < mostMisses {
			t.Waits = append(t.Waits, fmt.Sprintf("protection entry of %s at %s, there at %s: cached copy %s",
				t.kind(j.end, j.Key, &j.entry), t.host(j.end).Name, when(j.at), t.copied(j)))
		}
	}
}

// shares tells with whom the op shared what took longer than it might have:
// PCIe, the wire, the pipelines.
func (t *teller) shares() {
	for i := range t.Path {
		seg := &t.Path[i]
		k := slices.IndexFunc(t.Savings, func(s Saving) bool { return s.Part == seg.Part && s.With != "" })
		if k < 0 || seg.Took < waitShown {
			continue
		}
		front, beside := t.inWork(seg)
		if all := append(front, beside...); len(all) > 0 {
			t.Waits = append(t.Waits, fmt.Sprintf("%s at %s for %s, which it shared with %s under way: %s", ns(seg.Took), when(seg.From),
				seg.What, count(uint64(len(all)), "request"), ops(all)))
		}
	}
}

// What is worth a line.
const (
	waitShown  = 20 * sim.Nanosecond
	mostMisses = 4
)

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// inWork returns the requests that were under way during a segment: those in
// front in the same queue, and those of others.
func (t *teller) inWork(seg *Segment) (front, beside []string) {
	for i := range t.w.neighbours {
		o := &t.w.neighbours[i]
		if o.Start >= seg.To || o.End <= seg.From {
			continue
		}
		switch {
		case o.QP != t.op.QP:
			beside = append(beside, o.ID)
		case o.Start < t.op.Start || o.Start == t.op.Start && ahead(o, t.op):
			front = append(front, o.ID)
		}
	}
	return front, beside
}

// ahead reports whether one of two requests of one post stands in front.
func ahead(a, b *run.Op) bool { return len(a.ID) < len(b.ID) || len(a.ID) == len(b.ID) && a.ID < b.ID }

// savings compares each part with what it could have been: that of the fastest
// of its kind, or that of a hit.
func (t *teller) savings() {
	o := t.op
	if o.Verb || o.Recv || !o.Done || o.Failed() || t.fault != nil {
		return
	}
	for p := range hca.NumParts {
		took := o.Parts[p]
		if p == hca.PartPost || p == hca.PartPoll || took == 0 {
			continue
		}
		best, why, with := took, "", ""
		if hit, known := t.hit(p); known && hit < best {
			best, why = hit, "if it were on chip"
		}
		if f := t.w.fastest; f != nil && f.Parts[p] < best {
			best, why, with = f.Parts[p], "as in op "+f.ID+", the fastest of its kind", f.ID
		}
		if took-best >= waitShown {
			s := Saving{hca.PartName(p), took, best, why, with, nil}
			if t.first(p) {
				s.Why += "; it is the first use, which a larger cache does not spare"
			} else {
				s.Set = t.sets(p)
			}
			t.Savings = append(t.Savings, s)
		}
	}
	slices.SortStableFunc(t.Savings, func(a, b Saving) int {
		switch x, y := a.Took-a.Best, b.Took-b.Best; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
}

// first reports whether a part is a lookup of what had never been on chip.
func (t *teller) first(p sim.Part) bool {
	end := t.from
	if p >= hca.PartRemoteQPC && p <= hca.PartRemote {
		end = 1 - end
	}
	switch p {
	case hca.PartQPC, hca.PartRemoteQPC:
		return !t.w.contexts[end][t.w.qpn[end]]
	case hca.PartMPT, hca.PartRemoteMPT, hca.PartMTT, hca.PartRemoteMTT:
		for i := range t.w.judged {
			if j := &t.w.judged[i]; j.end == end && !j.hit {
				return !j.since.known || j.since.at == j.at
			}
		}
	}
	return false
}

// hit is what a lookup takes that finds what it needs on chip.
func (t *teller) hit(p sim.Part) (sim.Duration, bool) {
	end := t.from
	if p >= hca.PartRemoteQPC && p <= hca.PartRemote {
		end = 1 - end
	}
	m := &t.s.Run.Settings[end].Params.HCA
	one := func(n sim.Cycles) sim.Duration { return sim.Duration(sim.NewClock(m.Clock).Edge(n)) }
	switch p {
	case hca.PartMPT, hca.PartRemoteMPT:
		return one(m.MTP.MPTLatency), true
	case hca.PartMTT, hca.PartRemoteMTT:
		return one(m.MTP.MTTLatency), true
	case hca.PartQPC, hca.PartRemoteQPC, hca.PartRemoteWQE:
		return 0, true
	}
	return 0, false
}

// sets are the parameters that change a part, as flags, with their values now.
func (t *teller) sets(p sim.Part) (list []string) {
	for _, path := range settings[p] {
		if v, known := t.s.Run.Settings[t.from].Value(path); known {
			list = append(list, fmt.Sprintf("%s (now %s)", path, v))
		}
	}
	return list
}
