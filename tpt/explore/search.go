package explore

import (
	"fmt"

	"hcasim/ib"
	"hcasim/tpt"
)

// A Config says what is searched.
type Config struct {
	Depth   int         // longest sequence, in steps
	Variant tpt.Variant // the choices that the tables make; the ledger keeps to the specification
	Opening []string    // steps made before the search begins, by name; they do not count
	// Check is the rule that is put to the proof; nil is tpt.Check.
	Check func(tpt.Entry, tpt.Access) tpt.Fault
}

// A Report is what a search came to.
type Report struct {
	Depth     int      // sequences up to this length were all tried
	Sequences uint64   // sequences of steps that were done
	Refused   uint64   // sequences whose last step was refused
	Accesses  uint64   // verdicts that were compared
	Made      []uint64 // how often each of Steps was the last step done
	Broken    *Counterexample
}

// A Counterexample is a shortest sequence after which tables and ledger
// disagree.
type Counterexample struct {
	Steps    []string
	Commands []tpt.Command
	Access   tpt.Access
	Fault    tpt.Fault
	Leak     bool   // allowed without a grant, or to other bytes; else a loss: refused in spite of one
	Why      string // a sentence
}

// A search is one run of Search.
type search struct {
	Config
	worlds   []*world // the state after each step of the sequence being tried
	names    []string
	commands []tpt.Command
	report   Report
}

// Search tries every sequence up to c.Depth steps, shorter ones first, until
// one leads to a disagreement.
func Search(c Config) Report {
	if c.Check == nil {
		c.Check = tpt.Check
	}
	s := &search{Config: c}
	begin := len(c.Opening)
	for range begin + c.Depth + 1 {
		s.worlds = append(s.worlds, newWorld(c.Variant))
	}
	s.names, s.commands = make([]string, begin+c.Depth), make([]tpt.Command, begin+c.Depth)
	for n, name := range c.Opening {
		s.open(n, name)
	}
	for depth := 1; depth <= c.Depth && s.report.Broken == nil; depth++ {
		s.report = Report{Depth: depth, Made: make([]uint64, len(steps))}
		s.try(begin, begin+depth)
	}
	return s.report
}

// Steps are the names of all steps, in the order in which they are tried.
func Steps() (names []string) {
	for _, s := range steps {
		names = append(names, s.name)
	}
	return names
}

// open makes the nth step of the opening. One that cannot be made is a mistake
// of whoever wrote it down.
func (s *search) open(n int, name string) {
	next := s.worlds[n+1]
	next.copyFrom(s.worlds[n])
	for i := range steps {
		if steps[i].name == name && steps[i].offer(next, &s.commands[n]) && next.do(&steps[i], &s.commands[n]) {
			s.names[n] = name
			return
		}
	}
	panic(fmt.Sprintf("explore: step %d of the opening, %q, cannot be made", n+1, name))
}

// try tries every step after the first n, until last are done. States before
// the last step were probed when shorter sequences were tried.
func (s *search) try(n, last int) {
	if n == last {
		s.report.Sequences++
		s.probe(s.worlds[n], n)
		return
	}
	for i := range steps {
		step := &steps[i]
		next := s.worlds[n+1]
		c := &s.commands[n]
		if !step.offer(s.worlds[n], c) {
			continue
		}
		next.copyFrom(s.worlds[n])
		s.names[n] = step.name
		if !next.do(step, c) {
			if n+1 == last {
				s.report.Refused++
			}
			continue
		}
		if n+1 == last {
			s.report.Made[i]++
		}
		if s.try(n+1, last); s.report.Broken != nil {
			return
		}
	}
}

// do makes a step and tells the ledger; false if it was refused.
func (w *world) do(s *step, c *tpt.Command) bool {
	before := ib.Key(0)
	if s.on < nSlots {
		before = w.key[s.on]
	}
	r := w.table.Apply(c)
	if !r.Done() && r.Touched[0] == 0 { // a device failure is no success, and yet a change (RER-7)
		return false
	}
	if c.Pages != nil {
		w.page = c.Pages[0]
	}
	w.ledger.record(s, c, &r)
	if s.on == nSlots {
		return true
	}
	switch c.Op {
	case tpt.DeregMR, tpt.DeallocMW:
		w.object[s.on], w.key[s.on] = 0, 0
	default:
		if s.makes {
			w.object[s.on] = r.Index
		}
		w.key[s.on] = r.Key
		base := s.on
		if s.on >= w1 {
			base = mrA
			if c.Op == tpt.BindMW && s.region < nSlots {
				base = s.region
			}
		}
		w.handOut(r.Key, starts[base])
	}
	if s.on == w2 && before != w.key[w2] {
		w.stale = before
	}
	return true
}

// uses are the ways in which a key is tried.
var uses = [...]struct {
	need   ib.AccessFlags
	remote bool
}{{0, false}, {lw, false}, {rw, true}, {rr, true}}

// offsets are the bytes that are tried: each side of every edge.
var offsets = [...]uint64{^uint64(0), 0, size/2 - 1, size / 2, size - 8, size - 1, size}

// probe puts every key to every use.
func (s *search) probe(w *world, n int) {
	for _, h := range w.keys {
		for _, key := range [...]ib.Key{h.key, h.key.Next()} {
			e := w.table.Entry(key.Index())
			for q := q1; q <= q3; q++ {
				if w.ledger.qps[q] == 0 {
					continue
				}
				for _, u := range uses {
					for _, offset := range offsets {
						m := tpt.Range{VA: h.base + offset, Length: 1}
						a := tpt.Access{Key: key, PD: w.ledger.qps[q], QPN: q, Need: u.need, Remote: u.remote, Judge: m, Move: m}
						if !s.agree(w, n, e, a) {
							return
						}
					}
				}
			}
		}
	}
}

// agree compares one verdict with the ledger.
func (s *search) agree(w *world, n int, e tpt.Entry, a tpt.Access) bool {
	s.report.Accesses++
	fault := s.Check(e, a)
	g := w.ledger.find(a.Key, a.QPN, a.Need, a.Remote, a.Judge.VA)
	why := ""
	switch {
	case fault != tpt.OK && g != nil:
		why = fmt.Sprintf("refused (%v), but it was granted and never withdrawn", fault)
	case fault == tpt.OK && g == nil:
		why = "allowed, but no grant of it is in force"
	case fault == tpt.OK:
		first, _ := e.Span(a.Move)
		offset, _ := e.Part(a.Move, 0)
		if got, want := w.table.Page(first)+offset, g.place+a.Judge.VA-g.low; got != want {
			why = fmt.Sprintf("allowed, but it reaches the byte at %#x instead of %#x", got, want)
		}
	}
	if why == "" {
		return true
	}
	s.report.Broken = &Counterexample{
		Steps: append([]string(nil), s.names[:n]...), Commands: append([]tpt.Command(nil), s.commands[:n]...),
		Access: a, Fault: fault, Leak: fault == tpt.OK, Why: why,
	}
	return false
}
