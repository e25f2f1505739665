package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hcasim/report/page"
	"hcasim/scenario/run"
)

// The endings of figures that have pictures, whoever they are of.
const (
	hitRate     = ".hit_rate"
	utilisation = ".utilisation"
	stallPart   = ".stall."
	stallTime   = ".time"
	stallCount  = ".count"
)

// stats are the figures that pictures are made of: of the measured part, where
// there is one.
func (rec *Record) stats() (list []run.Stat, lead string) {
	if len(rec.Result.Measured) > 0 {
		return rec.Result.Measured, "Of the measured part of the last load."
	}
	return rec.Result.Stats, "Of the whole run."
}

// number is the value of a figure.
func number(s *run.Stat) float64 {
	v, err := strconv.ParseFloat(s.Value, 64)
	if err != nil {
		panic("report: the figure " + s.Name + " is " + s.Value)
	}
	return v
}

// shares draws the figures of an ending, which are shares of one, as rows, and
// lists what each is.
func (rec *Record) shares(s *page.Section, ending, title, label string, skip func(v float64, name string) bool) {
	list, lead := rec.stats()
	p := page.Plot{ID: s.ID + "-shares", Title: title, Sideways: true, X: page.Axis{Label: "of"}, Y: page.Axis{Label: label, Unit: "%", Reach: 100}}
	r := page.Series{Name: label, Kind: page.Stack}
	g := &grid{columns: []column{left("of"), right(label), left("")}}
	for i := range list {
		name, is := strings.CutSuffix(list[i].Name, ending)
		if v := 100 * number(&list[i]); is && !skip(v, name) {
			r.X, r.Y = append(r.X, float64(len(p.X.Ticks))), append(r.Y, v)
			p.X.Ticks = append(p.X.Ticks, name)
			g.row(name, fmt.Sprintf("%.2f %%", v), list[i].Doc)
		}
	}
	if len(g.rows) == 0 {
		return
	}
	p.Series = []page.Series{r}
	s.Lead = lead
	s.Plots = append(s.Plots, p)
	s.Tables = append(s.Tables, g.table("What each is", true))
}

// hitSection shows how often caches had what was looked for.
func (rec *Record) hitSection() page.Section {
	s := page.Section{ID: "hits", Title: "Caches"}
	rec.shares(&s, hitRate, "Found where it was looked for", "hit rate", func(float64, string) bool { return false })
	rec.lookups(&s)
	return s
}

// lookups lists how often was looked, and missed.
func (rec *Record) lookups(s *page.Section) {
	list, lead := rec.stats()
	missed := map[string]*run.Stat{}
	for i := range list {
		if name, is := strings.CutSuffix(list[i].Name, ".misses"); is {
			missed[name] = &list[i]
		}
	}
	g := &grid{columns: []column{left("cache"), right("lookups"), right("misses"), right("hit rate")}}
	for i := range list {
		name, is := strings.CutSuffix(list[i].Name, ".lookups")
		if m := missed[name]; is && m != nil && number(&list[i]) > 0 {
			g.row(name, list[i].Value, m.Value, fmt.Sprintf("%.2f %%", 100-100*number(m)/number(&list[i])))
		}
	}
	if len(g.rows) == 0 {
		return
	}
	s.Lead = lead
	s.Tables = append([]page.Table{g.table("", false)}, s.Tables...)
}

// useSection shows how busy links and pipes were, but for those that nothing
// passed.
func (rec *Record) useSection() page.Section {
	s := page.Section{ID: "use", Title: "Links and pipes"}
	rec.shares(&s, utilisation, "Share of the time in which each was taken", "utilisation", func(v float64, _ string) bool { return v == 0 })
	return s
}

// mostStalls are as many as a picture has.
const mostStalls = 16

// stallSection shows what was waited for, longest first.
func (rec *Record) stallSection() page.Section {
	s := page.Section{ID: "stalls", Title: "What was waited for"}
	list, lead := rec.stats()
	var waits []*run.Stat
	counts := map[string]string{}
	docs := map[string]string{}
	for i := range list {
		if !strings.Contains(list[i].Name, stallPart) {
			continue
		}
		if name, is := strings.CutSuffix(list[i].Name, stallCount); is {
			counts[name], docs[name] = list[i].Value, list[i].Doc
		} else if strings.HasSuffix(list[i].Name, stallTime) && number(&list[i]) > 0 {
			waits = append(waits, &list[i])
		}
	}
	if len(waits) == 0 {
		return s
	}
	slices.SortStableFunc(waits, func(a, b *run.Stat) int { return cmp.Compare(number(b), number(a)) })
	p := page.Plot{ID: "stall-time", Title: "Time of all who waited, added up", Sideways: true, X: page.Axis{Label: "for"}, Y: page.Axis{Label: "time", Unit: "us"}}
	r := page.Series{Name: "time", Kind: page.Stack}
	g := &grid{columns: []column{left("for"), right("waits"), right("time (us)"), right("each (us)"), left("")}}
	for k, w := range waits {
		name := strings.TrimSuffix(w.Name, stallTime)
		title := strings.Replace(name, stallPart, ".", 1)
		us := number(w) / 1e6
		if k < mostStalls {
			r.X, r.Y, p.X.Ticks = append(r.X, float64(k)), append(r.Y, us), append(p.X.Ticks, title)
		}
		each := ""
		if n, err := strconv.ParseFloat(counts[name], 64); err == nil && n > 0 {
			each = fmt.Sprintf("%.3f", us/n)
		}
		g.row(title, counts[name], fmt.Sprintf("%.3f", us), each, docs[name])
	}
	p.Series = []page.Series{r}
	s.Lead = lead + " A wait that several share counts for each."
	s.Plots, s.Tables = []page.Plot{p}, []page.Table{g.table("All waits", true)}
	return s
}

// figureSection has all figures, folded.
func (rec *Record) figureSection() page.Section {
	s := page.Section{ID: "figures", Title: "All figures"}
	for _, part := range []struct {
		title string
		list  []run.Stat
	}{{"Of the whole run", rec.Result.Stats}, {"Of the measured part", rec.Result.Measured}} {
		g := &grid{columns: []column{left("figure"), right("value"), left("unit"), left("")}}
		for _, f := range part.list {
			g.row(f.Name, f.Value, f.Unit, f.Doc)
		}
		if len(g.rows) > 0 {
			s.Tables = append(s.Tables, g.table(part.title, true))
		}
	}
	return s
}
