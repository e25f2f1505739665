package page

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// texts are those of the ticks.
func texts(s scale) string {
	var all []string
	for _, t := range s.ticks {
		all = append(all, t.text)
	}
	return strings.Join(all, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		want   string
	}{
		{Axis{}, 0, 3.9, "0 1 2 3 4"},
		{Axis{}, 0.93, 1.07, "0.9 0.95 1 1.05 1.1"},
		{Axis{}, -3, 41, "-10 0 10 20 30 40 50"},
		{Axis{}, 0, 48000, "0 10k 20k 30k 40k 50k"},
		{Axis{}, 12, 12, "10.5 11 11.5 12 12.5 13 13.5"},
		{Axis{}, 0, 0, "-1e-09 -5e-10 0 5e-10 1e-09"},
		{Axis{Log: true}, 2.1e5, 35e6, "200k 500k 1M 2M 5M 10M 20M 50M"},
		{Axis{Log: true}, 1e-3, 1e6, "0.001 0.01 0.1 1 10 100 1000 10k 100k 1M"},
		{Axis{Log: true}, 1.04, 1.09, "1.04 1.05 1.06 1.07 1.08 1.09"},
		{Axis{Log: true, Unit: "B"}, 64, 5000, "64 128 256 512 1KiB 2KiB 4KiB 8KiB"},
		{Axis{Log: true, Twos: true}, 3, 5000, "2 4 8 16 32 64 128 256 512 1024 2048 4096 8192"},
		{Axis{Ticks: []string{"a", "b"}}, 0, 1, "a b"},
	} {
		if got := texts(newScale(c.axis, span{c.lo, c.hi, true}, true)); got != c.want {
			t.Errorf("%v from %g to %g: %s, want %s", c.axis, c.lo, c.hi, got, c.want)
		}
	}
}

// TestScalesHold: whatever is drawn has a place between 0 and 1.
func TestScalesHold(t *testing.T) {
	values := []float64{-1e12, -7, -1e-7, 0, 3e-9, 0.5, 1, 1.0000001, 9.99, 10, 1023, 1024, 99999.5, 6e14}
	for _, a := range []Axis{{}, {Log: true}, {Log: true, Unit: "B"}, {Log: true, Twos: true}} {
		for _, lo := range values {
			for _, hi := range values {
				p := Plot{X: a, Y: a, Series: []Series{{Kind: Line, X: []float64{lo, hi}, Y: []float64{lo, hi}}}}
				for _, s := range []scale{p.scaleX(), p.scaleY()} {
					for _, v := range []float64{lo, hi} {
						if at := s.place(v); a.holds(v) && !(at >= -1e-9 && at <= 1+1e-9) {
							t.Errorf("%v: %g of [%g, %g] stands at %g of %+v", a, v, lo, hi, at, s)
						}
					}
					if n := len(s.ticks); n > 60 && !s.fixed {
						t.Errorf("%v from %g to %g: %d ticks", a, lo, hi, n)
					}
				}
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v           float64
		full, short string
	}{
		{0, "0", "0"},
		{math.Copysign(0, -1), "0", "0"},
		{1.04, "1.04", "1.04"},
		{2.0 / 3, "0.666667", "0.666667"},
		{999999.7, "1000000", "1000k"},
		{1048576, "1048576", "1.04858M"},
		{12000, "12000", "12k"},
		{-2.5e9, "-2500000000", "-2.5G"},
		{3e-7, "3e-07", "3e-07"},
		{math.NaN(), "", ""},
	} {
		if f, s := full(c.v), short(c.v); f != c.full || s != c.short {
			t.Errorf("%g: %s and %s, want %s and %s", c.v, f, s, c.full, c.short)
		}
	}
}

// TestGrid: an x that a series has twice has two rows, and no point is lost.
func TestGrid(t *testing.T) {
	g := newGrid([]Series{
		{X: []float64{3, 1, 1, math.NaN()}},
		{X: []float64{2, 1}},
	}, finite)
	if !slices.Equal(g.x, []float64{1, 1, 2, 3}) {
		t.Errorf("rows %v", g.x)
	}
	if !slices.Equal(g.of[0], []int{1, 2, -1, 0}) || !slices.Equal(g.of[1], []int{1, -1, 0, -1}) {
		t.Errorf("points %v", g.of)
	}
}

// TestLooks: no two series of a plot look the same (W5).
func TestLooks(t *testing.T) {
	var series []Series
	for range 9 {
		series = append(series, Series{Kind: Points}, Series{Kind: Line}, Series{Kind: Line, Curve: "c"}, Series{Kind: Points, Curve: "c"})
	}
	all, _ := looks(series[:12])
	seen := map[look]bool{}
	for i, l := range all {
		l.bar = 0
		if series[i].Kind == Points {
			l.dash = -1
		}
		if seen[l] {
			t.Errorf("series %d looks like one before it: %+v", i, l)
		}
		seen[l] = true
	}
}
