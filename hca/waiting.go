package hca

import (
	"fmt"

	"hcasim/ib"
)

// Waiting lists who waits for what: nothing at the end of a run, but for
// receives and requests held in SQD, which are not listed.
func (h *HCA) Waiting() (all []string) {
	say := func(format string, args ...any) {
		all = append(all, h.Name+": "+fmt.Sprintf(format, args...))
	}
	for _, s := range h.qps.All() {
		q := s.q
		if q == nil {
			continue
		}
		if n := h.count(q); n > 0 {
			say("queue pair %#x: %d send requests unfinished", uint32(q.qpn), n)
		}
		if left := q.posted - q.next; left > 0 && q.state == ib.RTS {
			say("queue pair %#x: %d send requests not begun, waiting for %s", uint32(q.qpn), left, waitNames[q.wait])
		}
		if n := q.waiting.Len(); n > 0 {
			say("queue pair %#x: %d packets not judged", uint32(q.qpn), n)
		}
		if q.replies.head != none {
			say("queue pair %#x: answers not sent", uint32(q.qpn))
		}
	}
	for _, c := range [...]struct {
		what string
		n    int
	}{
		{"packets gathering", h.jobs.Live()}, {"packets being worked on", h.arrivals.Live()},
		{"requests unfinished", h.wrs.Live()}, {"completions being written", h.completer.writes.Live()},
		{"atomics at work", h.atomics.ops.Live()}, {"work requests being fetched", h.fetcher.reads.Live()},
		{"send buffers out", int(h.buffers.Total() - h.buffers.Free())},
		{"response buffers out", int(h.responses.Total() - h.responses.Free())},
	} {
		if c.n > 0 {
			say("%d %s", c.n, c.what)
		}
	}
	if !h.Unit.Idle() {
		say("the translation unit is not idle")
	}
	if n := len(h.pager.parked); n > 0 {
		say("%d accesses wait for pages", n)
	}
	if n := len(h.pager.asked); n > 0 {
		say("%d requests for pages are not answered", n)
	}
	if n := h.crafted.Len(); n > 0 {
		say("%d packets made by hand not sent", n)
	}
	if h.commands.busy {
		say("a device command is under way")
	}
	return all
}

// count returns the send requests of q that were begun and not retired.
func (h *HCA) count(q *qp) (n int) {
	for id := q.wrs.head; id != none; id = h.wrs.At(id).next {
		n++
	}
	return n
}
