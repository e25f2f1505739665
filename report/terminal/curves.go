package terminal

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"

	"hcasim/report/page"
)

// height is that of the field of curves, in lines.
const height = 14

// curves draws lines, steps and points over one another.
func curves(p page.Plot, s Style) []string {
	x, y := p.Rulers()
	names, sides := yLabels(y)
	const axis = 3 // what asciigraph puts between labels and field
	width := s.Width - sides - axis - 2
	fields := asciigraph.PlotMany(sampled(p, x, y, width, s), append(s.signs(p.Series),
		asciigraph.Height(height), asciigraph.LowerBound(0), asciigraph.UpperBound(1),
		asciigraph.YAxisValueFormatter(func(place float64) string { return names[row(place)] }))...)
	lines := []string{cut(y.Title(), s.Width)}
	lines = append(lines, strings.Split(fields, "\n")...)
	lines = append(lines, below(x, sides+axis, width)...)
	signs := make([]string, len(p.Series))
	all := make([]string, len(p.Series))
	for i, r := range p.Series {
		signs[i], all[i] = sign(letters, i), r.Name
		if s.Colour {
			signs[i] = sign(markers, i)
		}
	}
	if len(all) > 0 {
		lines = append(lines, s.legend(all, signs)...)
	}
	return lines
}

// row is the line of the field that a place is on, from the top.
func row(place float64) int { return int(math.Round((1 - place) * height)) }

// yLabels are the texts beside the lines, no two touching, and their width.
func yLabels(y page.Ruler) (names [height + 1]string, width int) {
	last := math.MaxInt
	put := func(minor bool) {
		last = math.MaxInt
		for _, m := range y.Marks {
			at := row(m.Place)
			if m.Minor != minor || at < 0 || at > height || last-at < 2 || taken(names, at) {
				continue
			}
			names[at], last = m.Text, at
			width = max(width, utf8.RuneCountInString(m.Text))
		}
	}
	put(false)
	put(true)
	return names, width
}

// taken reports whether a line or a neighbour has a text.
func taken(names [height + 1]string, at int) bool {
	return names[at] != "" || at > 0 && names[at-1] != "" || at < height && names[at+1] != ""
}

// below are the line of the x axis, its labels and its title.
func below(x page.Ruler, left, width int) []string {
	line := []rune(strings.Repeat(" ", left-1) + "└" + strings.Repeat("─", width))
	labels := []rune(strings.Repeat(" ", left+width+2))
	put := func(minor bool) {
		for _, m := range x.Marks {
			if m.Minor != minor || m.Place < 0 || m.Place > 1 {
				continue
			}
			text := []rune(m.Text)
			at := left + int(math.Round(m.Place*float64(width-1)))
			from := max(0, min(at-len(text)/2, len(labels)-len(text)))
			if from+len(text) > len(labels) || strings.TrimSpace(string(labels[max(0, from-1):min(len(labels), from+len(text)+1)])) != "" {
				continue
			}
			line[at] = '┬'
			copy(labels[from:], text)
		}
	}
	put(false)
	put(true)
	title := cut(x.Title(), left+width)
	room := left + width - utf8.RuneCountInString(title)
	return []string{string(line), string(labels), strings.Repeat(" ", min(room, (room+left)/2)) + title}
}

// sampled are the series at each column of the field, as places from 0 to 1;
// with colours, markers of the points lie over the lines. A column beyond the
// field lets asciigraph finish a point in the last one.
func sampled(p page.Plot, x, y page.Ruler, width int, s Style) (all [][]float64) {
	for _, r := range p.Series {
		line := blank(width + 1)
		if r.Kind != page.Points && r.Kind != page.Bars {
			spread(line[:width], places(r, x, y), r.Kind == page.Steps)
		} else {
			dots(line[:width], places(r, x, y))
		}
		all = append(all, line)
	}
	if !s.Colour {
		return all
	}
	for _, r := range p.Series {
		line := blank(width + 1)
		if r.Kind == page.Both || r.Kind == page.Line {
			dots(line[:width], places(r, x, y))
		}
		all = append(all, line)
	}
	return all
}

func blank(n int) []float64 {
	line := make([]float64, n)
	for i := range line {
		line[i] = math.NaN()
	}
	return line
}

// A dot is a point of a series in the field.
type dot struct{ x, y float64 }

// places are those of the points of a series, from left to right.
func places(r page.Series, x, y page.Ruler) (list []dot) {
	for i := range r.X {
		if at := x.Place(r.X[i]); !math.IsNaN(at) {
			list = append(list, dot{at, y.Place(r.Y[i])})
		}
	}
	slices.SortStableFunc(list, func(a, b dot) int { return cmp.Compare(a.x, b.x) })
	return list
}

// dots marks points only.
func dots(line []float64, points []dot) {
	for _, q := range points {
		line[column(q.x, len(line))] = q.y
	}
}

// spread gives each column the value on the line between two points, or, in
// steps, of the point before.
func spread(line []float64, points []dot, steps bool) {
	dots(line, points)
	for k := 1; k < len(points); k++ {
		a, b := points[k-1], points[k]
		from, to := column(a.x, len(line)), column(b.x, len(line))
		for c := from + 1; c < to; c++ {
			line[c] = a.y + (b.y-a.y)*float64(c-from)/float64(to-from) // none beside one that is missing
			if steps {
				line[c] = a.y
			}
		}
	}
}

func column(place float64, width int) int {
	return max(0, min(width-1, int(math.Round(place*float64(width-1)))))
}

// signs are the letters and hues of the series, and of the markers over them.
func (s Style) signs(series []page.Series) []asciigraph.Option {
	var sets []asciigraph.CharSet
	var colours []asciigraph.AnsiColor
	for i, r := range series {
		set := asciigraph.CreateCharSet(sign(letters, i))
		if s.Colour {
			set = asciigraph.DefaultCharSet
		}
		if r.Kind == page.Points || r.Kind == page.Bars {
			set.StartCap = " "
			if s.Colour {
				set.EndCap = sign(markers, i)
			}
		}
		sets, colours = append(sets, set), append(colours, hues[i%len(hues)])
	}
	if !s.Colour {
		return []asciigraph.Option{asciigraph.SeriesChars(sets...)}
	}
	for i := range series {
		set := asciigraph.CreateCharSet(sign(markers, i))
		set.StartCap = "─" // of the line below, which it covers
		sets, colours = append(sets, set), append(colours, hues[i%len(hues)])
	}
	return []asciigraph.Option{asciigraph.SeriesChars(sets...), asciigraph.SeriesColors(colours...)}
}
