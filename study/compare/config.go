package compare

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"hcasim/scenario"
)

// A Change is something that was configured otherwise.
type Change struct {
	Path      string // of a parameter, or of what the file says
	Base, New string // "" where it says nothing
}

// settings are the values of one side by path.
type settings struct {
	order  []string
	values map[string]string
}

func settingsOf(lines []scenario.Line) *settings {
	s := &settings{values: map[string]string{}}
	for _, l := range lines {
		s.put(l.Path, l.Value)
	}
	return s
}

func (s *settings) put(path, value string) {
	if _, known := s.values[path]; !known {
		s.order = append(s.order, path)
	}
	s.values[path] = value
}

// own finds the parameters of one host.
var own = regexp.MustCompile(`^hosts\.[^.]+\.((?:hca|host|wire)\..*)$`)

// value returns what holds at a path: of a host that says nothing itself, what
// is said of both.
func (s *settings) value(path string) (string, bool) {
	if v, said := s.values[path]; said {
		return v, true
	}
	if m := own.FindStringSubmatch(path); m != nil {
		v, said := s.values[m[1]]
		return v, said
	}
	return "", false
}

// titles are what is said of both sides elsewhere, or decides nothing.
var titles = regexp.MustCompile(`^(version|kind|name|about|profile|run\.seed|variant(\..*)?)$`)

var step = regexp.MustCompile(`^ops\[(\d+)\]`)

// configuration returns what differs in the configurations, in the order of the
// base, and behind it what only the other has.
func configuration(base, other []scenario.Line) (list []Change) {
	a, b := settingsOf(base), settingsOf(other)
	steps := a.steps() == b.steps()
	if !steps {
		list = append(list, Change{"steps", fmt.Sprint(a.steps()), fmt.Sprint(b.steps())})
	}
	paths := append([]string{}, a.order...)
	for _, p := range b.order {
		if _, known := a.values[p]; !known {
			paths = append(paths, p)
		}
	}
	for _, p := range paths {
		if titles.MatchString(p) || !steps && step.MatchString(p) {
			continue
		}
		v, said := a.value(p)
		w, also := b.value(p)
		if v != w || said != also {
			list = append(list, Change{p, v, w})
		}
	}
	return list
}

// steps counts the steps of a scenario.
func (s *settings) steps() (n int) {
	for _, p := range s.order {
		if m := step.FindStringSubmatch(p); m != nil {
			if k, err := strconv.Atoi(m[1]); err == nil {
				n = max(n, k)
			}
		}
	}
	return n
}

// words returns the differences that are no path of a file.
func words(a, b *side) (list []Change) {
	say := func(what, x, y string) {
		if x != y {
			list = append(list, Change{what, x, y})
		}
	}
	if a.model != 0 && b.model != 0 {
		say("version of the model", fmt.Sprint(a.model), fmt.Sprint(b.model))
	}
	if a.run != nil && b.run != nil {
		x, y := a.run, b.run
		say("scenario", x.Name, y.Name)
		say("profile", x.Profile, y.Profile)
		say("variant", x.Variant, y.Variant)
		say("seed", fmt.Sprint(x.Seed), fmt.Sprint(y.Seed))
		return list
	}
	say("study", a.sweep.Name, b.sweep.Name)
	say("question", a.sweep.Question, b.sweep.Question)
	say("axes", strings.Join(a.sweep.axes, ", "), strings.Join(b.sweep.axes, ", "))
	return list
}
