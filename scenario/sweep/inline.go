package sweep

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// Inline is a grid over a scenario that no file says: every combination of
// some values, with the seed of the scenario.
type Inline struct {
	File string
	Case string   // of the file; "" for none
	Axes []string // PATH=a,b,c
	Flag string   // that says them, for messages
	Sets []string // path=value, over every point
	Options
}

// Study returns the grid. The error is a *scenario.Mistakes.
func (g Inline) Study() (*Study, error) {
	s := &Study{
		Name: g.File, Repeat: 1, Seed: 1, Keep: "summary", Sets: g.Sets, seeded: true,
		base:  place{file: g.File, name: g.Case, pos: lang.Pos{File: g.File}},
		texts: &texts{options: scenario.Options{Folder: g.Library, Profiles: scenario.NewProfiles(g.Library)}},
	}
	var problems []lang.Problem
	for _, text := range g.Axes {
		a, wrong := g.axis(s, text)
		if wrong != nil {
			problems = append(problems, *wrong)
			continue
		}
		s.Axes = append(s.Axes, a)
	}
	if len(problems) > 0 {
		return nil, &scenario.Mistakes{Problems: problems}
	}
	r := &reader{study: s}
	if n := r.size(); n > MaxPoints {
		return nil, &scenario.Mistakes{Problems: []lang.Problem{{
			File: g.Flag, Message: tooMany("the grid", n, MaxPoints),
			Suggestion: "design: {lhs: 1000} of a study draws some of them, its limits: {points: …} allows more (hcasim init --template sweep)",
		}}}
	}
	r.grid()
	if problems, sources := s.check(g.Workers); len(problems) > 0 {
		return nil, &scenario.Mistakes{Problems: problems, Sources: sources}
	}
	return s, nil
}

// axis reads one flag.
func (g Inline) axis(s *Study, text string) (*Axis, *lang.Problem) {
	to, list, found := strings.Cut(text, "=")
	at := lang.Pos{File: g.Flag + " " + to}
	wrong := func(message, suggestion string) (*Axis, *lang.Problem) {
		return nil, &lang.Problem{File: at.File, Message: message, Suggestion: suggestion}
	}
	values := split(list)
	switch {
	case !found || to == "" || strings.ContainsAny(to, " \t") || slices.Contains(values, ""):
		return wrong("wants PATH=VALUE,VALUE", "such as "+g.Flag+" hca.cache.mpt.entries=64,256,1024")
	case slices.ContainsFunc(s.Axes, func(o *Axis) bool { return o.paths[0].text == to }):
		return wrong("is varied twice", "")
	case slices.ContainsFunc(g.Sets, func(set string) bool { return strings.HasPrefix(set, to+"=") }):
		return wrong("is varied, and set by another flag too", "")
	}
	a := &Axis{Name: g.called(s, to), paths: []path{{to, at}}}
	a.Label = a.Name
	for _, v := range values {
		if slices.ContainsFunc(a.given, func(o *Value) bool { return o.Text == v }) {
			return wrong(fmt.Sprintf("has %q twice", v), "")
		}
		one := &Value{Text: v}
		a.put(one, v, at)
		a.given = append(a.given, one)
	}
	a.place(a.given)
	a.settle()
	return a, nil
}

// called is the last word of a path, or as many as no other axis is called.
func (g Inline) called(s *Study, path string) string {
	words := strings.Split(path, ".")
	for n := 1; n < len(words); n++ {
		if name := strings.Join(words[len(words)-n:], "."); s.axis(name) == nil {
			return name
		}
	}
	return path
}

// split splits a list at the commas that are in no brackets.
func split(list string) (values []string) {
	depth, from := 0, 0
	for i, c := range list {
		switch {
		case strings.ContainsRune("[{(", c):
			depth++
		case strings.ContainsRune("]})", c):
			depth--
		case c == ',' && depth == 0:
			values = append(values, strings.TrimSpace(list[from:i]))
			from = i + 1
		}
	}
	return append(values, strings.TrimSpace(list[from:]))
}
