package conform

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"strings"
)

// A Case is one row of cases.csv.
type Case struct {
	ID, Group string
	Steps     []Step
	Spec      Outcome // what the specification asks
	Seen      Outcome // on kernel 6.1, which the variant rxe stands for
	Later     Outcome // on kernel 6.12
	Crashed   bool    // no outcome: the kernel or its library fell over
	// Wire has the packets on 6.1, LaterWire those on 6.12.
	Wire, LaterWire []Packet
}

// A Step is one act of a case.
type Step struct {
	Host, Verb string
	Args       []string
	Fields     []Field // KEY=VALUE, in order
}

// A Field is a named argument; an argument without = has an empty value.
type Field struct{ Name, Value string }

// get returns the first value of a named argument.
func (s *Step) get(name string) (value string, found bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return "", false
}

// An Outcome has the values that are allowed, by what was looked at.
type Outcome []Token

// A Token is one thing that was looked at.
type Token struct {
	What   string
	Values []string
}

// get returns the values of what, nil if it was not looked at.
func (o Outcome) get(what string) []string {
	for _, t := range o {
		if t.What == what {
			return t.Values
		}
	}
	return nil
}

// allows reports whether every value that o asks for is among those of seen.
// A status asked without details is met by one with them.
func (o Outcome) allows(seen Outcome) bool {
	for _, t := range o {
		got := seen.get(t.What)
		if len(got) == 0 {
			got = []string{"absent"}
		}
		met := false
		for _, v := range t.Values {
			bare, _, _ := strings.Cut(got[0], "/")
			met = met || v == got[0] || v == bare
		}
		if !met {
			return false
		}
	}
	return true
}

// A Packet is one on the wire.
type Packet struct {
	Host, Opcode string
	Fields       []Field
}

// A Difference is where hcasim comes to something else than the facts.
type Difference struct {
	ID      string
	Variant string // spec or rxe
	What    string // as in an Outcome, or packets, or * for the whole case
	Ours    string // what hcasim comes to; of * the outcome, or spec for that of spec
	Why     string // one of Reasons
}

// A Reason is why some cases differ.
type Reason struct {
	Name   string
	Judged bool // false where rxe gave nothing to judge by
	Text   string
}

// Facts are all that is known.
type Facts struct {
	Cases       []Case
	Differences []Difference
	Reasons     []Reason
}

// Read reads the facts from a folder.
func Read(folder fs.FS) (*Facts, error) {
	f := &Facts{}
	for _, file := range []struct {
		name    string
		columns int
		row     func(r []string)
	}{
		{"cases.csv", 8, func(r []string) { f.Cases = append(f.Cases, readCase(r)) }},
		{"differences.csv", 5, func(r []string) { f.Differences = append(f.Differences, Difference{r[0], r[1], r[2], r[3], r[4]}) }},
		{"reasons.csv", 3, func(r []string) { f.Reasons = append(f.Reasons, Reason{r[0], r[1] == "yes", r[2]}) }},
	} {
		in, err := folder.Open(file.name)
		if err != nil {
			return nil, err
		}
		reader := csv.NewReader(in)
		reader.FieldsPerRecord = file.columns
		rows, err := reader.ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.name, err)
		}
		for _, r := range rows[1:] { // the first has the names
			file.row(r)
		}
		if err := in.Close(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func readCase(r []string) Case {
	c := Case{ID: r[0], Group: r[1], Spec: readOutcome(r[3]), Wire: readPackets(r[6]), LaterWire: readPackets(r[7])}
	for _, text := range strings.Split(r[2], "; ") {
		c.Steps = append(c.Steps, readStep(text))
	}
	if c.Crashed = r[4] == "crash"; !c.Crashed {
		c.Seen, c.Later = readOutcome(r[4]), readOutcome(r[5])
	}
	return c
}

func readStep(text string) Step {
	words := strings.Fields(text)
	s := Step{Host: words[0], Verb: words[1]}
	for i, w := range words[2:] {
		name, value, named := strings.Cut(w, "=")
		if named || i > 0 && strings.ToUpper(s.Verb) == s.Verb {
			s.Fields = append(s.Fields, Field{name, value})
		} else {
			s.Args = append(s.Args, w)
		}
	}
	return s
}

func readOutcome(text string) (o Outcome) {
	for _, w := range strings.Fields(text) {
		what, values, _ := strings.Cut(w, "=")
		o = append(o, Token{what, strings.Split(values, "|")})
	}
	return o
}

func readPackets(text string) (list []Packet) {
	for _, w := range strings.Fields(text) {
		parts := strings.Split(w, ",")
		p := Packet{}
		p.Host, p.Opcode, _ = strings.Cut(parts[0], ".")
		for _, f := range parts[1:] {
			name, value, _ := strings.Cut(f, "=")
			p.Fields = append(p.Fields, Field{name, value})
		}
		list = append(list, p)
	}
	return list
}
