package page

import (
	"embed"
	"html/template"
	"io"
	"strconv"
	"strings"
)

//go:embed assets
var assets embed.FS

var layout = template.Must(template.New("page.tmpl").ParseFS(assets, "assets/page.tmpl"))

// Write writes the page as one HTML file.
func Write(w io.Writer, p Page) error { return layout.Execute(w, newSheet(p)) }

// asset is the text of an embedded file.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("page: " + err.Error())
	}
	return string(text)
}

// A sheet is the page as the template reads it.
type sheet struct {
	Page
	Style    template.CSS
	Script   template.JS // empty without a plot
	Contents bool        // there is enough to need a table of contents
	Counts   []count
	Parts    []part
}

// A count is how many sections have a status.
type count struct {
	Status Status
	Mark   string
	N      int
}

// A part is a Section with its anchor.
type part struct {
	Section
	Anchor, Mark string
	Figures      []figure
	Grids        []lined
}

// A figure is a Plot in its three forms.
type figure struct {
	Plot
	Anchor string
	SVG    template.HTML
	Narrow template.HTML // of one that lies sideways
	Chart  chart
	Values lined
}

// A lined is a Table whose columns have classes.
type lined struct {
	Table
	Classes []string
}

func newSheet(p Page) sheet {
	s := sheet{Page: p, Style: template.CSS(asset("page.css") + drawnStyle), Contents: len(p.Sections) > 4}
	taken := map[string]bool{}
	plots := 0
	for i, sec := range p.Sections {
		q := part{Section: sec, Mark: sec.Status.mark(), Anchor: anchor(taken, sec.ID, "s"+strconv.Itoa(i+1))}
		for k, plot := range sec.Plots {
			q.Figures = append(q.Figures, newFigure(plot, anchor(taken, plot.ID, q.Anchor+"-p"+strconv.Itoa(k+1))))
			if !plot.Sideways {
				plots++
			}
		}
		for _, t := range sec.Tables {
			q.Grids = append(q.Grids, newLined(t))
		}
		s.Parts = append(s.Parts, q)
	}
	s.Counts = counts(p.Sections)
	if plots > 0 {
		s.Style = template.CSS(asset("uPlot.min.css")) + "\n" + s.Style
		s.Script = template.JS("/*\n" + asset("uPlot.LICENSE") + "\n*/\n" + asset("uPlot.iife.min.js") + "\n" + asset("page.js"))
	}
	return s
}

// anchor is the name of a place, which no other place has.
func anchor(taken map[string]bool, id, otherwise string) string {
	if id == "" {
		id = otherwise
	}
	id = strings.Join(strings.Fields(id), "-")
	if taken[id] {
		panic("page: two places named " + id)
	}
	taken[id] = true
	return id
}

func newFigure(p Plot, id string) figure {
	if p.Sideways {
		return rowsFigure(p, id)
	}
	size := Size{}
	if p.Large {
		size = Size{900, 460}
	}
	return figure{
		Plot: p, Anchor: id, Chart: p.chart(), Values: newLined(p.values()),
		SVG: template.HTML(svgOf(p, size, false)), // which escapes every text
	}
}

// rowsFigure is of a plot that lies sideways: it has no cursor and needs no
// script, but a picture for the desk and one for the phone.
func rowsFigure(p Plot, id string) figure {
	return figure{
		Plot: p, Anchor: id, Values: newLined(p.values()),
		SVG: template.HTML(svgOf(p, Size{Width: 720}, false)), Narrow: template.HTML(svgOf(p, Size{Width: 350}, false)),
	}
}

func newLined(t Table) lined {
	l := lined{Table: t, Classes: make([]string, len(t.Head))}
	for i := range l.Classes {
		l.Classes[i] = "l"
		if i < len(t.Align) && (t.Align[i] == 'r' || t.Align[i] == 'c') {
			l.Classes[i] = t.Align[i : i+1]
		}
	}
	return l
}

// Class is that of a column; rows may be longer than the head.
func (l lined) Class(column int) string {
	if column < len(l.Classes) {
		return l.Classes[column]
	}
	return "l"
}

// counts are of the statuses that occur.
func counts(sections []Section) (all []count) {
	for _, s := range []Status{OK, Miss, Disagree} {
		n := 0
		for _, sec := range sections {
			if sec.Status == s {
				n++
			}
		}
		if n > 0 {
			all = append(all, count{s, s.mark(), n})
		}
	}
	return all
}
