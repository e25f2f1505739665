package terminal

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"hcasim/report/page"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// all are plots of every kind.
func all() map[string]page.Plot {
	x := []float64{1, 4, 16, 64, 256, 1024, 4096, 8192}
	rows := page.Plot{
		Title: "Where the time went", Sideways: true,
		X: page.Axis{Ticks: []string{"op 4 RDMA_WRITE", "op 5 RDMA_READ", "op 6"}}, Y: page.Axis{Label: "time", Unit: "ns"},
	}
	for i, name := range []string{"post", "doorbell", "queue", "qpc", "wire", "poll"} {
		rows.Series = append(rows.Series, page.Series{Name: name, Kind: page.Stack, X: []float64{0, 1}, Y: []float64{float64(30 * (i + 1)), 90}})
	}
	return map[string]page.Plot{
		"curves": {
			Title: "Where it falls ≥ 1 µs", X: page.Axis{Label: "regions", Log: true}, Y: page.Axis{Label: "latency", Unit: "us", Log: true},
			Series: []page.Series{
				{Name: "64 entries", Kind: page.Both, X: x, Y: []float64{1, 1, 1.1, 1.4, 5, 24, 28, 29}},
				{Name: "1024 entries", Kind: page.Both, X: x, Y: []float64{0.9, 0.9, 0.9, 0.95, 1, 2, 20, 25}},
				{Name: "measured", Kind: page.Points, X: x[3:6], Y: []float64{1.6, 7, 20}},
			},
		},
		"gap": {
			X: page.Axis{Label: "size", Unit: "B", Ticks: []string{"2", "64", "1KiB", "4KiB"}}, Y: page.Axis{Label: "rate", Unit: "op/s"},
			Series: []page.Series{{Name: "write", Kind: page.Line, X: []float64{0, 1, 2, 3}, Y: []float64{3e6, 2.9e6, math.NaN(), 1e6}}},
		},
		"steps": {
			Title: "Spread", X: page.Axis{Label: "latency", Unit: "us"}, Y: page.Axis{Label: "requests", Unit: "%"},
			Series: []page.Series{{Name: "WRITE", Kind: page.Steps, X: []float64{1, 1.2, 1.4, 1.6, 1.8}, Y: []float64{40, 45, 0, 15, 0}}},
		},
		"rows": rows,
		"bars": {
			X: page.Axis{Ticks: []string{"qpc", "mpt"}}, Y: page.Axis{Label: "lookups"},
			Series: []page.Series{
				{Name: "hit", Kind: page.Bars, X: []float64{0, 1}, Y: []float64{12000, 48000}},
				{Name: "miss", Kind: page.Bars, X: []float64{0, 1}, Y: []float64{300, 9000}},
			},
		},
		"one":   {X: page.Axis{Ticks: []string{"a link"}}, Y: page.Axis{Unit: "%"}, Series: []page.Series{{Name: "used", Kind: page.Bars, X: []float64{0}, Y: []float64{50}}}},
		"point": {Series: []page.Series{{Name: "alone", Kind: page.Both, X: []float64{3}, Y: []float64{7}}}},
		"empty": {Title: "Nothing"},
	}
}

func written(t *testing.T, p page.Plot, s Style) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, p, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWrite holds every plot to its golden file, in letters and in colours.
func TestWrite(t *testing.T) {
	for name, p := range all() {
		for end, s := range map[string]Style{".txt": {Width: 72}, ".colour.txt": {Width: 72, Colour: true}} {
			got := written(t, p, s)
			path := filepath.Join("testdata", name+end)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(path); err != nil || string(want) != got {
				t.Errorf("%s is not what is drawn now (-update): %v\n%s", path, err, got)
			}
		}
	}
}

// TestPlain: without colour it is ASCII (T2), and no line is too long (T3).
func TestPlain(t *testing.T) {
	for name, p := range all() {
		p.X.Label += " ─ of a very long name that has no room below the field at all"
		p.Series = append(p.Series, page.Series{Name: strings.Repeat("ä long name ", 9), Kind: kindOf(p)})
		for _, width := range []int{40, 80, 140} {
			for line := range strings.Lines(written(t, p, Style{Width: width})) {
				line = strings.TrimSuffix(line, "\n")
				if i := strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
					t.Errorf("%s: a line has %q", name, line[i:])
				}
				if len(line) > width {
					t.Errorf("%s: a line has %d columns of %d:\n%s", name, len(line), width, line)
				}
			}
			for line := range strings.Lines(uncoloured(written(t, p, Style{Width: width, Colour: true}))) {
				if n := utf8.RuneCountInString(line) - 1; n > width {
					t.Errorf("%s: in colour a line has %d columns of %d:\n%s", name, n, width, line)
				}
			}
		}
	}
}

func kindOf(p page.Plot) page.Kind {
	if len(p.Series) == 0 {
		return page.Line
	}
	return p.Series[0].Kind
}

// uncoloured is a text without its colours.
func uncoloured(text string) string {
	for {
		before, rest, found := strings.Cut(text, "\x1b[")
		if !found {
			return text
		}
		_, after, _ := strings.Cut(rest, "m")
		text = before + after
	}
}

// TestLog: on a logarithmic axis decades are at even distances.
func TestLog(t *testing.T) {
	p := page.Plot{
		X: page.Axis{Log: true}, Y: page.Axis{Log: true},
		Series: []page.Series{{Name: "straight", Kind: page.Line, X: []float64{1, 1e4}, Y: []float64{1, 1e4}}},
	}
	lines := strings.Split(written(t, p, Style{Width: 72}), "\n")
	var at []int
	for i, l := range lines[:height+2] {
		if len(strings.TrimSpace(l)) > 0 && strings.TrimSpace(l)[0] == '1' {
			at = append(at, i)
		}
	}
	if len(at) != 5 || at[1]-at[0] != at[2]-at[1] && at[1]-at[0] != at[2]-at[1]+1 && at[1]-at[0] != at[2]-at[1]-1 {
		t.Errorf("powers of ten are on lines %v of\n%s", at, strings.Join(lines, "\n"))
	}
}

// TestOf: a file is no terminal.
func TestOf(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "piped"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COLUMNS", "33")
	if got, want := Of(f, true), (Style{Width: 80}); got != want {
		t.Errorf("a file is %+v, want %+v", got, want)
	}
	for text, want := range map[string]bool{"LANG=de_DE.UTF-8": true, "LANG=C": false, "LC_ALL=C.utf8": true, "": false} {
		name, value, _ := strings.Cut(text, "=")
		if got := unicodeLocale(func(n string) string {
			if n == name {
				return value
			}
			return ""
		}); got != want {
			t.Errorf("%s shows Unicode: %v", text, got)
		}
	}
}
