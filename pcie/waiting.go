package pcie

import "fmt"

// Idle reports whether nothing is under way and everything finite is home.
// Credits on their way back count as home: nobody waits for them.
func (b *Bus) Idle() bool {
	return len(b.Waiting()) == 0
}

// Waiting says, a line each, what is under way, what the head of each queue
// waits for, and what is not home.
func (b *Bus) Waiting() []string {
	var lines []string
	say := func(format string, args ...any) {
		lines = append(lines, b.name+": "+fmt.Sprintf(format, args...))
	}
	now, t := b.engine.Now(), &b.tx
	if n := b.live; n > 0 {
		say("%d DMA requests under way, %d TLPs of them unanswered", n, b.parts)
	}
	if n := t.entering; n > 0 {
		say("%d writes in the endpoint's overhead", n)
	}
	if n := t.posted.Len(); n > 0 {
		h := *t.posted.Peek()
		say("%d writes queued; %s waits for %v", n, b.describe(h), t.writeWaits(now, b.records.At(h)))
	}
	for c := range classes {
		if n := t.reads[c].Len(); n > 0 {
			h := *t.reads[c].Peek()
			say("%d %v reads queued; %s waits for %v", n, c, b.describe(h), b.readWaits(now, b.records.At(h)))
		}
	}
	if n := t.tags.total - uint32(len(t.tags.free)); n > 0 {
		say("%d of %d tags out", n, t.tags.total)
	}
	if n := b.stores.leaving.Len(); n > 0 {
		say("%d stores of the CPU on their way to the root port", n)
	}
	if n := b.stores.queue.Len(); n > 0 {
		say("%d TLPs wait for the endpoint's posted credits", n)
	}
	for _, f := range []*flow{&t.credits, &t.nonPosted, &t.completions, &b.stores.credits} {
		for _, line := range f.missing(now) {
			say("%s", line)
		}
	}
	return lines
}

func (b *Bus) describe(h uint32) string {
	r := b.records.At(h)
	return fmt.Sprintf("%s %d (%d of %d B sent)", b.names[r.Client], r.asked.Handle, r.cut, r.asked.Len)
}
