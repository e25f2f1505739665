package log

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"hcasim/scenario/lang"
)

// What is read of a file at most.
const (
	MostBytes  = 8 << 20
	MostRows   = 4096 // of all runs together; -a has 23
	MostUnread = 100  // lines that are kept of those that were not understood
)

// A Quantity is a column of perftest's tables.
type Quantity uint8

// The quantities, in perftest's order. Times are in microseconds, bandwidths in
// MB/s of 2^20 bytes, or in Gb/s where Log.Gbits says so, rates of messages in
// millions a second.
const (
	Min Quantity = iota
	Max
	Typical
	Mean
	StdDev
	P99
	P999
	Rounds // of -D: a second
	Peak
	Average
	Messages
	quantities
)

// A Log is what one run of perftest printed.
type Log struct {
	File string
	Line int // where it begins

	Name          string // write_bw; "" where the file does not say
	Title         string // as perftest heads it
	Bidirectional bool
	WithImm       bool
	Atomic        string // FETCH_AND_ADD, CMP_AND_SWAP; "" where it is not said

	Latency bool // of its table
	Lasted  bool // latency of -D, which has a mean alone
	Gbits   bool

	Settings []Setting
	Rows     []Row
	Unread   []Unread
	Skipped  int // lines beyond MostUnread
}

// A Setting is a line of the run's description: Mtu is 4096[B].
type Setting struct {
	Name, Value  string
	Line, Column int // of the value
}

// Setting finds one by its name, however perftest spells it: TX depth,
// TX_depth.
func (l *Log) Setting(name string) (s Setting, found bool) {
	for _, s := range l.Settings {
		if plain(s.Name) == plain(name) {
			return s, true
		}
	}
	return s, false
}

// A Row is what was measured of one size.
type Row struct {
	Line              int
	Bytes, Iterations uint64
	values            [quantities]float64
	known             [quantities]bool
}

// Value is a figure, and whether the row has it.
func (r *Row) Value(q Quantity) (float64, bool) { return r.values[q], r.known[q] }

func (r *Row) set(q Quantity, v float64) { r.values[q], r.known[q] = v, true }

// An Unread is something that was not understood, or of no use here.
type Unread struct {
	Line int
	Text string
}

// unread notes what was not understood.
func (l *Log) unread(line int, text string) {
	if len(l.Unread) == MostUnread {
		l.Skipped++
		return
	}
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:79]) + "…"
	}
	l.Unread = append(l.Unread, Unread{line, text})
}

// Read reads a file. The problems are all there are; with any, there are no
// logs.
func Read(name string, text []byte) ([]Log, []lang.Problem) {
	r := reader{name: name}
	switch trimmed := bytes.TrimLeft(text, " \t\r\n"); {
	case len(text) > MostBytes:
		r.wrong(1, 1, fmt.Sprintf("the file has %d bytes, and a log has at most %d", len(text), MostBytes), "keep the tables of it")
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		r.wrong(1, 1, "this is no text", "perftest prints it on the screen: ib_write_lat … > FILE")
	case len(trimmed) == 0:
		r.wrong(1, 1, "the file is empty", "perftest prints a log on the screen: ib_write_lat … > FILE")
	case trimmed[0] == '{' || trimmed[0] == '[':
		r.json(text)
	default:
		r.text(text)
	}
	return r.end()
}

// A reader gathers logs and problems of one file.
type reader struct {
	name     string
	logs     []Log
	rows     int
	problems []lang.Problem
}

func (r *reader) wrong(line, column int, message, suggestion string) {
	r.problems = append(r.problems, lang.Problem{File: r.name, Line: line, Column: column, Message: message, Suggestion: suggestion})
}

// begin begins the log of another run.
func (r *reader) begin(line int) *Log {
	r.logs = append(r.logs, Log{File: r.name, Line: line})
	return &r.logs[len(r.logs)-1]
}

// row counts a row, and reports whether it is one too many.
func (r *reader) row(line int) (full bool) {
	if r.rows++; r.rows == MostRows+1 {
		r.wrong(line, 1, fmt.Sprintf("a file has at most %d rows", MostRows), "keep one run of it")
	}
	return r.rows > MostRows
}

// end drops runs that measured nothing, as those of a server do, and says so if
// none is left.
func (r *reader) end() ([]Log, []lang.Problem) {
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	var measured []Log
	for i := range r.logs {
		if len(r.logs[i].Rows) > 0 {
			measured = append(measured, r.logs[i])
		}
	}
	if len(measured) == 0 {
		line := 1
		if len(r.logs) > 0 {
			line = r.logs[0].Line
		}
		r.wrong(line, 1, "there are no figures of perftest here",
			"a table begins with #bytes #iterations, and JSON has results; a server prints none")
		return nil, r.problems
	}
	return measured, nil
}
