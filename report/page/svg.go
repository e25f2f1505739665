package page

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Size is in pixels; zero is 640 by 340.
type Size struct{ Width, Height int }

// Inks of the light page.
const (
	paper = "#fff"
	ink   = "#1c2024"
	muted = "#57606a"
	rule  = "#e1e4e8"
)

// darkStyle turns the picture over where the reader prefers dark. Attributes
// hold the light colours, so what knows no style sheets draws those.
const darkStyle = `<style>@media (prefers-color-scheme:dark){svg{--paper:#14171a;--ink:#e6e8ea;--muted:#9aa3ad;--rule:#30363d;` +
	`--c0:#56b4e9;--c1:#f0863c;--c2:#3cc79b;--c3:#e39ac6;--c4:#e5c04b;--c5:#b4bcc6}.pp{fill:var(--paper)}` + drawnStyle + `}</style>`

// drawnStyle ties what is drawn to the variables.
const drawnStyle = `.ik{fill:var(--ink)}.mt{fill:var(--muted)}.rl{stroke:var(--rule)}.ax{stroke:var(--muted)}` +
	`.s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}` +
	`.f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}.f5{fill:var(--c5)}`

// SVG writes the plot as a file of its own.
func SVG(w io.Writer, p Plot, size Size) error {
	_, err := io.WriteString(w, draw(p, size, true)+"\n")
	return err
}

// A drawing is an SVG being written. left, top, right and bottom bound the
// field between the axes.
type drawing struct {
	strings.Builder
	plot                     Plot
	looks                    []look
	bars                     int
	x, y                     scale
	width, height            float64
	left, top, right, bottom float64
}

// draw writes the plot; alone gives it its title and style sheet, which it
// has from the page otherwise.
func draw(p Plot, size Size, alone bool) string {
	if size.Width <= 0 || size.Height <= 0 {
		size = Size{640, 340}
	}
	for _, s := range p.Series {
		s.check()
	}
	d := &drawing{plot: p, x: p.scaleX(), y: p.scaleY(), width: float64(size.Width), height: float64(size.Height)}
	d.looks, d.bars = looks(p.Series)
	d.open(size, alone)
	d.legend()
	d.frame()
	for i := range p.Series {
		d.band(i)
	}
	for i := range p.Series {
		d.series(i)
	}
	d.WriteString("</svg>")
	return d.String()
}

// open writes what stands above the field.
func (d *drawing) open(size Size, alone bool) {
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" preserveAspectRatio="xMinYMid" role="img" aria-label="%s" font-family="system-ui,sans-serif" font-size="12">`,
		size.Width, size.Height, escape(d.plot.Title))
	d.top = 10
	if !alone {
		return
	}
	d.WriteString(darkStyle)
	d.printf(`<rect class="pp" fill="%s" width="100%%" height="100%%"/>`, paper)
	if d.plot.Title != "" {
		d.printf(`<text class="ik" fill="%s" x="12" y="20" font-size="14" font-weight="600">%s</text>`, ink, escape(d.plot.Title))
		d.top = 32
	}
}

// legend names the series, in as many rows as they need.
func (d *drawing) legend() {
	const row, gap = 18, 16
	x := 12.0
	for i, s := range d.plot.Series {
		w := 24 + textWidth(s.Name)
		if x > 12 && x+w > d.width-12 {
			x, d.top = 12, d.top+row
		}
		d.sample(i, x, d.top+5)
		d.printf(`<text class="ik" fill="%s" x="%s" y="%s">%s</text>`, ink, px(x+24), px(d.top+9), escape(s.Name))
		x += w + gap
	}
	if len(d.plot.Series) > 0 {
		d.top += row
	}
	d.top += 6
}

// sample is the sign of a series in the legend.
func (d *drawing) sample(i int, x, y float64) {
	l := d.looks[i]
	switch k := d.plot.Series[i].Kind; k {
	case Bars:
		d.printf(`<rect class="f%d" fill="%s" x="%s" y="%s" width="12" height="10"/>`, l.colour, colours[l.colour], px(x+3), px(y-5))
	case Points:
		d.marker(l, x+9, y, false)
	case Line, Both:
		d.path(l, "M"+px(x)+" "+px(y)+"H"+px(x+18))
		if k == Both {
			d.marker(l, x+9, y, true)
		}
	}
}

// frame writes axes, grid and their texts.
func (d *drawing) frame() {
	d.left, d.right = 38+widest(d.y), d.width-14
	d.bottom = d.height - 44
	for _, t := range thin(d.y, (d.bottom-d.top)/16) {
		y := d.atY(t.at)
		d.printf(`<path class="rl" stroke="%s" d="M%s %sH%s"/>`, rule, px(d.left), px(y), px(d.right))
		d.label(t.text, d.left-6, y+4, "end")
	}
	for _, t := range thin(d.x, (d.right-d.left)/(widest(d.x)+10)) {
		x := d.atX(t.at)
		d.printf(`<path class="rl" stroke="%s" d="M%s %sV%s"/>`, rule, px(x), px(d.top), px(d.bottom))
		d.label(t.text, x, d.bottom+16, "middle")
	}
	d.printf(`<path class="ax" stroke="%s" fill="none" d="M%s %sV%sH%s"/>`, muted, px(d.left), px(d.top), px(d.bottom), px(d.right))
	d.label(d.plot.X.title(), (d.left+d.right)/2, d.height-8, "middle")
	d.printf(`<text class="mt" fill="%s" text-anchor="middle" transform="translate(14 %s)rotate(-90)">%s</text>`,
		muted, px((d.top+d.bottom)/2), escape(d.plot.Y.title()))
}

func (d *drawing) label(text string, x, y float64, anchor string) {
	d.printf(`<text class="mt" fill="%s" x="%s" y="%s" text-anchor="%s">%s</text>`, muted, px(x), px(y), anchor, escape(text))
}

// widest is the width of the longest text of a tick.
func widest(s scale) (w float64) {
	for _, t := range s.ticks {
		w = max(w, textWidth(t.text))
	}
	return w
}

// thin leaves out ticks until there are no more than fit.
func thin(s scale, fit float64) (kept []tick) {
	all := s.ticks
	if float64(len(all)) > fit {
		all = slices.DeleteFunc(slices.Clone(all), func(t tick) bool { return t.minor })
	}
	every := max(1, int(math.Ceil(float64(len(all))/max(fit, 1))))
	for i := 0; i < len(all); i += every {
		kept = append(kept, all[i])
	}
	return kept
}

func (d *drawing) atX(v float64) float64 { return d.left + (d.right-d.left)*d.x.place(v) }
func (d *drawing) atY(v float64) float64 { return d.bottom - (d.bottom-d.top)*d.y.place(v) }

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.Builder, format, args...) }

// px writes a place, to a tenth of a pixel.
func px(v float64) string {
	return trim(strconv.FormatFloat(math.Round(v*10)/10, 'f', 1, 64))
}

// textWidth guesses the width of 12 pixel text.
func textWidth(text string) float64 { return 6.6 * float64(len([]rune(text))) }

// escape makes text fit for XML, which knows neither broken UTF-8 nor control
// characters.
func escape(text string) string {
	return template.HTMLEscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == '\uFFFE' || r == '\uFFFF' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")))
}
