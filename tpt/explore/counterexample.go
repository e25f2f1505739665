package explore

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/tpt"
)

// A Kind says what a counterexample shows.
type Kind uint8

// The kinds of counterexamples.
const (
	Leak    Kind = iota // an access that is allowed without a grant, or reaches other bytes
	Loss                // an access that is refused in spite of a grant
	Refused             // the last step was refused, though the rules allow it
	Done                // the last step was done, though the rules forbid it
	Changed             // the last step was refused, and yet changed something
)

var kindNames = [...]string{"leak", "loss", "refused-step", "forbidden-step", "refused-but-changed"}

// String returns the kind's word, such as "leak".
func (k Kind) String() string { return kindNames[k] }

// A Move is a step of a counterexample.
type Move struct {
	Name    string
	Object  string // A, B, f, w1, w2; "" of a queue pair
	Region  string // of a bind: the region
	Command tpt.Command
	Result  tpt.Result
}

// A Counterexample is a shortest sequence after which tables and ledger
// disagree.
type Counterexample struct {
	Kind   Kind
	Moves  []Move
	Access tpt.Access // of a leak or a loss
	Fault  tpt.Fault
	Why    string // a sentence
	// Bearer is the object whose key the access bears, Dead says that it is
	// not its present one; "" for a key that nobody was given.
	Bearer string
	Dead   bool
	// Elsewhere: the access is granted, but reaches other bytes than were
	// granted.
	Elsewhere bool
	Offset    int64  // where the access begins, from the first byte of Base
	Base      string // the region
}

// found keeps a disagreement about an access.
func (s *search) found(w *world, p path, a *tpt.Access, fault tpt.Fault, why string) {
	c := &Counterexample{Kind: Leak, Access: *a, Fault: fault, Why: why}
	if fault != tpt.OK {
		c.Kind = Loss
	}
	c.Elsewhere = fault == tpt.OK && w.ledger.find(a.Key, a.QPN, a.Need, a.Remote, a.Judge.VA, a.Judge.Length) != nil
	for _, h := range w.keys {
		if c.Base != "" && h.key != a.Key {
			continue
		}
		if offset := int64(a.Judge.VA - starts[h.base]); offset >= -8 && offset <= size {
			c.Base, c.Offset = slotNames[h.base], offset
		}
	}
	for slot, k := range w.key {
		if w.object[slot] != 0 && k.Index() == a.Key.Index() {
			c.Bearer, c.Dead = slotNames[slot], k != a.Key
		}
	}
	c.Moves = s.tell(p)
	s.report.Broken = c
}

// broke keeps a disagreement about the last step of p.
func (s *search) broke(p path, k Kind, why string) {
	s.report.Broken = &Counterexample{Kind: k, Why: why, Moves: s.tell(p)}
}

// tell makes the steps of p once more and writes them down.
func (s *search) tell(p path) (moves []Move) {
	w := newWorld(s.Variant)
	list := make([]int, 0, len(s.Opening)+len(p))
	for _, name := range s.Opening {
		for i := range steps {
			if steps[i].name == name {
				list = append(list, i)
			}
		}
	}
	for _, i := range p {
		if i != 0 {
			list = append(list, int(i-1))
		}
	}
	for _, i := range list {
		m := Move{Name: steps[i].name, Object: slotNames[steps[i].on]}
		if steps[i].op == tpt.BindMW {
			m.Region = slotNames[steps[i].region]
		}
		steps[i].offer(w, &m.Command)
		trial := newWorld(s.Variant)
		trial.copyFrom(w)
		m.Result = trial.table.Apply(&m.Command)
		w.do(&steps[i], &m.Command)
		m.Command.Pages = nil // of the search alone
		moves = append(moves, m)
	}
	return moves
}

// String tells the whole story, a line a step.
func (c *Counterexample) String() string {
	var b strings.Builder
	for n, m := range c.Moves {
		fmt.Fprintf(&b, "%3d  %s\n", n+1, m.Name)
	}
	if text := c.Accessed(); text != "" {
		fmt.Fprintf(&b, "then %s\n", text)
	}
	return b.String() + "     " + c.Why
}

// Accessed says what is accessed, of a leak or a loss.
func (c *Counterexample) Accessed() string {
	if c.Kind > Loss {
		return ""
	}
	a := &c.Access
	what := map[ib.AccessFlags]string{0: "local read", lw: "local write", rw: "remote write", rr: "remote read", ib.RemoteAtomic: "atomic"}[a.Need]
	key := "key " + fmt.Sprintf("0x%08x", uint32(a.Key))
	switch {
	case c.Bearer != "" && c.Dead:
		key += ", which is not " + c.Bearer + "'s now,"
	case c.Bearer != "":
		key += ", which is " + c.Bearer + "'s,"
	}
	return fmt.Sprintf("%s of %d bytes at %+d of %s by %s through q%d", what, a.Judge.Length, c.Offset, c.Base, key, a.QPN)
}
