package sweep

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// Options say how to read a study.
type Options struct {
	Short   bool     // its short form
	Sets    []string // path=value, over every point
	Library string   // folder with openings and profiles of the user's; "" for none
	Workers int      // points that are read at a time; at least 1
	Heads   bool     // without reading the scenarios of the points: no Digests
}

// Load reads a study and, unless Heads, the scenarios of all its points: what
// is wrong with one is told before any runs. The error is a *scenario.Mistakes.
func Load(name string, o Options) (*Study, error) {
	src, problems := lang.ReadFile(name)
	if len(problems) > 0 {
		return nil, &scenario.Mistakes{Problems: problems}
	}
	return Read(src, o)
}

// Read reads the text of a study as Load does.
func Read(src lang.Source, o Options) (*Study, error) {
	s, r := read(src, &o)
	sources := []lang.Source{src}
	var beyond []lang.Problem
	if s != nil {
		s.texts.options = scenario.Options{Folder: o.Library, Profiles: scenario.NewProfiles(o.Library)}
		if !o.Heads && r.whole {
			if hosts := s.hosts(); hosts != nil {
				r.strange(hosts)
			}
			var wrong []lang.Problem
			wrong, sources = s.check(o.Workers)
			for _, p := range wrong {
				if p.File == src.Name {
					r.Add(p)
				} else {
					beyond = append(beyond, p)
				}
			}
		}
	}
	if problems := append(r.Problems(), beyond...); len(problems) > 0 {
		return nil, &scenario.Mistakes{Problems: problems, Sources: sources}
	}
	return s, nil
}

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

// texts are the files that points run, each read once.
type texts struct {
	options scenario.Options
	mu      sync.Mutex
	read    map[string]*baseText
}

// A baseText is a file, or why there is none.
type baseText struct {
	src      lang.Source
	problems []lang.Problem
}

func (t *texts) file(name string) *baseText {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.read == nil {
		t.read = map[string]*baseText{}
	}
	if t.read[name] == nil {
		src, problems := lang.ReadFile(name)
		t.read[name] = &baseText{src, problems}
	}
	return t.read[name]
}

// Run returns the scenario of a point. The error is a *scenario.Mistakes, whose
// places are those of the study where it says what is wrong.
func (s *Study) Run(i int) (*scenario.Run, error) {
	p := s.Point(i)
	return s.run(s.place(&p), s.settings(&p))
}

func (s *Study) run(at place, settings []Setting) (*scenario.Run, error) {
	t := s.texts.file(at.file)
	if len(t.problems) > 0 {
		p := t.problems[0]
		return nil, &scenario.Mistakes{Problems: []lang.Problem{at.problem("base "+p.File+": "+p.Message, "")}}
	}
	o := s.texts.options
	places := map[string]Setting{}
	for _, one := range settings {
		o.Sets = append(o.Sets, one.Path+"="+one.Value)
		places["--set "+one.Path] = one
	}
	for _, flag := range s.Sets {
		o.Sets = append(o.Sets, flag)
		if f, fine := lang.SetFlag(flag); fine {
			delete(places, f.Name)
		}
	}
	runs, err := scenario.ReadSource(t.src, o)
	if err != nil {
		return nil, placed(err, places)
	}
	return at.chosen(runs)
}

// placed moves mistakes of settings to where the study says them: to the path
// if there is no such parameter, else to the value.
func placed(err error, places map[string]Setting) error {
	var m *scenario.Mistakes
	if !errors.As(err, &m) {
		return err
	}
	for i := range m.Problems {
		p := &m.Problems[i]
		one, ours := places[p.File]
		at, word := one.At, one.Value
		if strings.Contains(p.Message, "unknown") {
			at, word = one.Name, one.Path
		}
		switch {
		case !ours || at.File == "":
			continue
		case at.Line == 0: // a flag
			p.File, p.Line = at.File, 0
			continue
		}
		p.File, p.Line, p.Column, p.Length = at.File, at.Line, at.Column, utf8.RuneCountInString(word)
		if !strings.Contains(p.Message, one.Path) {
			p.Message = one.Path + ": " + p.Message
		}
	}
	return m
}

func (at place) problem(message, suggestion string) lang.Problem {
	return lang.Problem{File: at.pos.File, Line: at.pos.Line, Column: at.pos.Column, Message: message, Suggestion: suggestion}
}

// chosen returns the run that a place names among those of its file.
func (at place) chosen(runs []*scenario.Run) (*scenario.Run, error) {
	var names []string
	for _, one := range runs {
		switch {
		case one.Case == nil && at.name == "":
			return one, nil
		case one.Case != nil && one.Case.Name == at.name:
			return one, nil
		case one.Case != nil:
			names = append(names, one.Case.Name)
		}
	}
	p := at.problem(fmt.Sprintf("the base has no case %q", at.name), lang.DidYouMean(at.name, names))
	switch {
	case names == nil:
		p.Message, p.Suggestion = "the base has no cases", "leave out case:"
	case at.name == "":
		p = at.problem(fmt.Sprintf("the base has %d cases, and a study runs one", len(names)), "case: "+names[0])
	}
	return nil, &scenario.Mistakes{Problems: []lang.Problem{p}}
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

// Inputs is a digest of all that the study is read from: equal ones make equal
// points, without looking at them. Openings and profiles of a library are not
// in it.
func (s *Study) Inputs() (sum [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintf(h, "model %d short %v sets %q\n", scenario.ModelVersion, s.Short, s.Sets)
	h.Write(s.source.Data)
	files := []string{s.base.file}
	for _, a := range s.Axes {
		for _, v := range a.given {
			files = append(files, v.base.file)
		}
	}
	slices.Sort(files)
	for _, name := range slices.Compact(files) {
		if name != "" {
			fmt.Fprintf(h, "\n%s %d\n", filepath.Base(name), len(s.texts.file(name).src.Data))
			h.Write(s.texts.file(name).src.Data)
		}
	}
	h.Sum(sum[:0])
	return sum
}

// Source returns the study as it was written.
func (s *Study) Source() lang.Source { return s.source }
