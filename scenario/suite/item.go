package suite

import (
	"hcasim/scenario"
	"hcasim/scenario/figure"
	"hcasim/scenario/lang"
)

// A Class says what an item may be used for.
type Class string

// The classes.
const (
	Exact      Class = "X" // arithmetic that leaves no room
	Calibrate  Class = "C" // parameters may be fitted on it
	Validation Class = "V" // never fitted
)

// Classes are all classes, in the order in which they are shown.
var Classes = []Class{Exact, Calibrate, Validation}

// An Item is one published measurement, or one piece of arithmetic.
type Item struct {
	Pos       lang.Pos
	ID        string
	About     string
	Class     Class
	Tolerance Tolerance
	Testbed   *Testbed // nil: none is named
	Curves    []*Curve
	Shapes    []*Shape
}

// A Curve is one line of a measurement.
type Curve struct {
	Pos       lang.Pos
	Name      string
	Source    string         // where the values were published
	Unit      string         // of the points and of the metric
	Metric    *figure.Metric // nil: Encode
	Encode    string         // what the codec is to write, as written; "" for a Metric
	Vars      []Setting
	Set       []Setting
	Places    []string // what x is: members of the scenario, variables, parameters, or what is encoded
	Upper     bool     // the points are bounds from below: see Point
	Constant  float64  // what the testbed adds, in Unit; 0 unless absolute
	Absolute  bool
	Minus     *Curve // its value at the same x is taken away
	Over      *Curve // its value at the same x divides
	ShareOf   *Curve // deviations are shares of its published values; nil: of the curve's own
	Points    []*Point
	Words     bool // the x are words, in the order of the file
	Sizes     bool // some x are sizes
	Partial   bool // points were left out, with Options.Fast
	Reference bool // no point has a published value

	quick []*Point // that --fast runs; none for all
}

// A Setting is a variable or a parameter that a curve or a testbed has for
// itself.
type Setting struct {
	Path   string
	Value  string
	Source string // of a testbed's
}

// A Point is one x of a curve.
type Point struct {
	Pos       lang.Pos
	X         string  // as written
	At        float64 // a number, the bytes of a size, or the place of a word
	Given     bool    // Published is there; if not, the point is shown and not judged
	Published float64
	Text      string  // Published as written: Tolerance.Exact counts its digits
	Whole     float64 // what the deviation is a share of, that of Curve.ShareOf; 0: Published
	Tolerance Tolerance
	Disagree  string // why it is not judged: which published numbers contradict it

	Run   *scenario.Run // nil for what is encoded
	Bytes uint64        // of what is encoded
}

// A Tolerance is how far a simulated value may be from the published one.
type Tolerance struct {
	Exact bool    // equal when rounded to the published digits
	Share float64 // of the published value: 0.05 is 5%
}

// A ShapeKind is what a Shape says of its curve.
type ShapeKind string

// The kinds of shapes.
const (
	LargestChange ShapeKind = "largest_change_between"
	Peak          ShapeKind = "peak_between"
	Knee          ShapeKind = "knee_between"
	Steps         ShapeKind = "steps"
)

// A Shape is what must be true of a simulated curve besides its points.
type Shape struct {
	Pos    lang.Pos
	Kind   ShapeKind
	Curve  *Curve
	Texts  []string  // the x, as written: from and to, or behind which there is a step
	Values []float64 // the same as numbers, of the curve's axis
}
