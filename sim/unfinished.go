package sim

import (
	"fmt"
	"strings"
)

// A keeper is a part that should be empty when a run has ended.
type keeper interface {
	// kept says what it still holds and who waits, or "" when it is empty.
	kept() string
}

func (e *Engine) keep(k keeper) { e.keepers = append(e.keepers, k) }

// Unfinished says, a line each and in the order in which they were made, which
// pipes, lines and links are not empty and which credits are not home, and who
// waits for them. After a run that ended as it should there is none.
func (e *Engine) Unfinished() []string {
	var lines []string
	for _, k := range e.keepers {
		if line := k.kept(); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func (c *carrier) kept() string {
	if c.inside.Len() == 0 {
		return ""
	}
	line := fmt.Sprintf("%s: %d inside", c.name, c.inside.Len())
	if c.stalled {
		line += ", stalled"
	}
	if c.refused {
		line += ", a sender waits for room"
	}
	return line
}

func (l *Link[T]) kept() string {
	if l.inside.Len() == 0 {
		return ""
	}
	line := fmt.Sprintf("%s: %d inside", l.name, l.inside.Len())
	if l.refused {
		line += fmt.Sprintf(", %s waits for room", l.domain.MemberName(l.params.From))
	}
	return line
}

func (c *Credits) kept() string {
	if c.free == c.total && c.waiters.Len() == 0 {
		return ""
	}
	var line strings.Builder
	fmt.Fprintf(&line, "%s: %d of %d out", c.name, c.total-c.free, c.total)
	for i := range c.waiters.Len() {
		w := c.Waiter(i)
		fmt.Fprintf(&line, ", %s (%d) waits for %d", c.engine.HandlerName(w.Handler), w.Arg, w.N)
	}
	return line.String()
}
