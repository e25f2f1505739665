package sweep

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hcasim/scenario/lang"
	"hcasim/scenario/sweep"
)

const head = `version: 1
kind: study
name: synthetic
question: Is it?
base: none.yaml
collect: {p50: write.p50, rate: write.rate}
axes:
  way: {values: {a: {x: 1}, b: {x: 2}}}
  entries: {set: e, values: [16, 64]}
  n: {set: n, from: 1, to: 1024, times: 2}
expect:
  - `

type fataler interface {
	Helper()
	Fatal(args ...any)
}

// synthetic is a table whose p50 is a function of its axes; rate is twice that.
func synthetic(t fataler, expect string, f func(way string, entries, n float64) float64) *Table {
	t.Helper()
	s, err := sweep.Read(lang.Source{Name: "synthetic.yaml", Data: []byte(head + expect)}, sweep.Options{Heads: true})
	if err != nil {
		t.Fatal(err)
	}
	table := &Table{Study: s}
	for i := range s.Rows() {
		v := s.Row(i)
		y := f(v[0].Text, v[1].Number, v[2].Number)
		cells := []Cell{{Known: true, Value: y}, {Known: true, Value: 2 * y}}
		if math.IsNaN(y) {
			cells = make([]Cell, 2)
		}
		table.Rows = append(table.Rows, Row{Index: i, Values: v, Cells: cells})
	}
	return table
}

// judged is the verdict on the one expectation.
func judged(t fataler, expect string, f func(way string, entries, n float64) float64) Verdict {
	t.Helper()
	table := synthetic(t, expect, f)
	return table.judge(&table.Study.Expect[0])
}

// A function of the three axes.
type surface = func(way string, entries, n float64) float64

func rising(_ string, entries, n float64) float64 { return 100 + n + entries }

func thrash(_ string, entries, n float64) float64 {
	if n <= entries {
		return 100
	}
	return 100 + 200*(1-entries/n)
}

func but(f surface, way string, entries, n, v float64) surface {
	return func(w string, e, m float64) float64 {
		if w == way && e == entries && m == n {
			return v
		}
		return f(w, e, m)
	}
}

// TestSentences holds what is said of each kind to the sentence, whether it
// holds or not.
func TestSentences(t *testing.T) {
	two := func(a, b surface) surface {
		return func(w string, e, n float64) float64 {
			if w == "a" {
				return a(w, e, n)
			}
			return b(w, e, n)
		}
	}
	slow := func(_ string, _, n float64) float64 { return 50 + n }
	steady := func(string, float64, float64) float64 { return 200 }
	for _, c := range []struct {
		expect string
		f      surface
		ok     bool
		want   string
	}{
		{"{rises: p50, along: n}", rising, true,
			"p50 rises along n from 165 ns at n = 1 to 1,188 ns at n = 1024 for way = a, entries = 64; in all 4 combinations"},
		{"{rises: p50, along: n}", but(rising, "b", 16, 64, 100), false,
			"p50 does not always rise along n: it falls from 148 ns at n = 32 to 100 ns at n = 64 for way = b, entries = 16; not in 1 of 4 combinations"},
		{"{rises: p50, along: n, where: way == 'a' and entries == 16, at_least: 20}", rising, false,
			"p50 rises along n from 117 ns at n = 1 to 1,140 ns at n = 1024 for way = a, entries = 16, 9.744 times, expected at least 20"},
		{"{rises: p50, along: n}", steady, false, "p50 does not rise along n: it is 200 ns at n = 1 and 200 ns at n = 1024 for way = a, entries = 16; not in 4 of 4 combinations"},
		{"{falls: p50, along: n}", rising, false,
			"p50 does not always fall along n: it rises from 117 ns at n = 1 to 118 ns at n = 2 for way = a, entries = 16; not in 4 of 4 combinations"},
		{"{falls: p50, along: n}", func(_ string, _, n float64) float64 { return 1000 / n }, true,
			"p50 falls along n from 1,000 ns at n = 1 to 0.9766 ns at n = 1024 for way = a, entries = 16; in all 4 combinations"},
		{"{flat: p50, along: n, within: 5%, where: n <= 4}", rising, true,
			"p50 is flat along n: 117 ns at n = 1, 120 ns at n = 4, 2.500 % apart, expected at most 5 % for way = a, entries = 16; in all 4 combinations"},
		{"{flat: p50, along: n, within: 5%}", rising, false,
			"p50 is not flat along n: 117 ns at n = 1, 1,140 ns at n = 1024, 89.70 % apart, expected at most 5 % for way = a, entries = 16; not in 4 of 4 combinations"},
		{"{knee: p50, along: n, between: [entries / 2, entries * 2], bend: up}", thrash, true,
			"knee of p50 at n = 16 for way = a, entries = 16, expected 8 to 32; knee of p50 at n = 64 for way = a, entries = 64, expected 32 to 128; knee of p50 at n = 16 for way = b, entries = 16, expected 8 to 32; knee of p50 at n = 64 for way = b, entries = 64, expected 32 to 128"},
		{"{knee: p50, along: n, between: [entries * 2, 1024], bend: up, where: way == 'a' and entries == 64}", thrash, false,
			"knee of p50 at n = 64 for way = a, entries = 64, expected 128 to 1,024"},
		{"{knee: p50, along: n, between: [1, 1024], where: way == 'a' and entries == 64}", steady, false,
			"p50 has no knee along n for way = a, entries = 64, expected 1 to 1,024"},
		{"{ratio: p50, of: {way: a}, to: {way: b}, at_least: 1.5, where: n == 4}", two(steady, func(string, float64, float64) float64 { return 100 }), true,
			"p50 of way = a is 2 times that of way = b, 200 ns to 100 ns for entries = 16, n = 4, expected at least 1.500; in all 2 combinations"},
		{"{ratio: p50, of: {way: a}, to: {way: b}, at_least: 1, at_most: 1.5, where: n == 4 and entries == 16}", two(steady, func(string, float64, float64) float64 { return 100 }), false,
			"p50 of way = a is 2 times that of way = b, 200 ns to 100 ns for entries = 16, n = 4, expected at least 1, at most 1.500"},
		{"{crossover: p50, between: [{way: a}, {way: b}], along: n, where: entries == 16}", two(slow, steady), true,
			"p50 of way = a and of way = b cross between n = 128 and 256 for entries = 16"},
		{"{crossover: p50, between: [{way: a}, {way: b}], along: n, within: [2, 16], where: entries == 16}", two(slow, steady), false,
			"p50 of way = a and of way = b cross between n = 128 and 256 for entries = 16, at 144, expected 2 to 16"},
		{"{crossover: p50, between: [{way: a}, {way: b}], along: n, exists: false, where: entries == 16}", two(slow, steady), false,
			"p50 of way = a and of way = b cross between n = 128 and 256 for entries = 16, expected nowhere"},
		{"{crossover: p50, between: [{way: a}, {way: b}], along: n, where: entries == 16}", two(slow, func(_ string, _, n float64) float64 { return 10 + n }), false,
			"p50 of way = a and of way = b do not cross along n for entries = 16: the first is 40 ns more at 1 and 40 ns more at 1024"},
		{"{holds: p50 < 150 and rate > 100, where: n <= 32}", rising, false, "p50 < 150 and rate > 100 does not hold at way = a, entries = 64, n = 1: p50 = 165 ns, rate = 330 op/s; not in 12 of 24 rows"},
		{"{holds: p50 >= 100}", rising, true, "p50 >= 100 holds in all 44 rows"},
		{"{holds: p50 >= 100, where: n < 1}", rising, false, "p50 >= 100: there is no row to judge it by"},
		{"{rises: p50, along: n, where: n == 1}", rising, false, "rises of p50: there are too few rows to judge it by"},
		{"{rises: p50, along: n, where: entries == 16 and way == 'a'}", but(rising, "a", 16, 8, math.NaN()), false, "p50 has no value at way = a, entries = 16, n = 8: 0 of 1 points failed"},
	} {
		got := judged(t, c.expect, c.f)
		if got.OK != c.ok || got.Text != c.want {
			t.Errorf("%s is %v:\n got %s\nwant %s", c.expect, got.OK, got.Text, c.want)
		}
	}
}

// Each kind fails when what it says is broken at a single place, whichever
// that is.
func TestEachCanFail(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	places := []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
	rapid.Check(t, func(t *rapid.T) {
		way := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "way")
		entries := rapid.SampledFrom([]float64{16, 64}).Draw(t, "entries")
		n := rapid.SampledFrom(places).Draw(t, "n")
		slope := rapid.Float64Range(0.1, 50).Draw(t, "slope")
		rise := func(_ string, e, m float64) float64 { return 100 + slope*m + e }
		fall := func(w string, e, m float64) float64 { return 1e6 - rise(w, e, m) }
		flat := func(_ string, e, m float64) float64 { return 1000 + math.Mod(m*e, 7) }
		for expect, c := range map[string]struct {
			f, broken surface
		}{
			"{rises: p50, along: n}":                                           {rise, but(rise, way, entries, n, edge(n, 0, 1e9))},
			"{falls: p50, along: n}":                                           {fall, but(fall, way, entries, n, edge(n, 1e9, 0))},
			"{flat: p50, along: n, within: 1%}":                                {flat, but(flat, way, entries, n, 1020)},
			"{holds: p50 < 2000 and p50 > 900}":                                {flat, but(flat, way, entries, n, 2000)},
			"{ratio: p50, of: {way: a}, to: {way: b}, at_least: 0.99}":         {flat, but(flat, way, entries, n, map[string]float64{"a": 900, "b": 1100}[way])},
			"{ratio: p50, of: {way: a}, to: {way: b}, at_most: 1.01}":          {flat, but(flat, way, entries, n, map[string]float64{"b": 900, "a": 1100}[way])},
			"{crossover: p50, between: [{way: a}, {way: b}], along: n}":        {cross(40), but2(cross(40), entries)},
			"{knee: p50, along: n, between: [entries/2, entries*2], bend: up}": {thrash, shifted(thrash, entries)},
		} {
			if v := judged(t, expect, c.f); !v.OK {
				t.Fatalf("%s: %s", expect, v.Text)
			}
			if v := judged(t, expect, c.broken); v.OK || !strings.Contains(v.Text, "p50") {
				t.Fatalf("%s holds though it is broken at %s, %v, %v: %s", expect, way, entries, n, v.Text)
			}
		}
	})
}

// edge breaks a line whatever its place: at its beginning by one value, else by
// the other.
func edge(n, inside, first float64) float64 {
	if n == 1 {
		return first
	}
	return inside
}

// cross has two lines that cross at a place.
func cross(at float64) surface {
	return func(w string, _, n float64) float64 {
		if w == "a" {
			return 100 + n
		}
		return 100 + at
	}
}

// but2 has no crossing at some entries.
func but2(f surface, entries float64) surface {
	return func(w string, e, n float64) float64 {
		if e == entries && w == "b" {
			return 1e5
		}
		return f(w, e, n)
	}
}

// shifted has the knee of some entries elsewhere.
func shifted(f surface, entries float64) surface {
	return func(w string, e, n float64) float64 {
		if e == entries {
			e *= 8
		}
		return f(w, e, n)
	}
}

// Slack lets a line fall back so far and no farther.
func TestSlack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		back := rapid.Float64Range(0, 0.1).Draw(t, "back")
		f := func(_ string, _, n float64) float64 {
			if n == 64 {
				return 1032 * (1 - back) // that before is 1032
			}
			return 1000 + n
		}
		v := judged(t, "{rises: p50, along: n, slack: 5%}", f)
		if math.Abs(back-0.05) > 1e-9 && v.OK != (back < 0.05) {
			t.Fatalf("falls back by %v: %s", back, v.Text)
		}
	})
}

func TestRanges(t *testing.T) {
	for want, list := range map[string][]int{"": nil, "3": {3}, "3,7": {3, 7}, "0-2,5,7-8": {0, 1, 2, 5, 7, 8}} {
		if got := ranges(list); got != want {
			t.Errorf("%v is %q", list, got)
		}
	}
}
