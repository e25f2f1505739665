package page

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// sizes is a plot of the kind that validation makes.
func sizes() Plot {
	return Plot{
		ID: "v18-write", Title: "WRITE latency by size",
		X: Axis{Label: "message size", Unit: "B", Ticks: []string{"2", "64", "256", "1KiB", "4KiB"}},
		Y: Axis{Label: "latency", Unit: "us"},
		Series: []Series{
			{
				Name: "write, measured ± 5 %", Curve: "write", Kind: Points,
				X: []float64{0, 1, 2, 3, 4}, Y: []float64{0.98, 1.04, 1.22, 1.61, 2.9},
				Low:  []float64{0.931, 0.988, 1.159, 1.5295, 2.755},
				High: []float64{1.029, 1.092, 1.281, 1.6905, 3.045},
			},
			{Name: "write, simulated", Curve: "write", Kind: Line, X: []float64{0, 1, 2, 3, 4}, Y: []float64{0.97, 1.05, 1.2, math.NaN(), 3.02}},
			{Name: "read, measured", Curve: "read", Kind: Points, X: []float64{0, 2, 4}, Y: []float64{1.9, 2.1, 3.8}},
			{Name: "read, simulated", Curve: "read", Kind: Line, X: []float64{0, 1, 2, 3, 4}, Y: []float64{1.85, 1.95, 2.12, 2.5, 3.9}},
		},
	}
}

// rates has two log axes, one in bytes.
func rates() Plot {
	return Plot{
		Title: "Message rate by size of the working set",
		X:     Axis{Label: "working set", Unit: "B", Log: true},
		Y:     Axis{Label: "rate", Unit: "op/s", Log: true},
		Series: []Series{
			{
				Name: "hits & misses", Kind: Both,
				X: []float64{4096, 65536, 1 << 20, 1 << 24, 1 << 30}, Y: []float64{35e6, 34e6, 8e6, 0, 2.1e5},
			},
		},
	}
}

// counted has bars, two at each x, with a whisker on one.
func counted() Plot {
	return Plot{
		Title: "Lookups by cache", X: Axis{Label: "cache", Ticks: []string{"qpc", "mpt", "mtt"}}, Y: Axis{Label: "lookups"},
		Series: []Series{
			{Name: "hit", Kind: Bars, X: []float64{0, 1, 2}, Y: []float64{12000, 48000, 31000}},
			{Name: "miss", Kind: Bars, X: []float64{0, 1, 2}, Y: []float64{300, 9000, 17000}, Low: []float64{250, 8000, 15000}, High: []float64{350, 9500, 21000}},
		},
	}
}

// large is a plot with more room.
func large(p Plot) Plot {
	p.Large = true
	return p
}

// spread is a histogram of two kinds of request.
func spread() Plot {
	return Plot{
		Title: "Latencies", X: Axis{Label: "latency", Unit: "us"}, Y: Axis{Label: "requests", Unit: "%"},
		Series: []Series{
			{Name: "WRITE", Kind: Steps, X: []float64{1, 1.2, 1.4, 1.6, 1.8}, Y: []float64{40, 45, 0, 15, 0}},
			{Name: "READ", Kind: Steps, X: []float64{1.6, 1.8, 2, 2.2}, Y: []float64{20, 70, 10, 0}},
		},
	}
}

// parts is a plot that lies sideways, in seven parts.
func parts() Plot {
	p := Plot{
		ID: "parts", Title: "Where the time went", Sideways: true,
		X: Axis{Label: "request", Ticks: []string{"op 4, RDMA_WRITE", "op 5, RDMA_READ", "a request with a name that has no room at all"}},
		Y: Axis{Label: "time", Unit: "ns"},
	}
	for i, name := range []string{"post", "doorbell", "queue", "mpt", "mtt", "wire", "poll"} {
		v := float64(10 * (i + 1))
		p.Series = append(p.Series, Series{Name: name, Kind: Stack, X: []float64{0, 1}, Y: []float64{v, 1.5 * v * float64(i%3)}})
	}
	return p
}

// small is a page with one of everything.
func small() Page {
	return Page{
		Title:   "Validation of hcasim",
		Lead:    "Three of five items agree with what was published; V20 misses by 12 %.",
		Answers: []Answer{{OK, "The knee is where it was published."}, {Miss, "It rises by 3 %, and should by 10 %."}, {Silent, "The slowest took 3 us."}},
		Sections: []Section{
			{ID: "v18", Title: "V18 ConnectX-3, WRITE and READ by size", Lead: "All points within 5 %.", Status: OK, Plots: []Plot{large(sizes())}},
			{ID: "v20", Title: "V20 Rate over the working set", Status: Miss, Plots: []Plot{rates(), counted(), spread(), parts()}, Notes: []string{"The knee is at 1MiB, published: 2MiB."}},
			{ID: "v21", Title: "V21 Headers", Status: OK, Tables: []Table{{
				Title: "Bytes of a header", Head: []string{"header", "published", "simulated"}, Align: "lrr",
				Rows: [][]string{{"LRH", "8", "8"}, {"BTH", "12", "12"}},
			}}},
			{ID: "v22", Title: "V22 Two papers on one figure", Status: Disagree, Notes: []string{"0.94 us in one, 1.3 us in the other."}},
			{Title: "About"},
		},
		Made: "hcasim, model version 1",
	}
}

// written is the page as bytes.
func written(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden holds got to the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s is not what is written now (go test ./report/page -update): %v", path, err)
	}
}

// TestPage holds a small page to its golden file, which leaves out what is
// embedded whole.
func TestPage(t *testing.T) {
	got := written(t, small())
	if again := written(t, small()); again != got {
		t.Error("written twice, the page differs (W1)")
	}
	for _, name := range []string{"uPlot.min.css", "uPlot.iife.min.js", "uPlot.LICENSE", "page.css", "page.js"} {
		short := strings.Replace(got, asset(name), "{"+name+"}", 1)
		if short == got {
			t.Errorf("the page lacks %s", name)
		}
		got = short
	}
	golden(t, "small.html", got)
}

func TestSVG(t *testing.T) {
	for name, p := range map[string]Plot{"sizes.svg": sizes(), "rates.svg": rates(), "counted.svg": counted(), "spread.svg": spread(), "parts.svg": parts()} {
		var b bytes.Buffer
		if err := SVG(&b, p, Size{}); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
	}
}

// TestColours: the sheet of the page and that of an SVG have the same ones.
func TestColours(t *testing.T) {
	light, dark, both := strings.Cut(asset("page.css"), "@media screen")
	if !both {
		t.Fatal("page.css has no dark half")
	}
	for i, c := range colours {
		if want := fmt.Sprintf("--c%d: %s;", i, c); !strings.Contains(light, want) {
			t.Errorf("page.css lacks %s", want)
		}
	}
	for _, v := range regexp.MustCompile(`--(\w+):(#\w+)`).FindAllStringSubmatch(darkStyle, -1) {
		if want := "--" + v[1] + ": " + v[2] + ";"; !strings.Contains(dark, want) {
			t.Errorf("the dark half of page.css lacks %s", want)
		}
	}
	for name, c := range map[string]string{"paper": paper, "ink": ink, "muted": muted, "rule": rule} {
		if want := "--" + name + ": " + c + ";"; !strings.Contains(light, want) {
			t.Errorf("page.css lacks %s", want)
		}
	}
}

// TestNothingFetched looks for whatever could make a browser ask (W2).
func TestNothingFetched(t *testing.T) {
	asks := regexp.MustCompile(`(?i)(src|srcset|poster|action)\s*=\s*["']?[a-z/]|<link[^>]+href="[^d#]|url\(|@import|\bimport\(|\bfetch\(|XMLHttpRequest|new WebSocket`)
	if found := asks.FindString(written(t, small())); found != "" {
		t.Errorf("the page holds %q", found)
	}
}

// TestEscaping: a text that tries to leave its place is shown as it is (W3).
func TestEscaping(t *testing.T) {
	const evil = "</script></style></title><script>alert(1)</script><img src=x onerror=alert(1)>\" ' & <!-- \u2028 {{.}} \x00\x1b"
	got := written(t, Page{
		Title: evil, Lead: evil, Made: evil, Answers: []Answer{{OK, evil}},
		Sections: []Section{{
			Title: evil, Lead: evil, Notes: []string{evil}, Tables: []Table{{Title: evil, Head: []string{evil}, Rows: [][]string{{evil, evil}}}},
			Plots: []Plot{{
				ID: evil, Title: evil, X: Axis{Label: evil, Unit: evil, Ticks: []string{evil}}, Y: Axis{Label: evil},
				Series: []Series{{Name: evil, Curve: evil, Kind: Line, X: []float64{0}, Y: []float64{1}}},
			}},
		}},
	})
	if n := strings.Count(got, "<script"); n != 2 {
		t.Errorf("%d scripts, want the data and the code", n)
	}
	if n := strings.Count(got, "</script"); n != 2 {
		t.Errorf("%d scripts end, want 2", n)
	}
	for _, bad := range []string{"<img", "alert(1)</script", "<!--", "\x00"} {
		if strings.Contains(got, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
}

// TestSVGIsXML: what is no XML at all is not in it.
func TestSVGIsXML(t *testing.T) {
	const evil = "</text><script>\" ' & <!-- ]]> \x00\x1b\xff\ufffe"
	var b bytes.Buffer
	p := Plot{
		Title: evil, X: Axis{Label: evil, Ticks: []string{evil}}, Y: Axis{Label: evil, Unit: evil},
		Series: []Series{{Name: evil, Kind: Both, X: []float64{0}, Y: []float64{1}}},
	}
	if err := SVG(&b, p, Size{300, 200}); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, begins := token.(xml.StartElement); begins {
			names[e.Name.Local] = true
		}
	}
	if names["script"] || !names["text"] {
		t.Errorf("elements %v", names)
	}
}

// TestNoPlots: a page of words carries no code.
func TestNoPlots(t *testing.T) {
	if got := written(t, Page{Title: "t", Sections: []Section{{Title: "s"}}}); strings.Contains(got, "<script") {
		t.Error("a page without plots has a script")
	}
}

// TestMistakes of the caller are not written.
func TestMistakes(t *testing.T) {
	for what, p := range map[string]Page{
		"equal anchors": {Sections: []Section{{ID: "a"}, {ID: "a"}}},
		"unequal lengths": {Sections: []Section{{Plots: []Plot{{Series: []Series{
			{Kind: Line, X: []float64{1}},
		}}}}}},
		"half a band": {Sections: []Section{{Plots: []Plot{{Series: []Series{
			{Kind: Line, X: []float64{1}, Y: []float64{1}, Low: []float64{1}},
		}}}}}},
		"no kind":   {Sections: []Section{{Plots: []Plot{{Series: []Series{{}}}}}}},
		"no status": {Sections: []Section{{Status: "good"}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			_ = Write(&bytes.Buffer{}, p)
		}()
	}
}
