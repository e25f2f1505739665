package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// scenario checks the steps and expectations of one scenario.
func (c *checker) scenario(s *Scenario) {
	c.scope, c.ids, c.steps, c.later = c.base.copied(), map[string]idAt{}, 0, map[string]Pos{}
	c.foresee(s.Ops)
	c.run(s.Ops)
	for _, e := range s.Expect {
		c.expect(e, &Step{})
	}
	c.references(s.Ops)
	c.circles(s.Ops)
	c.limits(s)
}

// foresee numbers the steps and notes ids, and the names that will be made.
func (c *checker) foresee(steps []Step) {
	for i := range steps {
		s := &steps[i]
		c.steps++
		s.Number = c.steps
		c.identify(s.ID, s.Pos)
		switch a := s.Do.(type) {
		case *PostSend:
			for _, w := range a.WRs {
				c.identify(w.ID, w.Pos)
			}
		case *PostRecv:
			for _, w := range a.WRs {
				c.identify(w.ID, w.Pos)
			}
		case *Loop:
			for _, round := range a.Rounds {
				c.foresee(round)
			}
		case *Parallel:
			for _, branch := range a.Branches {
				c.foresee(branch)
			}
		}
		if n := made(s.Do); n.Text != "" && c.later[n.Text].Line == 0 {
			c.later[n.Text] = n.Pos
		}
	}
}

// identify notes an id; one place may be met several times, in the rounds of a
// loop.
func (c *checker) identify(id string, pos Pos) {
	switch was, twice := c.ids[id]; {
	case id == "":
	case strings.Trim(id, "0123456789.") == "":
		c.in(pos, "id", fmt.Sprintf("id %q is a number", id), "steps have their numbers anyway; an id is a word")
	case twice && was.pos != pos:
		c.in(pos, "id", fmt.Sprintf("id %q is here twice", id), fmt.Sprintf("the first is in line %d", was.pos.Line))
	case !twice:
		c.ids[id] = idAt{pos, c.steps}
	}
}

// made returns the name that an act gives to a new object.
func made(a Act) Name {
	switch a := a.(type) {
	case *AllocPD:
		return a.As
	case *RegMR:
		return a.As
	case *AllocMR:
		return a.As
	case *RegShared:
		return a.As
	case *AllocMW:
		return a.As
	case *CreateQP:
		return a.As
	case *CreateSRQ:
		return a.As
	case *CreateCQ:
		return a.As
	case *CreateAH:
		return a.As
	}
	return Name{}
}

// known notes a problem when no step or request has this id.
func (c *checker) known(id string, pos Pos) {
	if id == "" {
		return
	}
	first, _, _ := strings.Cut(id, ".")
	if n, err := strconv.Atoi(first); err == nil {
		if n < 1 || n > c.steps {
			c.at(pos, len(id), fmt.Sprintf("there is no step %s", first), fmt.Sprintf("1 to %d", c.steps))
		}
		return
	}
	if _, ok := c.ids[first]; !ok {
		all := make([]string, 0, len(c.ids))
		for id := range c.ids {
			all = append(all, id)
		}
		slices.Sort(all)
		c.at(pos, len(id), fmt.Sprintf("no step has the id %q", first), didYouMean(first, all))
	}
}

// lengthOf returns the bytes that a request moves, where that is known.
func (c *checker) lengthOf(w *WR) *sim.Bytes {
	var sum sim.Bytes
	for _, g := range w.SGE {
		n := g.Length
		if n == nil {
			if d := c.scope.get(g.MR.Host, g.MR.Name); d != nil && d.length != nil && g.Offset >= 0 && g.Addr == nil {
				rest := *d.length - min(*d.length, sim.Bytes(g.Offset))
				n = &rest
			}
		}
		if n == nil {
			return nil
		}
		sum += *n
	}
	return &sum
}

// refusal reports whether an expectation has the step's verb return an error
// in some world: then it may be written wrongly on purpose.
func refusal(e *Expect) bool {
	if e == nil {
		return false
	}
	if e.BadWR != nil || slices.ContainsFunc(e.Errno, func(x ib.Errno) bool { return x != ib.OK }) {
		return true
	}
	if e.Rereg != nil && *e.Rereg != ib.ReregOK || e.Not != nil && slices.Contains(e.Not.Errno, ib.OK) {
		return true
	}
	for i := range e.Any {
		if refusal(&e.Any[i]) {
			return true
		}
	}
	for i := range e.Under {
		if refusal(&e.Under[i].Value) {
			return true
		}
	}
	return false
}

// refused reports whether an expectation leaves the step's verb no way to
// succeed.
func refused(e *Expect) bool {
	switch {
	case e == nil:
		return false
	case e.BadWR != nil, len(e.Errno) > 0 && !slices.Contains(e.Errno, ib.OK):
		return true
	case e.Not != nil && slices.Contains(e.Not.Errno, ib.OK):
		return true
	}
	return len(e.Any) > 0 && !slices.ContainsFunc(e.Any, func(x Expect) bool { return !refused(&x) })
}
