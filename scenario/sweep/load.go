package sweep

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

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
