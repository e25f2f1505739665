package lang

import (
	"fmt"
	"math"

	"go.yaml.in/yaml/v4"

	"hcasim/sim"
)

// Limits bound what the numbers of a file may come to, so that one zero too many
// is a message and not a day of waiting, a full memory or a full disk. Whoever
// means it says more. Simulated time has run.until; hcasim help limits tells of
// all limits there are.
type Limits struct {
	// Steps that the file is written out to: those of loops with a var:, and
	// requests and completions that say times; 200k.
	Steps *Count `yaml:"steps"`
	// Ops are the verbs and requests that loops and loads come to, in their
	// warm-ups too; 100M.
	Ops *Count `yaml:"ops"`
	// Packets that their data is cut into; 1G.
	Packets *Count `yaml:"packets"`
	// Entries of all send, receive and completion queues that are made; 1G.
	Entries *Count `yaml:"entries"`
	// Fills are the bytes that fill: writes of something else than one byte, which
	// this program keeps each; 1GiB.
	Fills *sim.Bytes `yaml:"fills" min:"1"`
	// Output is the size of each file of the result; 16GiB.
	Output *sim.Bytes `yaml:"output" min:"1"`
}

// The limits of files that say none.
const (
	MaxSteps   = 200_000
	MaxOps     = 100_000_000
	MaxPackets = 1_000_000_000
	MaxEntries = 1_000_000_000
	MaxFills   = sim.Bytes(1 << 30)
	MaxOutput  = sim.Bytes(16 << 30)
)

// OutputOf returns how large a file of the result may be.
func (l *Limits) OutputOf() sim.Bytes {
	return valueOr(l.Output, MaxOutput)
}

func countOr(c *Count, otherwise uint64) uint64 { return uint64(valueOr(c, Count(otherwise))) }

// limited takes run.limits.steps from the tree: it must be known before the
// first step is read. What is wrong with it is told when run: is read.
func (d *decoder) limited(root *yaml.Node) {
	n := root
	for _, word := range []string{"run", "limits", "steps"} {
		if n = find(n, word); n == nil {
			return
		}
	}
	if v, ok := parseCount(n.Value); ok && v > 0 && d.limit == 0 {
		d.limit = v
	}
}

// limits notes what comes to more than a run may, at the first declaration or
// step with which it does.
func (c *checker) limits(s *Scenario) {
	var all burden
	add := func(at Pos, m burden, times uint64) {
		was := all
		all.add(m, times)
		c.beyond(at, &was, &all, &s.Run.Limits)
	}
	for i := range c.setup.Hosts {
		c.setup.Hosts[i].Value.burdens(add)
	}
	for i := range s.Ops {
		add(s.Ops[i].Pos, c.comesTo(&s.Ops[i]), 1)
	}
}

// burdens are those of what a host declares.
func (h *Host) burdens(add func(at Pos, m burden, times uint64)) {
	for i := range h.Mem {
		if m := &h.Mem[i].Value; m.Fill.kept() {
			add(h.Mem[i].Pos, burden{fills: uint64(m.Length)}, 1)
		}
	}
	for i := range h.MR {
		add(h.MR[i].Pos, h.MR[i].Value.burden(), uint64(valueOr(h.MR[i].Value.Count, 1)))
	}
	for i := range h.CQ {
		add(h.CQ[i].Pos, h.CQ[i].Value.burden(), 1)
	}
	for i := range h.SRQ {
		add(h.SRQ[i].Pos, h.SRQ[i].Value.burden(), 1)
	}
	for i := range h.QP {
		add(h.QP[i].Pos, h.QP[i].Value.burden(), uint64(valueOr(h.QP[i].Value.Count, 1)))
	}
}

// beyond notes what is more than a limit now and was not before.
func (c *checker) beyond(at Pos, was, is *burden, l *Limits) {
	for _, one := range []struct {
		was, is, most uint64
		what, field   string
	}{
		{was.ops, is.ops, countOr(l.Ops, MaxOps), "the steps come to %s verbs and requests", "ops"},
		{was.packets, is.packets, countOr(l.Packets, MaxPackets), "the steps come to %s packets", "packets"},
		{was.entries, is.entries, countOr(l.Entries, MaxEntries), "queues come to %s entries", "entries"},
	} {
		if one.was <= one.most && one.is > one.most {
			c.at(at, 1, fmt.Sprintf(one.what+" up to here, more than %s", HowMany(one.is), HowMany(one.most)),
				fmt.Sprintf("run: {limits: {%s: …}} allows more", one.field))
		}
	}
	most := uint64(valueOr(l.Fills, MaxFills))
	if was.fills <= most && is.fills > most {
		c.at(at, 1, fmt.Sprintf("fills come to %s up to here, more than %s", sim.Bytes(is.fills), sim.Bytes(most)),
			"one byte, such as fill: 0xA5, takes no room; run: {limits: {fills: …}} allows more")
	}
}

// valueOr returns what p points to, or a default.
func valueOr[T any](p *T, otherwise T) T {
	if p != nil {
		return *p
	}
	return otherwise
}

// HowMany writes a count with its thousands apart; the greatest stands for all beyond.
func HowMany(n uint64) string {
	if n == math.MaxUint64 {
		return "2^64"
	}
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
