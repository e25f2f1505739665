package study

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"hcasim/report"
	"hcasim/scenario/suite"
)

// ValidateFormats are the forms of a Validation.
var ValidateFormats = []string{"text", "json", "md"}

// Write writes the validation in one of ValidateFormats; with explain every
// point, side by side with what was published.
func (v *Validation) Write(w io.Writer, format string, explain bool) error {
	if format == "json" {
		return v.json(w)
	}
	p := sheet{markdown: format == "md"}
	p.head(v)
	if explain {
		for i := range v.Items {
			p.explain(&v.Items[i])
		}
	} else {
		p.items(v)
		p.heading("by class")
		p.classes(v)
		p.contradictions(v)
		p.failures(v)
	}
	if !explain { // an item that is explained ends with an empty line
		p.line("")
	}
	p.verdict(v)
	if !explain {
		p.more(v)
	}
	_, err := w.Write(p.b.Bytes())
	return err
}

// A sheet is text or Markdown on its way.
type sheet struct {
	b        bytes.Buffer
	markdown bool
}

func (p *sheet) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// heading begins a part.
func (p *sheet) heading(text string) {
	if p.markdown {
		text = "## " + text
	}
	p.line("\n%s%s", text, strings.Repeat("\n", b2i(p.markdown)))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *sheet) table(t *report.Table) {
	if err := t.Write(&p.b, p.markdown); err != nil {
		panic("study: a table cannot be written to memory: " + err.Error())
	}
}

func (p *sheet) head(v *Validation) {
	title := "validate · " + counted(len(v.Items), "item")
	if v.Fast {
		title += " · fast"
	}
	for _, s := range v.Sets {
		title += " · " + s
	}
	if p.markdown {
		title = "# " + title
	}
	p.line("%s\n", title)
}

// items is the table of all items.
func (p *sheet) items(v *Validation) {
	t := report.NewTable("item", "class", "what", ">points", ">mean", ">worst", ">tolerance", "verdict")
	for i := range v.Items {
		t.Row(v.Items[i].cells()...)
	}
	p.table(t)
	if v.extrapolates() {
		p.line("\n%s", extrapolation)
	}
}

// extrapolation is what the star behind an id means.
const extrapolation = "* extrapolation: on profiles that are mostly estimates"

// extrapolates reports whether an item has a star.
func (v *Validation) extrapolates() bool {
	return slices.ContainsFunc(v.Items, func(r ItemResult) bool { return len(r.Guessed) > 0 })
}

// cells is the row of an item.
func (r *ItemResult) cells() []string {
	id, mean, worst := r.ID, "", ""
	if len(r.Guessed) > 0 {
		id += "*"
	}
	if r.Points > 0 {
		mean, worst = percent(r.Mean), percent(r.Worst)
	}
	return []string{id, string(r.Class), short(r.About), fmt.Sprint(r.Points), mean, worst, r.tolerances(), string(r.Verdict)}
}

// tolerances are the least and the largest of the points that are judged.
func (r *ItemResult) tolerances() string {
	var all []suite.Tolerance
	for i := range r.Curves {
		for k := range r.Curves[i].Points {
			if p := &r.Curves[i].Points[k]; p.Given && p.Disagree == "" {
				all = append(all, p.Tolerance)
			}
		}
	}
	if len(all) == 0 {
		return tolerance(r.Tolerance)
	}
	order := func(a, b suite.Tolerance) int {
		return cmp.Or(b2i(b.Exact)-b2i(a.Exact), cmp.Compare(a.Share, b.Share))
	}
	least, most := tolerance(slices.MinFunc(all, order)), tolerance(slices.MaxFunc(all, order))
	if least == most {
		return least
	}
	return strings.TrimSuffix(least, " %") + "-" + most
}

func (p *sheet) classes(v *Validation) {
	t := report.NewTable("class", "what", ">items", ">ok", ">miss", ">disagree", ">share", ">wanted")
	for i := range v.Classes {
		if c := &v.Classes[i]; c.Items > 0 {
			t.Row(c.cells()...)
		}
	}
	p.table(t)
}

// cells is the row of a class.
func (c *ClassSum) cells() []string {
	return []string{
		string(c.Class), meaning[c.Class], fmt.Sprint(c.Items), fmt.Sprint(c.OK), fmt.Sprint(c.Miss), fmt.Sprint(c.Disagree), percent(c.share()), percent(least[c.Class]),
	}
}

// contradictions lists the points that are not judged, with the reasons.
func (p *sheet) contradictions(v *Validation) {
	p.because(v, "not judged: published numbers contradict each other", Disagree)
}

// failures lists the points that have no value.
func (p *sheet) failures(v *Validation) { p.because(v, "without a value", Miss) }

func (p *sheet) because(v *Validation, heading string, of Verdict) {
	begun := false
	for i := range v.Items {
		for _, because := range v.Items[i].reasons(of) {
			if !begun {
				p.heading(heading)
				begun = true
			}
			p.line("%s%s %s", strings.Repeat("- ", b2i(p.markdown)), v.Items[i].ID, because)
		}
	}
}

// verdict is the last word on all.
func (p *sheet) verdict(v *Validation) {
	ok := 0
	for i := range v.Items {
		if v.Items[i].Verdict == OK {
			ok++
		}
	}
	mark := "✗"
	if v.Holds() {
		mark = "✓"
	}
	p.line("%s %d of %s ok · %s", mark, ok, counted(len(v.Items), "item"), counted(v.Runs, "simulation"))
}

// more is how to see the points of the item that deserves it most.
func (p *sheet) more(v *Validation) {
	if len(v.Items) == 0 {
		return
	}
	worst := &v.Items[0]
	for i := range v.Items {
		if r := &v.Items[i]; r.Verdict == Miss && (worst.Verdict != Miss || r.Worst > worst.Worst) {
			worst = r
		}
	}
	p.line("point by point: hcasim validate %s --explain", worst.ID)
}

// counted is how many of something there are.
func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(uint64(n)) + " " + one + "s"
}

// short cuts what an item is about for a row of a table.
func short(about string) string {
	const most = 46
	about = strings.TrimSuffix(strings.Join(strings.Fields(about), " "), ".")
	r := []rune(about)
	if len(r) <= most {
		return about
	}
	return strings.TrimRight(string(r[:most-1]), " ,;:") + "…"
}

// percent writes a share with the digits that matter: 0.012 %, 1.3 %, 143 %.
func percent(share float64) string {
	v := abs(share) * 100
	digits := 1
	switch {
	case v >= 99.95, v == 0:
		digits = 0
	case v < 0.0005:
		return "< 0.001 %"
	case v < 0.0995:
		digits = 3
	case v < 0.995:
		digits = 2
	}
	return strconv.FormatFloat(share*100, 'f', digits, 64) + " %"
}

func tolerance(t suite.Tolerance) string {
	if t.Exact {
		return "exact"
	}
	return strconv.FormatFloat(math.Round(t.Share*1e8)/1e6, 'f', -1, 64) + " %"
}

// digits writes a simulated value with four significant digits.
func digits(v float64) string {
	if v == 0 || v >= 1000 && v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	behind := 3 - int(math.Floor(math.Log10(abs(v))))
	if behind < 0 {
		behind = 0
	}
	return strconv.FormatFloat(v, 'f', behind, 64)
}
