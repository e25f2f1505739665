package plot

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"hcasim/report/page"
)

// all are plots with one of every kind of series.
func all() map[string]page.Plot {
	x := []float64{64, 256, 1024, 4096}
	curves := page.Plot{
		Title: "Where it falls ≥ 1 µs", X: page.Axis{Label: "regions", Log: true}, Y: page.Axis{Label: "latency", Unit: "us", Log: true},
		Series: []page.Series{
			{Name: "64 entries", Kind: page.Both, X: x, Y: []float64{1, 1.4, 5, 28}},
			{Name: "256 entries", Kind: page.Both, X: x, Y: []float64{0.9, 1, 3, 22}, Low: []float64{0.8, 0.9, 2, 20}, High: []float64{1, 1.2, 4, 25}},
			{Name: "measured", Kind: page.Points, X: x[1:], Y: []float64{1.1, 3.3, 24}},
			{Name: "bound", Kind: page.Line, X: x, Y: []float64{0.8, 0.8, 0.9, 10}},
		},
	}
	rows := page.Plot{
		Title: "Where the time went", Sideways: true,
		X: page.Axis{Ticks: []string{"op 4", "op 5"}}, Y: page.Axis{Label: "time", Unit: "ns"},
	}
	for i, name := range []string{"post", "doorbell", "wire", "poll"} {
		rows.Series = append(rows.Series, page.Series{Name: name, Kind: page.Stack, X: []float64{0, 1}, Y: []float64{float64(30 * (i + 1)), 90}})
	}
	return map[string]page.Plot{
		"curves": curves, "rows": rows,
		"steps": {Title: "Spread", Series: []page.Series{{Name: "WRITE", Kind: page.Steps, X: x, Y: []float64{3, 9, 2, 0}}}},
		"bars":  {X: page.Axis{Ticks: []string{"a", "b"}}, Series: []page.Series{{Name: "n", Kind: page.Bars, X: []float64{0, 1}, Y: []float64{3, 9}}}},
		"empty": {Title: "Nothing"},
		"words": {Title: "\x00\xff ✓ 中 😀 \ufffe", X: page.Axis{Label: "(\\)"}}, // of which the fonts lack some
	}
}

// written is a plot in a format.
func written(t *testing.T, format string, p page.Plot) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, p, page.Size{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWrite: every format of every plot is the same bytes twice (G1), and
// begins as such a file does.
func TestWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("of goroutines, PNG alone has something to share")
	}
	begins := map[string]string{"svg": "<svg ", "png": "\x89PNG", "pdf": "%PDF-"}
	for name, p := range all() {
		for _, format := range Formats {
			got := written(t, format, p)
			if !bytes.HasPrefix(got, []byte(begins[format])) {
				t.Errorf("%s.%s begins with %q", name, format, got[:8])
			}
			if !bytes.Equal(got, written(t, format, p)) {
				t.Errorf("%s.%s: written twice, it differs", name, format)
			}
			if dir := os.Getenv("PLOTS"); dir != "" { // to look at them
				if err := os.WriteFile(filepath.Join(dir, name+"."+format), got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := Write(&bytes.Buffer{}, "gif", page.Plot{}, page.Size{}); err == nil || Known("gif") {
		t.Error("a GIF was written")
	}
}

// TestPNG: the picture has the colours of the page on white, in the resolution
// of paper.
func TestPNG(t *testing.T) {
	file := written(t, "png", all()["curves"])
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if b := picture.Bounds(); b.Dx() != 2000 || b.Dy() != 1063 {
		t.Errorf("%v, want 2000 by 1063 dots", b)
	}
	if !bytes.Contains(file, []byte("pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01")) { // 11811 dots per metre
		t.Error("it does not say its resolution")
	}
	seen := map[color.RGBA]int{}
	for y := 0; y < picture.Bounds().Dy(); y++ {
		for x := 0; x < picture.Bounds().Dx(); x++ {
			r, g, b, a := picture.At(x, y).RGBA()
			seen[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}]++
		}
	}
	for i := range 4 {
		c := colour(page.Curves+page.Ink(i), 1).(color.NRGBA)
		if seen[color.RGBA(c)] < 500 {
			t.Errorf("curve %d has %d dots of its colour", i, seen[color.RGBA(c)])
		}
	}
	if white := seen[color.RGBA{255, 255, 255, 255}]; white < 2000*1063*8/10 {
		t.Errorf("%d dots are white", white)
	}
}

// TestPDF: both fonts are in it.
func TestPDF(t *testing.T) {
	if testing.Short() {
		t.Skip("of goroutines, PNG alone has something to share")
	}
	if n := bytes.Count(written(t, "pdf", all()["curves"]), []byte("/FontFile2")); n != 2 {
		t.Errorf("%d fonts are embedded, want 2", n)
	}
}
