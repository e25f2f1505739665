package terminal

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"hcasim/report/page"
)

// rows draws bars, one line each; the parts of one that lies sideways stand
// one behind the other, each in its own letter.
func rows(p page.Plot, s Style) []string {
	_, y := p.Rulers()
	t := &bars{style: s, y: y, signs: signsOf(p.Series), series: p.Series}
	for row, name := range p.X.Ticks {
		if p.Sideways {
			t.add(name, row, -1)
			continue
		}
		for i := range p.Series {
			t.add(name, row, i)
			name = ""
		}
	}
	lines := []string{cut(y.Title(), s.Width)}
	lines = append(lines, t.lines()...)
	if len(p.Series) > 1 {
		names := make([]string, len(p.Series))
		for i, r := range p.Series {
			names[i] = r.Name
		}
		lines = append(lines, s.legend(names, t.signs)...)
	}
	return lines
}

// A bar is one line: its parts by series.
type bar struct {
	name  string
	parts []float64
	sum   float64
}

// bars are the lines on their way.
type bars struct {
	style  Style
	y      page.Ruler
	signs  []string
	series []page.Series
	all    []bar
	most   float64
}

// add makes the bar of a row, of all series or of one.
func (t *bars) add(name string, row, only int) {
	b := bar{name: name, parts: make([]float64, len(t.series))}
	for i, r := range t.series {
		for k := range r.X {
			if int(r.X[k]) == row && (only < 0 || only == i) && r.Y[k] > 0 { // and no NaN
				b.parts[i] += r.Y[k]
				b.sum += r.Y[k]
			}
		}
	}
	t.all, t.most = append(t.all, b), max(t.most, b.sum)
}

// lines are names, bars and sums.
func (t *bars) lines() (lines []string) {
	names, sums := 0, 0
	for _, b := range t.all {
		names = max(names, utf8.RuneCountInString(b.name))
		sums = max(sums, len(page.Round(b.sum)))
	}
	names = min(names, t.style.Width/3)
	width := max(t.style.Width-names-sums-5, 8)
	for _, b := range t.all {
		line := fmt.Sprintf("  %-*s ", names, cut(b.name, names))
		sum, at := 0.0, 0
		for i, v := range b.parts {
			sum += v
			to := at
			if t.most > 0 {
				to = int(math.Round(sum / t.most * float64(width)))
			}
			if to > at {
				line += t.style.painted(i, strings.Repeat(t.signs[i], to-at))
			}
			at = to
		}
		lines = append(lines, line+" "+page.Round(b.sum))
	}
	return lines
}

// signsOf gives each series a letter: the first of its name that no other has.
// One that stands alone is a plain bar.
func signsOf(series []page.Series) []string {
	if len(series) == 1 {
		return []string{"#"}
	}
	taken := map[rune]bool{}
	signs := make([]string, len(series))
	for i, r := range series {
		for _, c := range strings.ToLower(r.Name) + strings.ToUpper(r.Name) + "0123456789#=+*:%@&~" {
			if c > ' ' && c <= '~' && c != '_' && !taken[c] {
				taken[c], signs[i] = true, string(c)
				break
			}
		}
		if signs[i] == "" {
			signs[i] = "?"
		}
	}
	return signs
}
