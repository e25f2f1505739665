package sweep

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// Check reads a study in all its forms and returns how many points it has. The
// error is a *scenario.Mistakes.
func Check(name string, o Options) (points int, err error) {
	s, err := Load(name, o)
	o.Short = true
	_, short := Load(name, o)
	var m, also *scenario.Mistakes
	errors.As(err, &m)
	if !errors.As(short, &also) {
		if m != nil {
			return 0, m
		}
		return s.Count(), nil
	}
	if m == nil {
		return 0, also
	}
	for _, p := range also.Problems {
		if !slices.ContainsFunc(m.Problems, func(o lang.Problem) bool { return o.File == p.File && o.Line == p.Line && o.Column == p.Column }) {
			m.Problems = append(m.Problems, p)
		}
	}
	return 0, m
}

// check reads the scenarios of all points and keeps their digests.
func (s *Study) check(workers int) ([]lang.Problem, []lang.Source) {
	c := &checking{study: s, wrong: make([]*scenario.Mistakes, s.Count())}
	s.Digests = make([][sha256.Size]byte, s.Count())
	var group errgroup.Group
	group.SetLimit(max(1, workers))
	const bundle = 16
	for from := 0; from < s.Count(); from += bundle {
		group.Go(func() error {
			for i := from; i < min(from+bundle, s.Count()); i++ {
				run, err := s.Run(i)
				if err == nil {
					s.Digests[i] = run.Digest()
					continue
				}
				if !errors.As(err, &c.wrong[i]) {
					panic("sweep: " + err.Error())
				}
			}
			return nil
		})
	}
	_ = group.Wait() // mistakes are gathered
	return c.gather()
}

// hosts returns the names of the hosts of the base; nil when there are several,
// or one that cannot be read by itself.
func (s *Study) hosts() (names []string) {
	if s.base.file == "" || slices.ContainsFunc(s.Axes, func(a *Axis) bool {
		return slices.ContainsFunc(a.given, func(v *Value) bool { return v.base.file != "" })
	}) {
		return nil
	}
	run, err := s.run(s.base, nil)
	if err != nil {
		return nil
	}
	for i := range run.Hosts {
		names = append(names, run.Hosts[i].Name)
	}
	return names
}

// checking is what the points are found to be wrong with.
type checking struct {
	study *Study
	wrong []*scenario.Mistakes // of each point, nil for none
}

// gather joins mistakes of one place, and says at which points they are made
// unless it is all.
func (c *checking) gather() (problems []lang.Problem, sources []lang.Source) {
	type found struct {
		problem lang.Problem
		first   int
		points  int
	}
	var order []lang.Pos
	all := map[lang.Pos]*found{}
	known := map[string]lang.Source{c.study.source.Name: c.study.source}
	for i, m := range c.wrong {
		if m == nil {
			continue
		}
		for _, s := range m.Sources {
			if _, is := known[s.Name]; !is {
				known[s.Name] = s
			}
		}
		seen := map[lang.Pos]bool{}
		for _, p := range m.Problems {
			at := lang.Pos{File: p.File, Line: p.Line, Column: p.Column}
			if seen[at] {
				continue
			}
			seen[at] = true
			if all[at] == nil {
				all[at] = &found{problem: p, first: i}
				order = append(order, at)
			}
			all[at].points++
		}
	}
	for _, at := range order {
		f := all[at]
		if f.points < c.study.Count() && at.File != c.study.source.Name {
			point := c.study.Point(f.first)
			where := fmt.Sprintf("at point %d: %s", f.first, c.study.Said(point.Values))
			if f.points > 1 {
				where = fmt.Sprintf("at %d points, first at %d: %s", f.points, f.first, c.study.Said(point.Values))
			}
			f.problem.Message += " (" + where + ")"
		}
		problems = append(problems, f.problem)
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		sources = append(sources, known[name])
	}
	return problems, sources
}
