package golden

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

// A Change is a figure that an update writes otherwise than it was.
type Change struct {
	Run, Figure string
	Old, New    string // with units; "" where there is none
	By          string // "+9.2 %", "" where that means nothing
}

// Update puts new figures in the place of old ones and returns what changes.
// Runs are all that the scenario file has, in order; results[i] is nil for a run
// whose figures stay as they are, since it did not run or should not be
// recorded.
func (f *File) Update(runs []*lang.Scenario, results []*run.Result, model int) (changes []Change) {
	old := f.Runs
	f.Runs = nil
	for i, s := range runs {
		was := find(old, s.Name)
		switch {
		case len(s.Record) == 0:
		case results[i] != nil:
			now := recorded(s, results[i], model)
			if was != nil && len(diff(s.Name, was, &now)) == 0 {
				now.Model = was.Model // nothing of it is of another model
			}
			f.Runs = append(f.Runs, now)
		case was != nil:
			f.Runs = append(f.Runs, *was)
		}
	}
	for i := range old {
		if find(f.Runs, old[i].Name) == nil {
			changes = append(changes, diff(old[i].Name, &old[i], &Run{})...)
		}
	}
	for i := range f.Runs {
		was := find(old, f.Runs[i].Name)
		if was == nil {
			was = &Run{}
		}
		changes = append(changes, diff(f.Runs[i].Name, was, &f.Runs[i])...)
	}
	return changes
}

func find(list []Run, name string) *Run { return (&File{Runs: list}).of(name) }

// recorded returns what a scenario records of a run.
func recorded(s *lang.Scenario, res *run.Result, model int) Run {
	r := Run{Name: s.Name, Model: model}
	list, _ := chosen(s.Record, res)
	for _, c := range list {
		r.Entries = append(r.Entries, Entry{Figure: c.Figure})
	}
	slices.SortFunc(r.Entries, func(a, b Entry) int { return byName(a.Name, b.Name) })
	return r
}

// byName orders names, numbers in them by their value.
func byName(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			n, m := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if c := cmp.Or(cmp.Compare(len(n), len(m)), strings.Compare(n, m)); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits counts those that a text begins with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// diff returns what differs between two recordings of a run.
func diff(name string, was, now *Run) (list []Change) {
	old := map[string]run.Figure{}
	for _, e := range was.Entries {
		old[e.Name] = e.Figure
	}
	for _, e := range now.Entries {
		before, known := old[e.Name]
		delete(old, e.Name)
		switch {
		case !known:
			list = append(list, Change{Run: name, Figure: e.Name, New: Text(e.Figure)})
		case before != e.Figure:
			by := strings.Trim(change(before, e.Figure), " ()")
			list = append(list, Change{name, e.Name, Text(before), Text(e.Figure), by})
		}
	}
	for _, e := range was.Entries {
		if f, gone := old[e.Name]; gone {
			list = append(list, Change{Run: name, Figure: e.Name, Old: Text(f)})
		}
	}
	return list
}

// Write writes the file.
func (f *File) Write(w io.Writer) error {
	var b bytes.Buffer
	scenario, _ := Owner(f.Path)
	fmt.Fprintf(&b, "# Figures that %s records. hcasim test holds it to them, and with --update\n# writes them anew.\nversion: 1\nkind: golden\nruns:\n", filepath.Base(scenario))
	for i := range f.Runs {
		r := &f.Runs[i]
		fmt.Fprintf(&b, "  - run: %s\n    model: %d\n    figures:\n", word(r.Name), r.Model)
		for _, e := range r.Entries {
			fmt.Fprintf(&b, "      %s: %s\n", word(e.Name), Text(e.Figure))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// word writes a name so that YAML reads it as that text.
func word(s string) string {
	plain := s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-") == "" && s[0] > '9'
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}
