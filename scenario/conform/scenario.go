package conform

import (
	"fmt"
	"slices"
	"strings"
)

// Groups returns the groups in the order of the facts.
func (f *Facts) Groups() (groups []string) {
	for i := range f.Cases {
		if !slices.Contains(groups, f.Cases[i].Group) {
			groups = append(groups, f.Cases[i].Group)
		}
	}
	return groups
}

// Scenario returns the file of one group.
func (f *Facts) Scenario(group string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# yaml-language-server: $schema=../schema/scenario.v1.json
# Made from facts/ by go generate ./scenario/conform; not to be edited.
version: 1
kind: scenario
name: conformance-%s
about: >-
  Group %s of what was seen of Linux Soft-RoCE: what the specification asks, and
  under rxe what kernel 6.1 did.
use: rxe
hosts:
  a: {mem: {ba: {at: %#x}}, qp: {qa: {retry_cnt: 2}}}
  b: {mem: {bb: {at: %#x}}, qp: {qb: {retry_cnt: 2}}}
cases:
`, group, group, starts["ba"], starts["bb"])
	for i := range f.Cases {
		if c := &f.Cases[i]; c.Group == group {
			f.scenario(&b, c)
		}
	}
	return []byte(b.String())
}

// scenario writes one case.
func (f *Facts) scenario(b *strings.Builder, c *Case) {
	spec, rxe := views(c, f.Differences)
	w := newWorld(c)
	for _, why := range f.why(c.ID) {
		fmt.Fprintf(b, "  # %s\n", why)
	}
	fmt.Fprintf(b, "  - name: %s\n    id: %s\n", strings.ReplaceAll(c.ID, "+", "_"), c.ID)
	var set []string
	stores := false
	for i := range c.Steps {
		set = append(set, setup(&c.Steps[i])...)
		stores = stores || c.Steps[i].Verb == "store"
	}
	if len(set) > 0 {
		fmt.Fprintf(b, "    set: {%s}\n", strings.Join(set, ", "))
	}
	b.WriteString("    ops:\n")
	for i := range c.Steps {
		s := &c.Steps[i]
		if declares(s) {
			continue
		}
		w.step(b, s, func(v *view) expectation { return v.ofStep(i+1, s, stores && i == len(c.Steps)-1) }, &spec, &rxe)
	}
	if end := write(spec.atEnd(!stores), rxe.atEnd(!stores)); end != "" {
		fmt.Fprintf(b, "    expect: {%s}\n", end)
	}
}

// step writes one step.
func (w *world) step(b *strings.Builder, s *Step, of func(*view) expectation, spec, rxe *view) {
	if s.Verb == "wait" {
		fmt.Fprintf(b, "      - {wait: %s}\n", s.Args[0])
		return
	}
	fmt.Fprintf(b, "      - {on: %s, ", s.Host)
	if _, async := s.get("async"); async {
		b.WriteString("async: true, ")
	}
	b.WriteString(w.act(s))
	if e := write(of(spec), of(rxe)); e != "" {
		fmt.Fprintf(b, ", expect: {%s}", e)
	}
	b.WriteString("}\n")
}

// why returns the differences of a case as sentences.
func (f *Facts) why(id string) (lines []string) {
	for _, r := range f.Reasons {
		var under []string
		for _, d := range f.Differences {
			if d.ID == id && d.Why == r.Name && !slices.Contains(under, d.Variant) {
				under = append(under, d.Variant)
			}
		}
		if len(under) > 0 {
			lines = append(lines, "Differs ("+strings.Join(under, ", ")+"): "+r.Text+".")
		}
	}
	return lines
}

// reason returns a reason by name.
func (f *Facts) reason(name string) Reason {
	for _, r := range f.Reasons {
		if r.Name == name {
			return r
		}
	}
	panic("conform: no reason " + name)
}
