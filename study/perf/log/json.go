package log

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"hcasim/scenario/lang"
)

// deepest is how far members of a document may lie within each other; perftest
// has three.
const deepest = 8

// A member is a value in JSON, with its name and where it begins in the text.
type member struct {
	name    string
	text    string // of what is no object and no list
	members []member
	list    bool
	at      int
}

// json reads documents, one after the other.
func (r *reader) json(text []byte) {
	d := &document{json.NewDecoder(bytes.NewReader(text)), text}
	d.UseNumber()
	for {
		t, at, err := d.next()
		if errors.Is(err, io.EOF) {
			return
		}
		var m member
		if err == nil {
			m, err = d.value(t, at, 0)
		}
		if err != nil {
			why := err.Error()
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				why = "it ends too soon"
			}
			line, column := place(text, d.start())
			r.wrong(line, column, "this is no JSON of perftest: "+why, "was the file cut off?")
			return
		}
		r.run(text, &m)
		if r.rows > MostRows {
			return
		}
	}
}

// A document is JSON that is read token by token.
type document struct {
	*json.Decoder
	text []byte
}

// start is where the next token begins.
func (d *document) start() int {
	at := int(d.InputOffset())
	return at + len(d.text[at:]) - len(bytes.TrimLeft(d.text[at:], " \t\r\n:,"))
}

// next reads a token and says where it began.
func (d *document) next() (t json.Token, at int, err error) {
	at = d.start()
	t, err = d.Token()
	return t, at, err
}

// value reads the value that a token begins.
func (d *document) value(t json.Token, at, depth int) (m member, err error) {
	m.at = at
	open, nested := t.(json.Delim)
	if !nested {
		m.text = fmt.Sprint(t)
		return m, nil
	}
	if depth == deepest {
		return m, fmt.Errorf("more than %d values within each other", deepest)
	}
	m.list = open == '['
	for d.More() {
		var one member
		name := ""
		t, at, err := d.next()
		if err == nil && !m.list {
			name = fmt.Sprint(t)
			t, at, err = d.next()
		}
		if err == nil {
			one, err = d.value(t, at, depth+1)
		}
		if err != nil {
			return m, err
		}
		one.name = name
		m.members = append(m.members, one)
	}
	_, err = d.Token()
	return m, err
}

// place is the line and column of a byte.
func place(text []byte, at int) (line, column int) {
	before := text[:min(at, len(text))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}

// run reads a run, or a list of them.
func (r *reader) run(text []byte, m *member) {
	if m.list {
		for i := range m.members {
			r.run(text, &m.members[i])
		}
		return
	}
	line, _ := place(text, m.at)
	l := r.begin(line)
	for i := range m.members {
		part := &m.members[i]
		switch plain(part.name) {
		case "testinfo":
			r.described(text, l, part)
		case "results", "result":
			r.results(text, l, part)
		default:
			at, _ := place(text, part.at)
			l.unread(at, part.name)
		}
	}
	l.reckonUnit()
}

// described reads the description of the run.
func (r *reader) described(text []byte, l *Log, m *member) {
	for i := range m.members {
		s := &m.members[i]
		line, column := place(text, s.at)
		if n := plain(s.name); n == "test" || n == "testname" || n == "name" {
			if !l.titled(strings.TrimSpace(s.text)) {
				r.wrong(line, column, fmt.Sprintf("%q is no test that hcasim makes", s.text), "those of ib_{write,read,send,atomic}_{bw,lat} are")
			}
			continue
		}
		l.Settings = append(l.Settings, Setting{s.name, s.text, line, column})
	}
}

// results reads rows: one, or a list.
func (r *reader) results(text []byte, l *Log, m *member) {
	if m.list {
		for i := range m.members {
			r.results(text, l, &m.members[i])
		}
		return
	}
	line, _ := place(text, m.at)
	if r.row(line) {
		return
	}
	row := Row{Line: line}
	for i := range m.members {
		v := &m.members[i]
		at, column := place(text, v.at)
		c := named(v.name)
		switch c.means {
		case unknown, useless:
			l.unread(at, v.name)
			continue
		case figure:
			l.Latency = l.Latency || c.of <= Rounds
			l.Lasted = l.Lasted || c.of == Rounds
			l.Gbits = l.Gbits || c.gbits
		case size, iterations:
		}
		if wrong := row.read(&c, v.text); wrong != "" {
			r.problems = append(r.problems, lang.Problem{File: r.name, Line: at, Column: column, Message: fmt.Sprintf("%s is %q, %s", v.name, v.text, wrong)})
			return
		}
	}
	l.add(r, row)
}

// reckonUnit finds out in which unit bandwidths are, which JSON does not say: it
// follows from size and rate. A million bytes a second are 0.008 Gb/s and 0.954
// MB/s, so far apart that there is no doubt.
func (l *Log) reckonUnit() {
	const between = 0.09
	for i := range l.Rows {
		r := &l.Rows[i]
		average, a := r.Value(Average)
		rate, b := r.Value(Messages)
		if a && b && average > 0 && rate > 0 {
			l.Gbits = average/(rate*float64(r.Bytes)) < between
			return
		}
	}
}
