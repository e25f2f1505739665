package study

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"hcasim/report"
	"hcasim/scenario/suite"
)

// marks stand behind a point.
var marks = map[Verdict]string{OK: "✓", Miss: "✗", Disagree: "disagree", Shown: ""}

// explain shows an item point by point.
func (p *sheet) explain(r *ItemResult) {
	head := fmt.Sprintf("%s · class %s · %s", r.ID, r.Class, r.Verdict)
	if r.Points > 0 {
		head += fmt.Sprintf(" · %s, mean %s, worst %s", counted(r.Points, "point"), percent(r.Mean), percent(r.Worst))
	}
	if p.markdown {
		head = "## " + head
	}
	p.line("%s\n%s", head, r.About)
	if len(r.Profiles) > 0 {
		text := "profiles  " + strings.Join(r.Profiles, ", ")
		if len(r.Guessed) > 0 {
			text += "; extrapolation: " + strings.Join(r.Guessed, ", ") + " mostly estimates"
		}
		p.item(text)
	}
	p.testbed(r.Testbed)
	source := r.commonSource()
	if source != "" {
		p.item("source    " + source)
	}
	for i := range r.Curves {
		p.curve(&r.Curves[i], source)
	}
	if len(r.Shapes) > 0 {
		p.line("")
	}
	for i := range r.Shapes {
		s := &r.Shapes[i]
		p.item(strings.TrimSpace(fmt.Sprintf("shape     %s: %s, simulated %s %s", s.Curve.Name, s.wanted(), s.Got, marks[s.Verdict])))
	}
	p.line("")
}

// item is one line of several.
func (p *sheet) item(text string) {
	if p.markdown {
		p.line("- %s", strings.Join(strings.Fields(text), " "))
		return
	}
	p.line("  %s", text)
}

func (p *sheet) testbed(t *suite.Testbed) {
	if t == nil {
		return
	}
	p.item("testbed   " + t.Name + ": " + strings.TrimSuffix(t.About, "."))
	for _, f := range t.Facts {
		p.item("          " + f.Path + " = " + f.Value + " (" + f.Source + ")")
	}
	if t.ConstantText != "" {
		p.item("constant  " + t.ConstantText + " on absolute latencies (" + t.ConstantSource + ")")
	}
}

// commonSource is that of all curves; "" when they differ.
func (r *ItemResult) commonSource() string {
	source := ""
	for i := range r.Curves {
		if i > 0 && r.Curves[i].Source != source {
			return ""
		}
		source = r.Curves[i].Source
	}
	return source
}

// curve shows one curve; what was told of all is not told again.
func (p *sheet) curve(c *CurveResult, told string) {
	name := c.Name
	if c.Unit != "" {
		name += ", in " + c.Unit
	}
	if p.markdown {
		p.line("\n### %s\n", name)
	} else {
		p.line("\n %s", name)
	}
	if c.Source != told {
		p.item("source    " + c.Source)
	}
	p.item("metric    " + c.how())
	if list := joined(c.Vars); list != "" {
		p.item("vars      " + list)
	}
	if list := joined(c.Set); list != "" {
		p.item("set       " + list)
	}
	if c.Upper {
		p.item("bound     the points are the least that the model may give")
	}
	if p.markdown {
		p.line("")
	}
	t := report.NewTable(">x", ">published", ">simulated", ">deviation", ">tolerance", "", "reason")
	for i := range c.Points {
		t.Row(c.Points[i].cells()...)
	}
	p.table(t)
}

// how says what the simulated values are made of.
func (c *CurveResult) how() string {
	text := ""
	switch {
	case c.Encode != "":
		text = "bytes that the codec writes for " + c.Encode
	case c.Metric != nil:
		text = c.Metric.Text
	}
	switch {
	case c.Minus != nil:
		text += ", less that of " + c.Minus.Name
	case c.Over != nil:
		text += ", over that of " + c.Over.Name
	}
	if c.ShareOf != nil {
		text += ", deviations as shares of " + c.ShareOf.Name
	}
	if c.Absolute {
		text += ", with the testbed's constant"
	}
	return text
}

func joined(list []suite.Setting) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = s.Path + "=" + s.Value
	}
	return strings.Join(words, ", ")
}

// cells is the row of a point.
func (p *PointResult) cells() []string {
	simulated, off, allowed := "-", "", ""
	switch {
	case p.Failed != "":
	case p.Run == nil && p.Simulated == math.Trunc(p.Simulated): // counted, not measured
		simulated = strconv.FormatFloat(p.Simulated, 'f', -1, 64)
	default:
		simulated = digits(p.Simulated)
	}
	if p.Given {
		allowed = tolerance(p.Tolerance)
		if p.Failed == "" {
			off = signed(p)
		}
	}
	return []string{p.X, p.Text, simulated, off, allowed, marks[p.Verdict], p.reason()}
}

// signed is a deviation with its sign; where it is a share of nothing it is
// the difference itself.
func signed(p *PointResult) string {
	if p.whole() == 0 {
		return digits(p.Deviation)
	}
	if p.Deviation == 0 {
		return "="
	}
	text := percent(p.Deviation)
	if p.Deviation > 0 {
		return "+" + text
	}
	return text
}
