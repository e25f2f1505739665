package study

import (
	"fmt"
	"io"
	"strings"

	"hcasim/report"
	"hcasim/report/page"
	"hcasim/scenario"
)

// Report writes the validation as one HTML file: the sums first, then each
// item with its plots. By is the program that made it.
func (v *Validation) Report(file, by string) error {
	p := v.page(by)
	return report.File(file).Write(func(w io.Writer) error { return page.Write(w, p) })
}

// CheckReport returns what keeps a report from being written to a file.
func CheckReport(file string) error { return report.File(file).Check() }

// statuses of the page are the verdicts.
var statuses = map[Verdict]page.Status{OK: page.OK, Miss: page.Miss, Disagree: page.Disagree}

func (v *Validation) page(by string) page.Page {
	p := page.Page{
		Title: "hcasim and published measurements", Lead: v.sentence(),
		Made: fmt.Sprintf("%s, model version %d, %s", by, scenario.ModelVersion, counted(v.Runs, "simulation")),
	}
	p.Sections = append(p.Sections, v.summary())
	for i := range v.Items {
		p.Sections = append(p.Sections, v.Items[i].section())
	}
	return p
}

// sentence is the answer.
func (v *Validation) sentence() string {
	ok, points := 0, 0
	for i := range v.Items {
		points += v.Items[i].Points
		if v.Items[i].Verdict == OK {
			ok++
		}
	}
	text := fmt.Sprintf("Within their tolerances: %d of %s, %s", ok, counted(len(v.Items), "item"), counted(points, "point"))
	if v.Fast {
		text += "; only those that are quick were run"
	}
	for _, s := range v.Sets {
		text += "; " + s + " over all"
	}
	return text + "."
}

// summary is the section of the sums.
func (v *Validation) summary() page.Section {
	s := page.Section{ID: "summary", Title: "By class"}
	classes := page.Table{Head: []string{"class", "what", "items", "ok", "miss", "disagree", "share", "wanted"}, Align: "llrrrrrr"}
	for i := range v.Classes {
		c := &v.Classes[i]
		if c.Items == 0 {
			continue
		}
		classes.Rows = append(classes.Rows, c.cells())
	}
	items := page.Table{
		Title: "All items", Align: "lllrrrrl",
		Head: []string{"item", "class", "what", "points", "mean", "worst", "tolerance", "verdict"},
	}
	for i := range v.Items {
		row := v.Items[i].cells()
		row[2], _ = firstSentence(v.Items[i].About) // a page is wider than a terminal
		items.Rows = append(items.Rows, row)
	}
	if v.extrapolates() {
		s.Notes = append(s.Notes, extrapolation)
	}
	s.Tables = []page.Table{classes, items}
	return s
}

// section shows one item.
func (r *ItemResult) section() page.Section {
	title, rest := firstSentence(r.About)
	s := page.Section{ID: strings.ToLower(r.ID), Title: r.ID + " " + title, Lead: r.lead(rest), Status: statuses[r.Verdict], Plots: r.plots()}
	s.Tables = []page.Table{r.points()}
	for i := range r.Shapes {
		h := &r.Shapes[i]
		s.Notes = append(s.Notes, strings.TrimSpace(fmt.Sprintf("%s shape of %s: %s; simulated: %s", marks[h.Verdict], h.Curve.Name, h.wanted(), h.Got)))
	}
	for _, because := range r.reasons(Miss) {
		s.Notes = append(s.Notes, "Without a value: "+because)
	}
	for _, because := range r.reasons(Disagree) {
		s.Notes = append(s.Notes, "Not judged: "+because)
	}
	s.Notes = append(s.Notes, r.sources()...)
	return s
}

// firstSentence cuts a text behind its first sentence.
func firstSentence(text string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.Join(strings.Fields(text), " "), ". ")
	return strings.TrimSuffix(first, "."), rest
}

// lead says what the item may be used for and how it came out.
func (r *ItemResult) lead(about string) string {
	text := fmt.Sprintf("Class %s: %s.", r.Class, meaning[r.Class])
	if about != "" {
		text = about + " " + text
	}
	switch {
	case r.Points == 0:
	case r.Mean == 0 && r.Worst == 0:
		text += fmt.Sprintf(" %s; tolerance %s.", counted(r.Points, "point"), r.tolerances())
	default:
		text += fmt.Sprintf(" %s, off by %s in the mean and %s at worst; tolerance %s.",
			counted(r.Points, "point"), percent(r.Mean), percent(r.Worst), r.tolerances())
	}
	return strings.ReplaceAll(text, " %", "\u00a0%") // no line ends there
}

// points is the table of all points of an item.
func (r *ItemResult) points() page.Table {
	t := page.Table{
		Title: "Point by point", Align: "lrrrrrll", Folded: true,
		Head: []string{"curve", "x", "published", "simulated", "deviation", "tolerance", "", "reason"},
	}
	for i := range r.Curves {
		c := &r.Curves[i]
		name := c.Name
		if c.Unit != "" {
			name += ", " + c.Unit
		}
		for k := range c.Points {
			t.Rows = append(t.Rows, append([]string{name}, c.Points[k].cells()...))
		}
	}
	return t
}

// reasons are those of the points of one verdict, each told once.
func (r *ItemResult) reasons(of Verdict) (list []string) {
	for i := range r.Curves {
		c := &r.Curves[i]
		at := map[string][]string{}
		var order []string
		for k := range c.Points {
			p := &c.Points[k]
			why := p.reason()
			if why == "" || p.Verdict != of {
				continue
			}
			if at[why] == nil {
				order = append(order, why)
			}
			at[why] = append(at[why], p.X)
		}
		for _, why := range order {
			list = append(list, fmt.Sprintf("%s at %s: %s", c.Name, strings.Join(at[why], ", "), why))
		}
	}
	return list
}

// sources say where the numbers of an item are from.
func (r *ItemResult) sources() (list []string) {
	var order []string
	of := map[string][]string{}
	for i := range r.Curves {
		c := r.Curves[i].Curve
		if of[c.Source] == nil {
			order = append(order, c.Source)
		}
		of[c.Source] = append(of[c.Source], c.Name)
	}
	for _, source := range order {
		text := "Source"
		if len(order) > 1 {
			text += " of " + strings.Join(of[source], ", ")
		}
		list = append(list, text+": "+source)
	}
	if len(r.Profiles) > 0 {
		text := "Profiles: " + strings.Join(r.Profiles, ", ")
		if len(r.Guessed) > 0 {
			text += "; " + strings.Join(r.Guessed, ", ") + " mostly estimates, so this is extrapolation"
		}
		list = append(list, text)
	}
	if t := r.Testbed; t != nil {
		list = append(list, "Testbed "+t.Name+": "+t.About)
		for _, f := range t.Facts {
			list = append(list, f.Path+" = "+f.Value+": "+f.Source)
		}
		if t.ConstantText != "" {
			list = append(list, t.ConstantText+" on absolute latencies: "+t.ConstantSource)
		}
	}
	return list
}
