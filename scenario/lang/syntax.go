package lang

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// beginnings are those of files that are no text, and what they are.
var beginnings = []struct{ bytes, what string }{
	{"\xff\xfe", "this is text in UTF-16"}, {"\xfe\xff", "this is text in UTF-16"},
	{"\x1f\x8b", "this file is compressed"}, {"PK\x03\x04", "this file is compressed"},
	{"\xd4\xc3\xb2\xa1", "this is a capture of packets"}, {"\x0a\x0d\x0d\x0a", "this is a capture of packets"},
}

// noText says why data is no text, or none that has lines, and where; "" if it
// is one.
func noText(data []byte) (line, column int, why string) {
	for _, b := range beginnings {
		if bytes.HasPrefix(data, []byte(b.bytes)) {
			return 1, 1, b.what
		}
	}
	line, column = 1, 1
	for rest := data; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1:
			return line, column, fmt.Sprintf("this is no text: byte 0x%02x is none of UTF-8", rest[0])
		case r == 0x7f, r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return line, column, fmt.Sprintf("this is no text: it has a control character, 0x%02x", r)
		case r == '\u0085', r == '\u2028', r == '\u2029':
			return line, column, fmt.Sprintf("%U ends a line for YAML, and for no editor: no place behind it could be told", r)
		case r == '\n':
			line, column = line+1, 0
		}
		rest, column = rest[n:], column+1
	}
	return 0, 0, ""
}

// wordings are what the reader of YAML says of common slips, what is said here,
// and what would be right.
var wordings = []struct{ theirs, ours, suggestion string }{
	{"did not find expected ',' or ']'", "a [ before here is not closed", "each entry but the last ends with , and the list with ]"},
	{"did not find expected ',' or '}'", "a { before here is not closed", "each member but the last ends with , and the mapping with }"},
	{"found unexpected end of stream", "a quote is not closed", ""},
	{"did not find expected node content", "a [ or a { before here is not closed", ""},
	{"did not find expected key", "this fits nothing above", inOneColumn},
	{"did not find expected <document start>", "this fits nothing above", inOneColumn},
	{"did not find expected '-' indicator", "this fits nothing above", "entries of one list begin in one column, each with a -"},
	{"block sequence entries are not allowed", "no list begins here", "its - stand each at the beginning of a line"},
	{"did not find expected comment or line break", "| and > begin a text, which stands in the lines below", "quote a value that has them"},
	{"did not find expected alphabetic or numeric character", "& and * begin the name of an anchor", "quote a value that has them"},
	{"expected directive name", "a line that begins with % is for YAML itself", "quote what is meant as a value"},
	{"unexpected non-alphabetical character", "a line that begins with % is for YAML itself", "quote what is meant as a value"},
	{"mapping values are not allowed", "a second : in one line", `quote a text that has ": " in it, such as "a: b"`},
	{"unknown escape character", "there is no such escape", `in 'single quotes' a \ is itself`},
	{"exceeded max depth", fmt.Sprintf("nested more than %d deep", deepest), "a scenario needs some ten levels"},
	{"incompatible YAML document", "this version of YAML is not known", "leave out the line %YAML"},
}

const inOneColumn = "members of one mapping begin in one column"

// folded is a > that begins a text of several lines, or is no value.
var folded = regexp.MustCompile(`: >[-+0-9]*[ \t]*(#.*)?\r?$`)

// LoadYAML reads a text. What is wrong with it is a problem with its place in a
// file that has no name yet.
func LoadYAML(text []byte, doc *yaml.Node) (p Problem, ok bool) {
	if line, column, why := noText(text); why != "" {
		return Problem{Line: line, Column: column, Message: why, Suggestion: "hcasim reads YAML in UTF-8"}, false
	}
	if err := load(text, doc); err != nil {
		p = syntax(err, text)
		p.Line, p.Column = max(p.Line, 1), max(p.Column, 1)
		return p, false
	}
	return Problem{}, true
}

// syntax makes a problem of what the reader of YAML says.
func syntax(err error, data []byte) (p Problem) {
	var one *yaml.LoadError
	var many *yaml.LoadErrors
	switch {
	case errors.As(err, &many) && len(many.Errors) > 0:
		one = many.Errors[0]
	case errors.As(err, &one):
	default:
		return Problem{Message: err.Error()}
	}
	p = Problem{Line: one.Mark.Line, Column: one.Mark.Column, Message: one.Message}
	line, _ := lineOf([]Source{{Data: data}}, p)
	switch {
	case strings.Contains(p.Message, "no documents"):
		p.Message, p.Suggestion = empty, "scenarios/quickstart.yaml is one to start from"
	case strings.Contains(p.Message, "expected single document"), strings.Contains(p.Message, "multiple documents"):
		p.Message, p.Suggestion, p.Column = "a second document begins here", "a file holds one", 1
		p.Line = 1 + bytes.Count(data[:max(0, bytes.LastIndex(data, []byte("\n---")))], []byte("\n")) + 1
	case strings.HasPrefix(strings.TrimLeft(line, " "), "\t"), strings.Contains(p.Message, "tab"):
		p.Message, p.Suggestion = "a tab", "indent with spaces, not tabs"
	case strings.Contains(p.Message, "could not find expected ':'"):
		p.keyless(data)
	case strings.Contains(line, ": >") && !folded.MatchString(line):
		p.Message, p.Suggestion = "> begins a text of several lines", `quote a value that begins with it, such as latency: ">= 3us"`
	case strings.Contains(p.Message, "mapping values are not allowed") && !strings.Contains(line[:min(len(line), max(0, p.Column-1))], ": "):
		p.Message, p.Suggestion = "this fits nothing above", inOneColumn
	case strings.Contains(p.Message, "cannot start any token"):
		p.Message, p.Suggestion = "no value begins so", "quote it"
	default:
		p.reword()
	}
	return p
}

// reword says in our words what the reader of YAML says.
func (p *Problem) reword() {
	if name, found := strings.CutPrefix(p.Message, "unknown anchor '"); found {
		name, _, _ = strings.Cut(name, "'")
		p.Message, p.Suggestion = fmt.Sprintf("there is no anchor %q", name), fmt.Sprintf("&%s before its value makes one", name)
		return
	}
	for _, w := range wordings {
		if strings.Contains(p.Message, w.theirs) {
			p.Message, p.Suggestion = w.ours, w.suggestion
			return
		}
	}
}

// keyless moves a problem from behind a line without a colon to that line.
func (p *Problem) keyless(data []byte) {
	p.Message, p.Suggestion = "a key without a value", "KEY: VALUE, with a space behind the colon"
	lines := bytes.Split(data, []byte("\n"))
	for n := min(p.Line-1, len(lines)); n >= 1; n-- {
		text := strings.TrimSpace(string(lines[n-1]))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if !strings.Contains(text, ": ") && !strings.HasSuffix(text, ":") {
			p.Line, p.Column = n, 1+bytes.Index(lines[n-1], []byte(text))
			p.Length = utf8.RuneCountInString(text)
		}
		return
	}
}
