package lang

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// run checks steps in their order.
func (c *checker) run(steps []Step) {
	for i := range steps {
		c.step(&steps[i])
	}
}

// step completes one step.
func (c *checker) step(s *Step) {
	switch a := s.Do.(type) {
	case nil:
		return
	case *Loop:
		for _, round := range a.Rounds {
			c.run(round)
		}
	case *Parallel:
		for _, branch := range a.Branches {
			c.run(branch)
		}
	case *Wait:
	default:
		if !c.actor(s) {
			return
		}
		c.verb(s, s.On.Text)
	}
	if s.After != nil {
		c.host(s.After.On)
		if w := s.After.Stage; w != "" && !slices.Contains(Stages, w) {
			c.in(s.After.Pos, "at", fmt.Sprintf("stage %q is not known", w), didYouMean(w, Stages))
		}
	}
	if s.Expect != nil {
		c.expect(s.Expect, s)
	}
}

// host notes a host that does not exist.
func (c *checker) host(n Name) bool {
	if n.Text == "" || slices.Contains(c.scope.hosts, n.Text) {
		return true
	}
	if len(c.scope.hosts) == 0 && len(c.problems) > 0 {
		return false // hosts: could not be read
	}
	c.at(n.Pos, len(n.Text), fmt.Sprintf("host %q is not declared", n.Text), didYouMean(n.Text, c.scope.hosts))
	return false
}

// actor completes the host of a step: said, or the one that has what the step
// names, or the only one.
func (c *checker) actor(s *Step) bool {
	if s.On.Text != "" {
		return c.host(s.On)
	}
	for _, r := range ownRefs(reflect.ValueOf(s.Do).Elem(), nil) {
		hosts := c.scope.having(r.Name)
		if r.Host != "" {
			hosts = []string{r.Host}
		}
		if len(hosts) == 1 {
			s.On = Name{r.Pos, hosts[0]}
			return c.host(s.On)
		}
	}
	if len(c.scope.hosts) == 1 {
		s.On = Name{s.Pos, c.scope.hosts[0]}
		return true
	}
	if f, ok := s.Do.(*Fault); ok {
		if f.From.Text != "" {
			s.On = f.From
			return c.host(s.On)
		}
	}
	advice := "hosts: declares them"
	if len(c.scope.hosts) > 0 {
		advice = "on: " + strings.Join(c.scope.hosts, " or ")
	}
	c.at(s.Pos, 1, "on which host?", advice)
	return false
}

// ownRefs returns the references of an act that name objects of its own host.
func ownRefs(v reflect.Value, refs []Ref) []Ref {
	switch x := v.Interface().(type) {
	case Ref:
		if x.Given() && x.Name != None {
			return append(refs, x)
		}
		return refs
	case Remote, KeyExpr, Data:
		return refs
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return ownRefs(v.Elem(), refs)
		}
	case reflect.Slice:
		for i := range v.Len() {
			refs = ownRefs(v.Index(i), refs)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && f.Name != "Peer" && f.Name != "Target" && f.Type != reflect.TypeFor[Pos]() {
				refs = ownRefs(v.Field(i), refs)
			}
		}
	}
	return refs
}

// references looks at the ids that steps name, once all are known.
func (c *checker) references(steps []Step) {
	for i := range steps {
		s := &steps[i]
		if s.After != nil {
			c.known(s.After.ID, s.After.Pos)
		}
		switch a := s.Do.(type) {
		case *Wait:
			for _, id := range a.IDs {
				if id.Text != "all" {
					c.known(id.Text, id.Pos)
					c.begun(id, s.Number)
				}
			}
		case *Fault:
			c.known(a.Of, a.Pos)
		case *Loop:
			for _, round := range a.Rounds {
				c.references(round)
			}
		case *Parallel:
			for _, branch := range a.Branches {
				c.references(branch)
			}
		}
		c.expected(s.Expect)
	}
}

// begun notes a wait for a step that has not begun: it would never end.
func (c *checker) begun(id Name, step int) {
	if n := c.stepOf(id.Text); n >= step && n <= c.steps {
		c.at(id.Pos, len(id.Text), fmt.Sprintf("%s has not begun here", id.Text), "a step waits for steps before it")
	}
}

// stepOf returns the number of the step that an id is of, 0 if there is none.
func (c *checker) stepOf(id string) int {
	first, _, _ := strings.Cut(id, ".")
	if n, err := strconv.Atoi(first); err == nil {
		return n
	}
	return c.ids[first].step
}

// expected looks at the ids in an expectation.
func (c *checker) expected(e *Expect) {
	if e == nil {
		return
	}
	c.known(e.NoBytesAfter, e.Pos)
	c.bounds(e)
	for i := range e.At {
		for _, o := range e.At[i].Value.Objects {
			c.known(o.StillSince, o.Pos)
			c.known(o.MovedSince, o.Pos)
		}
	}
	for i := range e.Any {
		c.expected(&e.Any[i])
	}
	c.expected(e.Not)
	for i := range e.Under {
		c.expected(&e.Under[i].Value)
	}
}
