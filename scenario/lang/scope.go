package lang

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/sim"
)

// A decl is a name as the checks know it.
type decl struct {
	kind   Kind
	host   string
	name   string
	count  int // elements of an array; 0 for a single object
	pos    Pos
	gone   bool       // destroyed by a step
	peer   Ref        // of a queue pair
	length *sim.Bytes // of a buffer or region, where it is known
}

// A scope is all names that exist at one point of a scenario.
type scope struct {
	hosts []string
	decls map[string]*decl // by HOST.NAME
	order []*decl
}

// copied returns a scope that can grow by itself.
func (s *scope) copied() *scope {
	c := &scope{hosts: s.hosts, decls: make(map[string]*decl, len(s.decls))}
	for _, d := range s.order {
		own := *d
		c.decls[d.host+"."+d.name] = &own
		c.order = append(c.order, &own)
	}
	return c
}

func (s *scope) get(host, name string) *decl { return s.decls[host+"."+name] }

// first returns the first object of a kind on a host, nil if there is none.
func (s *scope) first(host string, kind Kind) *decl {
	for _, d := range s.order {
		if d.host == host && d.kind == kind && !d.gone {
			return d
		}
	}
	return nil
}

// names lists the objects of some kinds on a host.
func (s *scope) names(host, kinds string) (names []string) {
	for _, d := range s.order {
		if d.host == host && d.kind.in(kinds) {
			names = append(names, d.name)
		}
	}
	return names
}

// having returns the hosts that have an object of this name.
func (s *scope) having(name string) (hosts []string) {
	for _, h := range s.hosts {
		if s.get(h, name) != nil {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// reserved words cannot be names: they mean something where names stand.
var reserved = []string{"none", "all", "stale", "current", "random", "swapped", "unchanged", "count", "distinct", "counting", "new"}

// declare adds a name.
func (c *checker) declare(n Name, d decl) *decl {
	d.name, d.pos = n.Text, n.Pos
	if n.Text == "" {
		return &d
	}
	if slices.Contains(reserved, n.Text) {
		c.at(n.Pos, len(n.Text), fmt.Sprintf("%q cannot be a name", n.Text), "it is a word of the language")
	}
	if was := c.scope.get(d.host, n.Text); was != nil && !was.gone {
		c.at(n.Pos, len(n.Text), fmt.Sprintf("%q is declared twice on host %s", n.Text, d.host),
			fmt.Sprintf("the first, a %s, is at %s:%d", was.kind, was.pos.File, was.pos.Line))
		return was
	} else if was != nil {
		*was = d
		return was
	}
	c.scope.decls[d.host+"."+d.name] = &d
	c.scope.order = append(c.scope.order, &d)
	return &d
}

// How a name may be searched.
type search struct {
	hosts    []string // in this order
	anywhere bool     // and then on all others, if only one has it
	arrays   bool     // a whole array is fine
	kinds    string   // words, with commas
	none     bool     // the word none is fine
}

// resolve completes a reference, or notes why it cannot.
func (c *checker) resolve(r *Ref, s search) *decl {
	if !r.Given() || s.none && r.Name == None {
		return nil
	}
	d := c.lookup(r, s)
	if d == nil {
		return nil
	}
	length := len(r.Name)
	switch {
	case !d.kind.in(s.kinds):
		c.at(r.Pos, length, fmt.Sprintf("%s is a %s, not a %s", r.Name, d.kind, strings.ReplaceAll(s.kinds, ",", " or ")), "")
		return nil
	case r.Index != Whole && d.count == 0:
		c.at(r.Pos, length, fmt.Sprintf("%s is no array", r.Name), "")
	case r.Index >= d.count && r.Index != Whole:
		c.at(r.Pos, length, fmt.Sprintf("%s has no element %d", r.Name, r.Index), fmt.Sprintf("0 to %d", d.count-1))
	case r.Index == Whole && d.count > 0 && !s.arrays:
		c.at(r.Pos, length, fmt.Sprintf("%s is an array of %d", r.Name, d.count), fmt.Sprintf("say which, such as %s#0", r.Name))
	}
	r.Host, r.Kind = d.host, d.kind
	return d
}

// lookup finds the object that r names.
func (c *checker) lookup(r *Ref, s search) *decl {
	length := len(r.Name)
	if r.Host != "" {
		if !slices.Contains(c.scope.hosts, r.Host) {
			c.at(r.Pos, len(r.Host), fmt.Sprintf("host %q is not declared", r.Host), didYouMean(r.Host, c.scope.hosts))
			return nil
		}
		s.hosts, s.anywhere = []string{r.Host}, false
	}
	for _, h := range s.hosts {
		if d := c.scope.get(h, r.Name); d != nil {
			return d
		}
	}
	if s.anywhere {
		switch all := c.scope.having(r.Name); len(all) {
		case 1:
			return c.scope.get(all[0], r.Name)
		case 0:
		default:
			c.at(r.Pos, length, fmt.Sprintf("%s is on several hosts", r.Name), fmt.Sprintf("say which, such as %s.%s", all[0], r.Name))
			return nil
		}
	}
	c.missing(r, s)
	return nil
}

// missing notes that there is no object of r's name.
func (c *checker) missing(r *Ref, s search) {
	kind := strings.ReplaceAll(s.kinds, ",", " or ") + " "
	if strings.Count(kind, " ") > 3 {
		kind = ""
	}
	where, hosts := "", s.hosts
	if len(s.hosts) == 1 && !s.anywhere {
		where = " on host " + s.hosts[0]
	} else {
		hosts = c.scope.hosts
	}
	var known []string
	for _, h := range hosts {
		known = append(known, c.scope.names(h, s.kinds)...)
	}
	message := fmt.Sprintf("%s%q is not declared%s", kind, r.Name, where)
	if len(known) > 0 && len(known) <= 8 {
		message += " (" + strings.Join(known, ", ") + ")"
	}
	near := nearest(r.Name, known)
	switch {
	case c.later[r.Name].Line != 0:
		near = fmt.Sprintf("it is made later, in line %d", c.later[r.Name].Line)
	case near != "":
		near = fmt.Sprintf("did you mean %q?", near)
	case len(s.hosts) == 1 && !s.anywhere && len(c.scope.having(r.Name)) > 0:
		near = fmt.Sprintf("%s is on host %s", r.Name, strings.Join(c.scope.having(r.Name), " and "))
	}
	c.at(r.Pos, len(r.Name), message, near)
}
