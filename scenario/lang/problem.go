package lang

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// A Source is one text: a file, or a --set flag made by SetFlag.
type Source struct {
	Name string
	Data []byte
	path string     // of a flag: what it sets
	tree *yaml.Node // of a Draft: what stands in the place of the whole text
}

// A Problem is one mistake of the user, with where it stands and what would be
// right.
type Problem struct {
	File         string
	Line, Column int // of a flag Line is negative
	Message      string
	Suggestion   string
	Length       int // characters to underline; 0 means one
}

// Error returns the problem as its first line is printed.
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": " + p.Message)
	switch {
	case p.Suggestion == "":
	case strings.HasSuffix(p.Message, "?"), strings.HasPrefix(p.Suggestion, "("):
		b.WriteString(" " + p.Suggestion)
	case utf8.RuneCountInString(p.Message)+utf8.RuneCountInString(p.Suggestion) > 90:
		b.WriteString(";\n     " + p.Suggestion)
	default:
		b.WriteString("; " + p.Suggestion)
	}
	return b.String()
}

// Shown is how many problems Print shows; the rest is counted.
const Shown = 20

// Print writes the problems, each with the line it stands in and a caret below
// its place, where that line is found in sources.
func Print(w io.Writer, problems []Problem, sources ...Source) {
	for i, p := range problems {
		if i == Shown {
			fmt.Fprintf(w, "… and %d more\n", len(problems)-Shown)
			break
		}
		fmt.Fprintln(w, p.Error())
		if line, found := lineOf(sources, p); found {
			excerpt(w, p, line)
		}
	}
	switch len(problems) {
	case 0:
	case 1:
		fmt.Fprintln(w, "1 mistake")
	default:
		fmt.Fprintf(w, "%d mistakes\n", len(problems))
	}
}

// excerpt writes the line of p and a caret under its column.
func excerpt(w io.Writer, p Problem, line string) {
	runes, column := []rune(line), p.Column
	if strings.TrimSpace(line) == "" || column < 1 || column > len(runes)+1 {
		return
	}
	if len(runes) > widest {
		runes, column = window(runes, column)
		line = string(runes)
	}
	pad := make([]rune, 0, column)
	for _, r := range runes[:column-1] {
		if r != '\t' {
			r = ' '
		}
		pad = append(pad, r)
	}
	length := min(max(p.Length, 1), max(len(runes)+1-column, 1))
	fmt.Fprintf(w, "%4d | %s\n     | %s%s\n", p.Line, line, string(pad), strings.Repeat("^", length))
}

// widest is the longest line that is shown whole.
const widest = 160

// window cuts a long line down to what stands around a column.
func window(runes []rune, column int) ([]rune, int) {
	from := max(0, min(column-widest/2, len(runes)-widest))
	cut := slices.Clone(runes[from:min(from+widest, len(runes))])
	if from > 0 {
		cut[0] = '…'
	}
	if from+widest < len(runes) {
		cut[len(cut)-1] = '…'
	}
	return cut, column - from
}

// lineOf finds the text of the line that p stands in.
func lineOf(sources []Source, p Problem) (string, bool) {
	if p.Line < 1 {
		return "", false
	}
	i := slices.IndexFunc(sources, func(s Source) bool { return s.Name == p.File && s.path == "" })
	if i < 0 {
		return "", false
	}
	rest := sources[i].Data
	for n := 1; ; n++ {
		line, tail, more := bytes.Cut(rest, []byte("\n"))
		if n == p.Line {
			return strings.TrimRight(string(line), "\r"), utf8.Valid(line)
		}
		if !more {
			return "", false
		}
		rest = tail
	}
}

// A report gathers problems over the sources of one load.
type report struct {
	sources  []Source
	roots    []*yaml.Node // the trees of the sources
	problems []Problem
	seen     map[Problem]bool
}

// add notes p, once.
func (r *report) add(p Problem) {
	if r.seen[p] {
		return
	}
	if r.seen == nil {
		r.seen = map[Problem]bool{}
	}
	r.seen[p] = true
	r.problems = append(r.problems, p)
}

// at notes a problem of length characters at pos.
func (r *report) at(pos Pos, length int, message, suggestion string) {
	r.add(Problem{pos.File, pos.Line, pos.Column, message, suggestion, length})
}

// sorted returns the problems in the order of their sources and positions.
func (r *report) sorted() []Problem {
	rank := func(p Problem) int {
		return slices.IndexFunc(r.sources, func(s Source) bool { return s.Name == p.File })
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(max(a.Line, -a.Line), max(b.Line, -b.Line)),
			cmp.Compare(a.Column, b.Column))
	})
	return r.problems
}

// Placed gives problems that have no place the one that brought them about.
func Placed(problems []Problem, at Pos) {
	for i := range problems {
		if p := &problems[i]; p.File == "" {
			p.File, p.Line, p.Column = at.File, at.Line, at.Column
		}
	}
}
