package page

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
)

// Inks of the light page.
const (
	paper = "#ffffff"
	ink   = "#1c2024"
	muted = "#57606a"
	rule  = "#e1e4e8"
)

// darkStyle turns the picture over where the reader prefers dark. Attributes
// hold the light colours, so what knows no style sheets draws those.
const darkStyle = `<style>@media (prefers-color-scheme:dark){svg{--paper:#14171a;--ink:#e6e8ea;--muted:#9aa3ad;--rule:#30363d;` +
	`--c0:#56b4e9;--c1:#f0863c;--c2:#3cc79b;--c3:#e39ac6;--c4:#e5c04b;--c5:#b4bcc6}` + drawnStyle + `}</style>`

// drawnStyle ties what is drawn to the variables: f of what is filled, s of
// what is stroked.
const drawnStyle = `.fp{fill:var(--paper)}.fi{fill:var(--ink)}.fm{fill:var(--muted)}.fr{fill:var(--rule)}` +
	`.sp{stroke:var(--paper)}.si{stroke:var(--ink)}.sm{stroke:var(--muted)}.sr{stroke:var(--rule)}` +
	`.s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}` +
	`.f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}.f5{fill:var(--c5)}`

// class is the last letter of the ink's classes.
func (i Ink) class() string {
	if i >= Curves {
		return strconv.Itoa(int(i - Curves))
	}
	return "pimr"[i : i+1]
}

// SVG writes the plot as a file of its own.
func SVG(w io.Writer, p Plot, size Size) error {
	_, err := io.WriteString(w, svgOf(p, size, true)+"\n")
	return err
}

// svgOf draws the plot; alone gives it its title and style sheet, which it has
// from the page otherwise.
func svgOf(p Plot, size Size, alone bool) string {
	size = size.Of(p)
	s := &svg{}
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" preserveAspectRatio="xMinYMid" role="img" aria-label="%s" font-family="system-ui,sans-serif" font-size="12">`,
		size.Width, size.Height, escape(p.Title))
	if alone {
		s.WriteString(darkStyle)
		s.printf(`<rect class="fp" fill="%s" width="100%%" height="100%%"/>`, paper)
	} else {
		p.Title = ""
	}
	Draw(s, p, size)
	s.WriteString("</svg>")
	return s.String()
}

// An svg is a Canvas that is written down.
type svg struct{ strings.Builder }

func (s *svg) printf(format string, args ...any) { fmt.Fprintf(&s.Builder, format, args...) }

// Line strokes.
func (s *svg) Line(ink Ink, width float64, dash []float64, through []Point) {
	s.printf(`<path class="s%s" stroke="%s" stroke-width="%s" fill="none"`, ink.class(), ink.Hex(), px(width))
	if len(through) > 2 {
		s.WriteString(` stroke-linejoin="round"`)
	}
	if dash != nil {
		s.printf(` stroke-dasharray="%s %s"`, px(dash[0]), px(dash[1]))
	}
	s.printf(` d="%s"/>`, path(through))
}

// Area fills.
func (s *svg) Area(ink Ink, opacity float64, hint string, outline []Point) {
	s.printf(`<path class="f%s" fill="%s"`, ink.class(), ink.Hex())
	if opacity < 1 {
		s.printf(` fill-opacity="%s"`, full(opacity))
	}
	s.printf(` d="%sZ"`, path(outline))
	if hint == "" {
		s.WriteString("/>")
		return
	}
	s.printf(`><title>%s</title></path>`, escape(hint))
}

// Circle strokes or fills.
func (s *svg) Circle(ink Ink, width float64, centre Point, radius float64) {
	s.printf(`<circle cx="%s" cy="%s" r="%s" `, px(centre.X), px(centre.Y), px(radius))
	if width == 0 {
		s.printf(`class="f%s" fill="%s"/>`, ink.class(), ink.Hex())
		return
	}
	s.printf(`class="s%s" stroke="%s" stroke-width="%s" fill="none"/>`, ink.class(), ink.Hex(), px(width))
}

// Text writes.
func (s *svg) Text(t Text) {
	s.printf(`<text class="f%s" fill="%s"`, t.Ink.class(), t.Ink.Hex())
	if t.Anchor != Start {
		s.printf(` text-anchor="%s"`, t.Anchor)
	}
	if t.Title {
		s.WriteString(` font-size="14" font-weight="600"`)
	}
	if t.Turned {
		s.printf(` transform="translate(%s %s)rotate(-90)"`, px(t.At.X), px(t.At.Y))
	} else {
		s.printf(` x="%s" y="%s"`, px(t.At.X), px(t.At.Y))
	}
	s.printf(`>%s</text>`, escape(t.Words))
}

// path writes points as the d of a path, with the short forms of what is level
// or upright.
func path(points []Point) string {
	var b strings.Builder
	var x, y string
	for k, q := range points {
		u, v := px(q.X), px(q.Y)
		switch {
		case k == 0:
			b.WriteString("M" + u + " " + v)
		case v == y && u == x:
		case v == y:
			b.WriteString("H" + u)
		case u == x:
			b.WriteString("V" + v)
		default:
			b.WriteString("L" + u + " " + v)
		}
		x, y = u, v
	}
	return b.String()
}

// px writes a place, to a tenth of a pixel.
func px(v float64) string {
	return trim(strconv.FormatFloat(math.Round(v*10)/10, 'f', 1, 64))
}

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
