package study

import (
	"fmt"
	"strings"

	"hcasim/report"
)

// sums is the validation in a page of Markdown's words: the sums by class,
// what misses and what is not judged.
func (v *Validation) sums() string {
	p := sheet{markdown: true}
	p.classes(v)
	p.list("Not within their tolerances:", v.missed())
	p.list("Not judged, for published numbers contradict each other:", v.notJudged())
	return p.b.String()
}

// document is the validation and what was fitted, as a file of the docs. The
// stamp says what it was made of.
func (v *Validation) document(stamp string, fitted FittedTable) (string, error) {
	p := sheet{markdown: true}
	p.line("# Validation\n")
	p.line("Made by `go generate ./study`, from all that `hcasim validate` and `hcasim validate --fitted` say; CI holds it to")
	p.line("the model. How the model was calibrated is told in [calibration.md](calibration.md).\n")
	p.line("%s\n\n%s\n\n%s%s", stamp, sumsBegin, v.sums(), sumsEnd)
	p.heading("Items")
	p.line("A point is off by (simulated - published) / published. Mean and worst are over the points that are judged,")
	p.line("without signs. A tolerance is one of each point. `hcasim validate ID --explain` shows an item point by point,")
	p.line("with sources.\n")
	p.line("| item | class | what | points | mean | worst | tolerance | verdict |\n|---|---|---|--:|--:|--:|--:|---|")
	for i := range v.Items {
		p.line("%s", v.Items[i].row())
	}
	if v.extrapolates() {
		p.line("\n\\%s", extrapolation)
	}
	p.shapes(v)
	p.heading("What was fitted on what")
	if err := fitted.Write(&p.b, "md"); err != nil {
		return "", err
	}
	return p.b.String(), nil
}

// sumsBegin and SumsEnd stand around Sums wherever it is written.
const (
	sumsBegin = "<!-- sums: go generate ./study -->"
	sumsEnd   = "<!-- end of sums -->"
)

// row is the line of an item. It does not depend on other rows: a change of
// one item is a change of one line.
func (r *ItemResult) row() string {
	cells := r.cells()
	cells[2], _ = firstSentence(r.About)
	return "| " + strings.Join(cells, " | ") + " |"
}

// list writes points of a list below a line; nothing of none.
func (p *sheet) list(heading string, points []string) {
	if len(points) == 0 {
		return
	}
	p.line("\n%s\n", heading)
	for _, text := range points {
		p.line("- %s", text)
	}
}

// missed tells what misses, and by how much.
func (v *Validation) missed() (list []string) {
	for i := range v.Items {
		r := &v.Items[i]
		if r.Verdict != Miss {
			continue
		}
		title, _ := firstSentence(r.About)
		missed, failed := 0, 0
		for k := range r.Curves {
			for n := range r.Curves[k].Points {
				q := &r.Curves[k].Points[n]
				missed += b2i(q.Verdict == Miss)
				failed += b2i(q.Verdict == Miss && q.Failed != "")
			}
		}
		text := fmt.Sprintf("**%s** %s: %d of %s, worst %s, tolerance %s", r.ID, title, missed, counted(r.Points, "point"), percent(r.Worst), r.tolerances())
		if failed > 0 {
			text += fmt.Sprintf("; %d without a value", failed)
		}
		for k := range r.Shapes {
			if s := &r.Shapes[k]; s.Verdict == Miss {
				text += fmt.Sprintf("; %s: %s, simulated %s", s.Curve.Name, s.wanted(), s.Got)
			}
		}
		list = append(list, text)
	}
	return list
}

// notJudged tells which points are left out, and why.
func (v *Validation) notJudged() (list []string) {
	for i := range v.Items {
		for _, because := range v.Items[i].reasons(Disagree) {
			list = append(list, "**"+v.Items[i].ID+"** "+because)
		}
	}
	return list
}

// shapes is the table of what curves must look like.
func (p *sheet) shapes(v *Validation) {
	t := report.NewTable("item", "curve", "shape", "simulated", "verdict")
	n := 0
	for i := range v.Items {
		for k := range v.Items[i].Shapes {
			s := &v.Items[i].Shapes[k]
			t.Row(v.Items[i].ID, s.Curve.Name, s.wanted(), s.Got, string(s.Verdict))
			n++
		}
	}
	if n > 0 {
		p.heading("Shapes")
		p.table(t)
	}
}
