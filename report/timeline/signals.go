package timeline

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// A form is what values a signal has.
type form uint8

const (
	number form = iota
	bit
	text
)

var formNames = [...]string{number: "integer 32", bit: "wire 1", text: "string 1"}

// A signal is a variable of the file.
type signal struct {
	host   int
	module string
	name   string
	code   string
	form   form
	value  int
	is     string
	first  string // at the beginning
	shown  string // written last
	moving bool   // in the instant that is collected
}

// signal returns that of a place, and makes it if it is new. A name such as
// region.buf is in a module of its own.
func (w *vcd) signal(at signalPlace, name string) *signal {
	s := w.byPlace[at]
	if s != nil {
		return s
	}
	s = &signal{host: at.host, code: code(len(w.signals))}
	switch {
	case at.unit == unitQPState, at.unit == unitKeyState:
		s.form, s.is = text, "none"
		s.module, s.name, _ = strings.Cut(name, ".")
	case at.series == "last":
		s.form, s.is, s.module, s.name = text, "none", "faults", name
	case at.unit == unitCount:
		s.module, s.name = "counts", name
	case at.unit.busy():
		s.form, s.module, s.name = bit, "busy", name
	default:
		s.module, s.name = "inside", name
	}
	s.first, s.shown = s.text(), s.text()
	w.byPlace[at] = s
	w.signals = append(w.signals, s)
	return s
}

// text is the value as the file has it.
func (s *signal) text() string {
	switch s.form {
	case bit:
		if s.value > 0 {
			return "1"
		}
		return "0"
	case text:
		return strings.Map(printable, strings.ReplaceAll(s.is, "→", "->"))
	default:
		return strconv.FormatUint(uint64(max(0, s.value)), 2)
	}
}

func (s *signal) appendChange(line []byte, value string) []byte {
	switch s.form {
	case bit:
		line = append(append(line, value...), s.code...)
	case text:
		line = append(append(append(line, 's'), value...), ' ')
		line = append(line, s.code...)
	default:
		line = append(append(append(line, 'b'), value...), ' ')
		line = append(line, s.code...)
	}
	return append(line, '\n')
}

// printable keeps what a string of the format can hold.
func printable(c rune) rune {
	switch {
	case c <= ' ':
		return '_'
	case c > '~':
		return '?'
	}
	return c
}

// code is the n-th short name: printable characters from ! to ~.
func code(n int) string {
	const from, many = '!', '~' - '!' + 1
	out := []byte{byte(from + n%many)}
	for n /= many; n > 0; n /= many {
		n--
		out = append(out, byte(from+n%many))
	}
	return string(out)
}

// modules are the order in which those of a host stand.
var modules = []string{"clock", "busy", "inside", "counts", "qp", "region", "window", "faults"}

// head writes what comes before the changes.
func (w *vcd) head() error {
	to := bufio.NewWriter(w.to)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(to, format, args...) } // Flush tells
	say("$version hcasim $end\n$comment %s $end\n$timescale 1 ps $end\n", strings.ReplaceAll(w.about, "$", ""))
	for i := range w.view.Hosts {
		say("$scope module %s $end\n", identifier(w.view.Hosts[i].Name))
		for _, m := range modules {
			w.scope(say, i, m)
		}
		say("$upscope $end\n")
	}
	from := w.options.From
	say("$enddefinitions $end\n#%d\n$dumpvars\n", uint64(from))
	for _, s := range w.signals {
		say("%s", s.appendChange(nil, s.first))
	}
	say("$end\n")
	return to.Flush()
}

func (w *vcd) scope(say func(string, ...any), host int, module string) {
	begun := false
	names := map[string]int{}
	for _, s := range w.signals {
		if s.host != host || s.module != module {
			continue
		}
		if !begun {
			say("$scope module %s $end\n", module)
			begun = true
		}
		name := identifier(s.name)
		if names[name]++; names[name] > 1 {
			name += "_" + strconv.Itoa(names[name])
		}
		say("$var %s %s %s $end\n", formNames[s.form], s.code, name)
	}
	if begun {
		say("$upscope $end\n")
	}
}

// identifier makes of a name one that all viewers read.
func identifier(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, strings.TrimRight(name, "]"))
}
