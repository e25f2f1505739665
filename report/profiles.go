package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"hcasim/scenario/config"
	"hcasim/scenario/lang"
)

// profilesIn finds the profiles of a user's folder, and those that the program
// carries.
func profilesIn(library string) *config.Library {
	if library == "" {
		return config.NewLibrary("")
	}
	return config.NewLibrary(filepath.Join(library, "profiles"))
}

// Profiles lists the profiles that there are.
func Profiles(w io.Writer, library string) error {
	list, problems := profilesIn(library).List()
	if len(problems) > 0 {
		return mistakes(problems)
	}
	g := &grid{columns: []column{left("profile"), right("values"), right("estimates"), left("base"), left("usual host"), left("about")}}
	for _, p := range list {
		g.row(p.Name, fmt.Sprint(p.Values), fmt.Sprint(p.Estimates), baseOf(p), p.Host, firstSentence(p.About))
	}
	return g.plain(w)
}

// baseOf names what a profile lies over, "" for nothing.
func baseOf(p *config.Profile) string {
	if p.Base == nil {
		return ""
	}
	return p.Base.Name
}

// firstSentence cuts a text after its first full stop.
func firstSentence(text string) string {
	first, _, more := strings.Cut(text, ". ")
	if more {
		return first + "."
	}
	return text
}

// ProfileNames returns the names of all profiles, for completion.
func ProfileNames(library string) (names []string) {
	list, _ := profilesIn(library).List()
	for _, p := range list {
		names = append(names, p.Name+"\t"+firstSentence(p.About))
	}
	return names
}

// Profile shows one: each value with its source.
func Profile(w io.Writer, name, library string) error {
	l := profilesIn(library)
	p, problems := l.Profile(name)
	if len(problems) > 0 {
		return mistakes(problems)
	}
	s := config.New[config.World]()
	if problems := s.Use(p); len(problems) > 0 {
		return mistakes(problems)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n", p.Name, wrap(p.About, 80))
	if p.Base != nil {
		fmt.Fprintf(&b, "laid over %s, whose values are estimates here\n", p.Base.Name)
	}
	if p.Host != "" {
		fmt.Fprintf(&b, "usual host %s, whose values come with it\n", p.Host)
	}
	if p.MostlyEstimates() {
		fmt.Fprintf(&b, "results are extrapolation: %d of %d values are estimates\n", p.Estimates, p.Values)
	} else if p.Values > 0 {
		fmt.Fprintf(&b, "%d values, of which %d are estimates\n", p.Values, p.Estimates)
	}
	g := &grid{columns: []column{left("parameter"), right("value"), left("fitted on"), left("source")}}
	for _, param := range config.Describe(&s.Params) {
		if source := p.Source(param.Path); source != "" {
			v, _ := s.Value(param.Path)
			g.row(param.Path, v, strings.Join(p.FittedOn(param.Path), ", "), source)
		}
	}
	if len(g.rows) > 0 {
		if err := g.plain(&b); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// mistakes makes an error of problems.
func mistakes(problems []lang.Problem) error {
	var lines []string
	for _, p := range problems {
		lines = append(lines, strings.Replace(strings.TrimPrefix(p.Error(), ": "), "; (", " (", 1))
	}
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}

// wrap breaks a text into lines of at most so many characters.
func wrap(text string, width int) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case at == 0:
		case at+1+n > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
