package study

import (
	"strings"

	"hcasim/scenario/suite"
)

// A Verdict says how an item or a point came out.
type Verdict string

// The verdicts.
const (
	OK       Verdict = "ok"       // all that is judged is within its tolerance
	Miss     Verdict = "miss"     // something is not
	Disagree Verdict = "disagree" // the published numbers contradict each other: nothing is judged
	Shown    Verdict = "shown"    // of a point: there is nothing to hold it to
)

// A Validation is a suite, or some of its items, held to the model.
type Validation struct {
	Items   []ItemResult // by id
	Classes []ClassSum   // one for each of suite.Classes
	Whole   bool         // all items were asked for
	Fast    bool         // only the quick ones
	Sets    []string     // what flags laid over everything
	Runs    int          // simulations that were made: equal ones are made once
}

// An ItemResult is one item and what came of it.
type ItemResult struct {
	*suite.Item
	Curves   []CurveResult
	Shapes   []ShapeResult
	Profiles []string // names of all that its runs use, in their order
	Guessed  []string // of these, those that are mostly estimates: the item is extrapolation

	Points  int     // that are judged
	Mean    float64 // of the deviations of these, without signs, as a share
	Worst   float64 // the largest of them
	Verdict Verdict
}

// A CurveResult is a curve and its points.
type CurveResult struct {
	*suite.Curve
	Points []PointResult
}

// A PointResult is a point and what was simulated there.
type PointResult struct {
	*suite.Point
	Simulated float64 // in the unit of the curve
	Failed    string  // why there is no simulated value; "" when there is
	Deviation float64 // (simulated - published) / published, or / Whole; simulated where published is 0
	Verdict   Verdict
}

// reason says why a point is no match: the sentence of the file, or what went
// wrong with its run.
func (p *PointResult) reason() string {
	if p.Failed != "" {
		return p.Failed
	}
	return p.Disagree
}

// A ShapeResult is a shape and whether the simulated curve has it.
type ShapeResult struct {
	*suite.Shape
	Verdict Verdict // Shown: with Fast, of a curve without all of its points
	Got     string  // what the curve has
}

// wanted says what a shape asks for.
func (s *ShapeResult) wanted() string {
	if s.Kind == suite.Steps {
		if len(s.Texts) == 0 {
			return "no step"
		}
		return "steps behind " + strings.Join(s.Texts, ", ")
	}
	return strings.ReplaceAll(string(s.Kind), "_", " ") + " " + strings.Join(s.Texts, " and ")
}

// A ClassSum counts the items of a class.
type ClassSum struct {
	Class                     suite.Class
	Items, OK, Miss, Disagree int
}

// share is how many of the items that could be judged are ok; 1 when there are
// none.
func (c *ClassSum) share() float64 {
	if judged := c.Items - c.Disagree; judged > 0 {
		return float64(c.OK) / float64(judged)
	}
	return 1
}

// meaning says what items of a class are.
var meaning = map[suite.Class]string{
	suite.Exact:      "arithmetic, which must be exact",
	suite.Calibrate:  "parameters may have been fitted on it",
	suite.Validation: "no parameter was fitted on it",
}

// least is the share of a class that must be ok.
var least = map[suite.Class]float64{suite.Exact: 1, suite.Calibrate: 0.90, suite.Validation: 0.75}

// Holds reports whether the model is as good as it should be: on the whole
// suite by class, otherwise every item that was asked for.
func (v *Validation) Holds() bool {
	if !v.Whole {
		for i := range v.Items {
			if v.Items[i].Verdict != OK {
				return false
			}
		}
		return true
	}
	for i := range v.Classes {
		if c := &v.Classes[i]; c.share() < least[c.Class] {
			return false
		}
	}
	return true
}
