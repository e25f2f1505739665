package explore

import (
	"fmt"

	"hcasim/ib"
	"hcasim/tpt"
)

// A Config says what is searched.
type Config struct {
	Depth   int         // longest sequence, in steps; at most MaxDepth
	Variant tpt.Variant // the choices that the tables make; the ledger keeps to the specification
	Opening []string    // steps made before the search begins, by name; they do not count
	// Check is the rule that is put to the proof; nil is tpt.Check.
	Check func(tpt.Entry, tpt.Access) tpt.Fault
	// Level is told how far the search is, after each length; nil tells nobody.
	Level func(Level)
}

// MaxDepth is the longest sequence that can be asked for.
const MaxDepth = 12

// A Level is what sequences of one length came to.
type Level struct {
	Length      int    `json:"length"`      // of the sequences, in steps
	States      uint64 `json:"states"`      // met for the first time, symmetric ones counted once
	Transitions uint64 `json:"transitions"` // steps that were done
	Refused     uint64 `json:"refused"`     // steps that were refused
	Accesses    uint64 `json:"accesses"`    // verdicts that were compared
}

// add counts what another level came to.
func (l *Level) add(m Level) {
	l.States += m.States
	l.Transitions += m.Transitions
	l.Refused += m.Refused
	l.Accesses += m.Accesses
}

// A Report is what a search came to.
type Report struct {
	Sum    Level    // of all levels; Length is that of the sequences that were all tried
	Levels []Level  // by length, from 0
	Made   []uint64 // how often each of Steps was done
	Broken *Counterexample
}

// A path is a sequence of steps, by number in steps plus one, 0 after its end.
type path [MaxDepth]uint8

// A search is one run of Search.
type search struct {
	Config
	root, from, to *world
	scribe         scribe
	seen           map[mark]struct{}
	paths          []path // to the states of the last level
	level          Level
	report         Report
}

// Search tries every sequence up to c.Depth steps, shorter ones first, until
// one leads to a disagreement. A state that another sequence led to before is
// not gone on from again: what can follow has been tried, or will be.
func Search(c Config) Report {
	if c.Check == nil {
		c.Check = tpt.Check
	}
	if c.Depth > MaxDepth {
		panic(fmt.Sprintf("explore: %d steps are more than %d", c.Depth, MaxDepth))
	}
	s := &search{
		Config: c, seen: map[mark]struct{}{}, paths: []path{{}},
		root: newWorld(c.Variant), from: newWorld(c.Variant), to: newWorld(c.Variant),
	}
	s.report.Made = make([]uint64, len(steps))
	for n, name := range c.Opening {
		s.open(n, name)
	}
	s.arrive(s.root, path{}, 0)
	s.end()
	for n := 1; n <= c.Depth && s.report.Broken == nil; n++ {
		last := s.paths
		s.paths, s.level = nil, Level{Length: n}
		for i := range last {
			if s.expand(last[i], n); s.report.Broken != nil {
				break
			}
		}
		s.end()
	}
	return s.report
}

// end closes a level.
func (s *search) end() {
	s.report.Levels = append(s.report.Levels, s.level)
	s.report.Sum.add(s.level)
	s.report.Sum.Length = s.level.Length
	if s.Level != nil {
		s.Level(s.level)
	}
}

// Steps are the names of all steps, in the order in which they are tried.
func Steps() (names []string) {
	for i := range steps {
		names = append(names, steps[i].name)
	}
	return names
}

// open makes the nth step of the opening. One that cannot be made is a mistake
// of whoever wrote it down.
func (s *search) open(n int, name string) {
	var c tpt.Command
	for i := range steps {
		if steps[i].name == name && steps[i].offer(s.root, &c) && s.root.do(&steps[i], &c) {
			return
		}
	}
	panic(fmt.Sprintf("explore: step %d of the opening, %q, cannot be made", n+1, name))
}

// expand tries every step after p, the nth of its sequence.
func (s *search) expand(p path, n int) {
	s.walk(p)
	for i := range steps {
		var c tpt.Command
		step := &steps[i]
		if !step.offer(s.from, &c) {
			continue
		}
		s.to.copyFrom(s.from)
		next := p
		next[n-1] = uint8(i + 1)
		law := s.from.ledger.judge(step, &c, s.from.keyOf(step))
		if done := s.to.do(step, &c); !done {
			s.level.Refused++
			switch {
			case law == allowed:
				s.broke(next, Refused, "refused, though the rules allow it")
			case !s.to.table.Equal(s.from.table):
				s.broke(next, Changed, "refused, and yet the tables are not what they were")
			}
		} else {
			s.level.Transitions++
			s.report.Made[i]++
			switch {
			case law == forbidden:
				s.broke(next, Done, "done, though the rules forbid it")
			case s.from.again(&c, s.to.keyOf(step)):
				s.broke(next, Done, "done, but the new key is one that was handed out before")
			default:
				s.arrive(s.to, next, n)
			}
		}
		if s.report.Broken != nil {
			return
		}
	}
}

// walk brings the world from to where p leads.
func (s *search) walk(p path) {
	s.from.copyFrom(s.root)
	for _, i := range p {
		if i == 0 {
			return
		}
		var c tpt.Command
		step := &steps[i-1]
		if !step.offer(s.from, &c) || !s.from.do(step, &c) {
			panic("explore: a step that was done cannot be done again")
		}
	}
}

// arrive looks at the state that p led to, if it is a new one.
func (s *search) arrive(w *world, p path, n int) {
	m := s.scribe.mark(w)
	if _, old := s.seen[m]; old {
		return
	}
	s.seen[m] = struct{}{}
	s.level.States++
	if n < s.Depth {
		s.paths = append(s.paths, p)
	}
	s.probe(w, p)
}

// keyOf returns the current key of what a step is about.
func (w *world) keyOf(s *step) ib.Key {
	if s.on < nSlots {
		return w.key[s.on]
	}
	return 0
}

// again reports whether a step that makes a new key made one that w knows
// (KEY-5, KEY-14, RER-2). The steps are too few for a byte to come round.
func (w *world) again(c *tpt.Command, key ib.Key) bool {
	switch c.Op {
	case tpt.RegMR, tpt.AllocMR, tpt.AllocMW, tpt.FastRegMR, tpt.BindMW:
	case tpt.ReregMR:
		if c.Fail || w.ledger.reregKeeps {
			return false
		}
	default:
		return false
	}
	for _, h := range w.keys {
		if h.key == key {
			return true
		}
	}
	return false
}

// do makes a step and tells the ledger; false if it was refused.
func (w *world) do(s *step, c *tpt.Command) bool {
	r := w.table.Apply(c)
	if !r.Done() && r.Touched[0] == 0 { // a device failure is no success, and yet a change (RER-7)
		return false
	}
	if c.Pages != nil {
		w.page = c.Pages[1]
	}
	w.ledger.record(s, c, &r)
	if s.on == nSlots {
		return true
	}
	before := w.key[s.on]
	switch c.Op {
	case tpt.DeregMR, tpt.DeallocMW:
		w.object[s.on], w.key[s.on] = 0, 0
	default:
		if s.makes {
			w.object[s.on] = r.Index
		}
		w.key[s.on] = r.Key
		switch {
		case s.on <= fast:
			w.handOut(r.Key, s.on)
		case c.Op == tpt.BindMW && s.region < nSlots:
			w.handOut(r.Key, s.region)
		default: // its bearer would try either
			w.handOut(r.Key, mrA)
			w.handOut(r.Key, mrB)
		}
	}
	if (s.on <= mrB || s.on == w2) && before != 0 && before != w.key[s.on] {
		w.stale[s.on] = before
	}
	return true
}
