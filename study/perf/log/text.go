package log

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A page is the state of a reader of text.
type page struct {
	*reader
	log   *Log // of the run that is being read; nil before any
	heads []column
	table bool // within one
}

func (r *reader) text(text []byte) {
	p := page{reader: r}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		p.line(number, strings.TrimRight(line, " \t\r\n"))
		if r.rows > MostRows {
			return
		}
	}
}

// line reads one.
func (p *page) line(number int, line string) {
	text := strings.TrimSpace(line)
	switch {
	case text == "":
	case strings.Trim(text, "-") == "":
		p.table = false
	case strings.HasPrefix(text, "#bytes"):
		p.head(number, line)
	case p.table && text[0] >= '0' && text[0] <= '9':
		p.row(number, line)
	case strings.HasSuffix(text, " Test"):
		p.title(number, line, text)
	case isUnused(text):
	case !p.settings(number, line):
		p.current(number).unread(number, text)
	}
}

// current is the log that a line belongs to.
func (p *page) current(number int) *Log {
	if p.log == nil {
		p.log = p.begin(number)
	}
	return p.log
}

// next is the log of another run, where the one before has its rows or title.
func (p *page) next(number int) *Log {
	if l := p.current(number); len(l.Rows) > 0 || l.Title != "" {
		p.log = p.begin(number)
	}
	return p.log
}

func (p *page) title(number int, line, text string) {
	l := p.next(number)
	l.Line = number
	if !l.titled(text) {
		p.wrong(number, columnOf(line, text), fmt.Sprintf("%q is no test that hcasim makes", text), "those of ib_{write,read,send,atomic}_{bw,lat} are")
	}
}

// head reads the names of the columns, which stand two blanks apart or end with
// a unit.
func (p *page) head(number int, line string) {
	l := p.current(number)
	if len(l.Rows) > 0 {
		l = p.next(number)
	}
	p.heads, p.table = nil, true
	for _, name := range headings(line) {
		c := named(name)
		switch c.means {
		case unknown:
			l.unread(number, "column "+name)
		case figure:
			l.Latency = l.Latency || c.of <= Rounds
			l.Lasted = l.Lasted || c.of == Rounds
			l.Gbits = l.Gbits || c.gbits
		case useless:
			l.unread(number, "column "+name)
		case size, iterations:
		}
		p.heads = append(p.heads, c)
	}
}

// headings splits the head of a table. A name may have a blank within: BW peak.
func headings(line string) (names []string) {
	var name strings.Builder
	end := func() {
		if s := strings.TrimSpace(name.String()); s != "" {
			names = append(names, s)
		}
		name.Reset()
	}
	blanks := 0
	for _, r := range line {
		if r == ' ' || r == '\t' {
			if blanks++; r == '\t' {
				blanks = 2
			}
			name.WriteRune(' ')
			continue
		}
		if blanks >= 2 || r == '#' {
			end()
		}
		blanks = 0
		name.WriteRune(r)
		if r == ']' {
			end()
		}
	}
	end()
	return names
}

// row reads a row of the table.
func (p *page) row(number int, line string) {
	if p.reader.row(number) {
		return
	}
	cells := words(line)
	if len(cells) != len(p.heads) {
		p.wrong(number, cells[0].column, fmt.Sprintf("the row has %d values, and its table %d columns", len(cells), len(p.heads)), "was the log cut off?")
		return
	}
	r := Row{Line: number}
	for i, c := range p.heads {
		if err := r.read(&c, cells[i].text); err != "" {
			p.wrong(number, cells[i].column, fmt.Sprintf("%s is %q, %s", c.name, cells[i].text, err), "")
			return
		}
	}
	p.log.add(p.reader, r)
}

// settings reads a line such as Number of qps : 1 Transport type : IB, and
// reports whether it is one.
func (p *page) settings(number int, line string) bool {
	var found []Setting
	for at := 0; at < len(line); {
		name, value, is := strings.Cut(line[at:], ":")
		if !is || !nameLike(name) {
			break
		}
		from := at + len(name) + 1
		from += len(value) - len(strings.TrimLeft(value, " \t"))
		length := valueLength(line[from:])
		found = append(found, Setting{strings.TrimSpace(name), strings.TrimSpace(line[from : from+length]), number, utf8.RuneCountInString(line[:from]) + 1})
		at = from + length
	}
	if len(found) == 0 {
		return false
	}
	l := p.current(number)
	if len(l.Rows) > 0 {
		l = p.next(number)
	}
	l.Settings = append(l.Settings, found...)
	return true
}

// nameLike reports whether what stands before a colon can be a setting's name:
// perftest has a blank behind it, but for one.
func nameLike(name string) bool {
	return strings.TrimSpace(name) != "" && (strings.HasSuffix(name, " ") || strings.HasSuffix(name, "\t") || plain(name) == "pcierelaxorder")
}

// valueLength is how far a value goes: to a tab or two blanks.
func valueLength(text string) int {
	n := len(text)
	for _, end := range []string{"\t", "  "} {
		if i := strings.Index(text, end); i >= 0 {
			n = min(n, i)
		}
	}
	return n
}

// A word is part of a line, with its column.
type word struct {
	text   string
	column int
}

func words(line string) (list []word) {
	for _, text := range strings.FieldsFunc(line, unicode.IsSpace) {
		from := 0
		if n := len(list); n > 0 {
			from = list[n-1].column // byte offset, for now
		}
		at := from + strings.Index(line[from:], text)
		list = append(list, word{text, at + len(text)})
	}
	for i := range list {
		list[i].column = utf8.RuneCountInString(line[:list[i].column-len(list[i].text)]) + 1
	}
	return list
}

func columnOf(line, text string) int {
	return utf8.RuneCountInString(line[:strings.Index(line, text)]) + 1
}
