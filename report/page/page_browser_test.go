//go:build tools

package page

import (
	"reflect"
	"testing"

	"hcasim/report/page/browser"
)

// TestBrowser opens the page as a desk, a phone and a dark room would: every
// plot is drawn, nothing fails, nothing is asked for, nothing sticks out.
func TestBrowser(t *testing.T) {
	browser.Rooms(t, written(t, small()), 4)
}

// TestBrowserWaits: what is far below is not drawn before anybody looks, and
// has its SVG until then.
func TestBrowserWaits(t *testing.T) {
	p := small()
	for range 20 {
		q := sizes()
		q.ID = ""
		p.Sections = append(p.Sections, Section{Title: "More", Plots: []Plot{q}})
	}
	got := browser.See(t, written(t, p), 800, 900)
	if got.Charts == 0 || got.Charts > 8 || got.Canvases != got.Charts || got.Pictures != 24-got.Charts || got.Blank != 0 {
		t.Errorf("drawn at once: %+v", got)
	}
}

// TestBrowserEdges: plots with next to nothing in them are drawn too.
func TestBrowserEdges(t *testing.T) {
	one := []float64{1}
	p := Page{Title: "edges", Sections: []Section{{Title: "s", Plots: []Plot{
		{Title: "no series"},
		{Title: "no points", Series: []Series{{Name: "a", Kind: Line}}},
		{Title: "one point", Series: []Series{{Name: "a", Kind: Line, X: one, Y: one, Low: one, High: one}}},
		{Title: "only gaps", Series: []Series{{Name: "a", Kind: Both, X: one, Y: []float64{missing}}}},
		{Title: "zero on a log axis", X: Axis{Log: true}, Y: Axis{Log: true}, Series: []Series{{Name: "a", Kind: Bars, X: []float64{0, 1, 10}, Y: []float64{1, 0, 100}}}},
		{Title: "x twice", Series: []Series{{Name: "a", Kind: Points, X: []float64{1, 1, 2}, Y: []float64{1, 2, 3}}}},
	}}}}
	want := browser.Sight{Width: 1000, Charts: 6, Canvases: 6, Errors: []string{}, Asked: []string{}}
	if got := browser.See(t, written(t, p), 1000, 5000); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestBrowserCursor: a pointer over 1KiB finds its values, under the names of
// sizes; a series that lacks it has none.
func TestBrowserCursor(t *testing.T) {
	const point = `() => {
  const over = document.querySelector(".u-over"), at = over.getBoundingClientRect();
  over.dispatchEvent(new MouseEvent("mousemove", {bubbles: true, clientX: at.left + at.width * 0.72, clientY: at.top + 30}));
  setTimeout(() => tell([...over.closest(".uplot").querySelectorAll(".u-value")].map((v) => v.textContent).join(" | ")), 200);
}`
	if got, want := browser.Told(t, written(t, small()), 1000, 3000, point), `"1KiB | 1.61 | – | – | 2.5"`; got != want {
		t.Errorf("the legend shows %s, want %s", got, want)
	}
}
