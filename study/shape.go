package study

import (
	"fmt"
	"strings"

	"hcasim/scenario/suite"
)

// step is by how much neighbours differ where a curve is said to have a step.
const step = 0.05

// kneeAt is the share of its whole change at which a curve has its knee.
const kneeAt = 0.20

// judgeShape looks for a shape in a simulated curve.
func judgeShape(s *suite.Shape, curves []CurveResult) ShapeResult {
	r := ShapeResult{Shape: s}
	for i := range curves {
		if curves[i].Curve != s.Curve {
			continue
		}
		if s.Curve.Partial {
			r.Verdict, r.Got = Shown, "not all points of the curve were run"
			return r
		}
		for k := range curves[i].Points {
			if p := &curves[i].Points[k]; p.Failed != "" {
				r.Verdict, r.Got = Miss, "the curve has no value at "+p.X+": "+p.Failed
				return r
			}
		}
		r.look(curves[i].Points)
	}
	return r
}

// look judges the points of a curve that has them all.
func (r *ShapeResult) look(points []PointResult) {
	fine := false
	switch r.Kind {
	case suite.LargestChange:
		i := largestChange(points)
		if i >= 0 {
			fine = points[i].At >= r.Values[0] && points[i+1].At <= r.Values[1]
			r.Got = fmt.Sprintf("largest change between %s and %s", points[i].X, points[i+1].X)
		}
	case suite.Peak:
		i := peak(points)
		fine = between(points[i].At, r.Values)
		r.Got = "peak at " + points[i].X
	case suite.Knee:
		i := knee(points)
		fine = between(points[i].At, r.Values)
		r.Got = "knee at " + points[i].X
	case suite.Steps:
		behind := steps(points)
		fine = strings.Join(behind, " ") == strings.Join(inOrder(points, r.Texts), " ")
		if r.Got = "no step"; len(behind) > 0 {
			r.Got = "steps behind " + strings.Join(behind, ", ")
		}
	}
	if r.Got == "" {
		r.Got = "a curve of one point"
	}
	if r.Verdict = Miss; fine {
		r.Verdict = OK
	}
}

func between(v float64, bounds []float64) bool { return v >= bounds[0] && v <= bounds[1] }

// change is by how much the next point differs, as a share.
func change(points []PointResult, i int) float64 {
	return abs(share(points[i+1].Simulated-points[i].Simulated, points[i].Simulated))
}

// largestChange returns the first of the two neighbours that differ most; -1
// of a single point.
func largestChange(points []PointResult) int {
	best := -1
	for i := 0; i+1 < len(points); i++ {
		if best < 0 || change(points, i) > change(points, best) {
			best = i
		}
	}
	return best
}

// peak returns the first of the largest values.
func peak(points []PointResult) int {
	best := 0
	for i := range points {
		if points[i].Simulated > points[best].Simulated {
			best = i
		}
	}
	return best
}

// knee returns the first point at which kneeAt of the change from the first to
// the last value has been passed; the last of a curve that does not change.
func knee(points []PointResult) int {
	first, last := points[0].Simulated, points[len(points)-1].Simulated
	for i := range points {
		if whole := last - first; whole != 0 && (points[i].Simulated-first)/whole > kneeAt {
			return i
		}
	}
	return len(points) - 1
}

// steps returns the x behind which the curve rises or falls by more than step.
func steps(points []PointResult) (behind []string) {
	for i := 0; i+1 < len(points); i++ {
		if change(points, i) > step {
			behind = append(behind, points[i].X)
		}
	}
	return behind
}

// inOrder returns texts in the order of the points.
func inOrder(points []PointResult, texts []string) (list []string) {
	for i := range points {
		for _, text := range texts {
			if points[i].X == text {
				list = append(list, text)
			}
		}
	}
	return list
}
