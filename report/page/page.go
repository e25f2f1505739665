package page

// A Page is one report. ID's are anchors; an empty one is made of the place
// in the page, and two that are equal are a mistake of the caller: Write
// panics.
type Page struct {
	Title    string
	Lead     string   // the answer, in one or two sentences
	Answers  []Answer // or in sentences of which each holds or does not
	Sections []Section
	Made     string // by what: program and version; no date, see W1
}

// An Answer is a sentence, and whether it is as it should be.
type Answer struct {
	Status Status
	Text   string
}

// Mark is the sign before the sentence.
func (a Answer) Mark() string { return a.Status.mark() }

// A Section is one question of the report.
type Section struct {
	ID     string
	Title  string
	Lead   string
	Status Status
	Plots  []Plot
	Tables []Table
	Notes  []string
}

// A Status is what the caller judged of a section.
type Status string

// The statuses. Silent is that of a section that answers nothing.
const (
	Silent   Status = ""
	OK       Status = "ok"
	Miss     Status = "miss"
	Disagree Status = "disagree" // the sources contradict each other: nothing to judge
)

// mark is the sign before the word.
func (s Status) mark() string {
	switch s {
	case OK:
		return "✓"
	case Miss:
		return "✗"
	case Disagree:
		return "≠"
	case Silent:
		return "·"
	}
	panic("page: no such status: " + string(s))
}

// A Plot is one picture. One that lies Sideways has a row for each of X.Ticks,
// the first on top, and Y runs to the right: its series are of the kind Stack,
// and no others are.
type Plot struct {
	ID       string
	Title    string
	X, Y     Axis
	Series   []Series
	Sideways bool
	Large    bool // on a page it has a row of its own, and more height
}

// check holds the caller to what can be drawn.
func (p Plot) check() {
	for _, s := range p.Series {
		s.check()
		if (s.Kind == Stack) != p.Sideways {
			panic("page: series " + s.Name + ": only what lies sideways is stacked")
		}
	}
	if p.Sideways && (p.Y.Log || len(p.X.Ticks) == 0) {
		panic("page: plot " + p.Title + ": rows have names, and what adds up has no logarithm")
	}
}

// An Axis says what the numbers along it are. On one with Ticks, value i is
// the place of Ticks[i]: sizes and words stand at even distances. A Log axis
// has no place for values up to zero: such points are in the table only. It
// counts in twos when it says so or when Unit is B, else in tens. One that is not reaches as far as
// its values do, and at least to Reach.
type Axis struct {
	Label string
	Unit  string
	Log   bool
	Twos  bool
	Ticks []string
	Reach float64
}

// title is the text beside the axis.
func (a Axis) title() string {
	switch {
	case a.Unit == "":
		return a.Label
	case a.Label == "":
		return a.Unit
	}
	return a.Label + " (" + a.Unit + ")"
}

// A Kind is how a series is drawn.
type Kind string

// The kinds. What was measured is Points, what was simulated is Line.
const (
	Line   Kind = "line"
	Points Kind = "points" // hollow
	Both   Kind = "both"   // a line, and filled points on it
	Bars   Kind = "bars"   // from zero; those at one x stand side by side
	Steps  Kind = "steps"  // each value until the next x: a histogram, closed by a last of 0
	Stack  Kind = "stack"  // in rows, each series behind the one before
)

// A Series is y over x, drawn in the order of x. NaN is a value that is
// missing: a line has a gap there. Low and High, where not nil, bound what
// would be as good as Y: a band.
type Series struct {
	Name      string
	Curve     string // series of one Curve have one colour; "": a colour of its own
	Kind      Kind
	X, Y      []float64
	Low, High []float64
}

// check holds the caller to lengths that agree.
func (s Series) check() {
	n := len(s.X)
	if len(s.Y) != n || s.Low != nil && len(s.Low) != n || s.High != nil && len(s.High) != n || (s.Low == nil) != (s.High == nil) {
		panic("page: series " + s.Name + ": lengths of X, Y, Low and High differ")
	}
	switch s.Kind {
	case Line, Points, Both, Bars, Steps, Stack:
	default:
		panic("page: series " + s.Name + ": no such kind: " + string(s.Kind))
	}
}

// A Table is words in columns. Align has a letter for each column, l, r or c;
// columns beyond it are l.
type Table struct {
	Title  string
	Head   []string
	Rows   [][]string
	Align  string
	Folded bool // only its title is seen until it is opened
}
