package wire

import "fmt"

// Waits says in words what is inside the link and what it waits for, one
// sentence each; none when the link is empty, as it is at the end of a run.
func (l *Link) Waits() []string {
	var waits []string
	say := func(format string, args ...any) {
		waits = append(waits, l.name+": "+fmt.Sprintf(format, args...))
	}
	for _, d := range l.ways {
		for _, c := range [...]Class{Requests, Answers} {
			q, b := &d.send[c], &d.recv[c]
			if n := q.packets.Len(); n > 0 || q.twice {
				say("%d %v queued at %v wait for %s", n, c, d.from, q.gate.wants(d.flow))
			}
			if n := b.waiting.Len(); n > 0 {
				say("%d %v in the buffer at %v wait for its sink", n, c, d.from.Peer())
			}
		}
		if n := d.line.Len(); n > 0 {
			say("%d packets on the wire from %v", n, d.from)
		}
		if n := d.held.used; n > 0 {
			say("%d packets from %v held back by a fault", n, d.from)
		}
	}
	return waits
}

// wants names what stands between a queue and the wire.
func (g *gate) wants(f flow) string {
	switch {
	case f == flowPause && g.paused:
		return "the end of a pause"
	case f == flowCredits:
		return fmt.Sprintf("the wire or credits (%d packets, %v left)", g.packets, g.bytes)
	}
	return "the wire"
}
