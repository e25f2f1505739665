//go:build tools

package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

// watch is put before everything else in the page. Errors of any kind, what
// the page's policy refused and what was fetched are told once everything
// that is in view must have been drawn: observers are called in their order,
// so the page's before this one.
const watch = `<script>
const errors = [];
addEventListener("error", (e) => errors.push(e.message), true);
addEventListener("unhandledrejection", (e) => errors.push(String(e.reason)));
addEventListener("securitypolicyviolation", (e) => errors.push("asked for " + e.blockedURI));
const all = (what) => [...document.querySelectorAll(what)];
const tell = (seen) => { top.location = "/told?" + encodeURIComponent(JSON.stringify(seen)); };
const look = () => ({
  width: innerWidth,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  wide: document.documentElement.scrollWidth > innerWidth,
  charts: +document.documentElement.dataset.charts || 0,
  canvases: all(".chart canvas").length,
  blank: all(".chart canvas").filter((c) => !c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((v) => v)).length,
  pictures: all(".chart > svg").filter((s) => s.getBoundingClientRect().height > 0).length,
  errors, asked: performance.getEntriesByType("resource").map((e) => e.name),
});
addEventListener("load", () => new IntersectionObserver(() => setTimeout(SAY, 300)).observe(document.body));
</script>`

// A sight is what watch tells.
type sight struct {
	Width      int
	Dark, Wide bool
	Charts     int // that page.js counted
	Canvases   int
	Blank      int // canvases with nothing on them
	Pictures   int // SVGs that are shown
	Errors     []string
	Asked      []string
}

// browser is the path of one.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no chromium (make test-tools installs it)")
	return ""
}

// profile is a folder for the browser. Its last children may write while it
// is being removed, so that is tried again, and is no failure.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "page-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 20 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}

// told opens the page in a frame of a size, and returns what say tells as
// JSON. The browser may ask for the page and for nothing else.
func told(t *testing.T, p Page, width, height int, say string, flags ...string) string {
	t.Helper()
	page := strings.Replace(written(t, p), "<head>", "<head>"+strings.Replace(watch, "SAY", say, 1), 1)
	answer := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><iframe src="/page" style="width:%dpx;height:%dpx;border:0">`, width, height)
		case "/page":
			fmt.Fprint(w, page)
		case "/told":
			select {
			case answer <- r.URL.RawQuery:
			default:
			}
		default:
			t.Errorf("the browser asked for %s", r.URL)
		}
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,7000",
		"--remote-debugging-port=0", "--user-data-dir=" + profile(t),
	}, flags...)
	chromium := exec.CommandContext(ctx, browser(t), append(args, server.URL)...)
	chromium.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	chromium.Cancel = func() error { return syscall.Kill(-chromium.Process.Pid, syscall.SIGKILL) } // and its children
	if err := chromium.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = chromium.Wait() // killed: it has told what it had to
	}()
	select {
	case query := <-answer:
		text, err := url.QueryUnescape(query)
		if err != nil {
			t.Fatal(err)
		}
		return text
	case <-ctx.Done():
		t.Fatal("the page told nothing")
		return ""
	}
}

// seen is the sight of the page.
func seen(t *testing.T, p Page, width, height int, flags ...string) (s sight) {
	t.Helper()
	if err := json.Unmarshal([]byte(told(t, p, width, height, "() => tell(look())", flags...)), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBrowser opens the page as a desk, a phone and a dark room would: every
// plot is drawn, nothing fails, nothing is asked for, nothing sticks out.
func TestBrowser(t *testing.T) {
	for _, c := range []struct {
		width int
		dark  bool
		flags []string
	}{
		{1200, false, nil},
		{390, false, nil},
		{1200, true, []string{"--blink-settings=preferredColorScheme=0"}},
	} {
		want := sight{Width: c.width, Dark: c.dark, Charts: 4, Canvases: 4, Errors: []string{}, Asked: []string{}}
		if got := seen(t, small(), c.width, 6000, c.flags...); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
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
	got := seen(t, p, 800, 900)
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
	want := sight{Width: 1000, Charts: 6, Canvases: 6, Errors: []string{}, Asked: []string{}}
	if got := seen(t, p, 1000, 5000); !reflect.DeepEqual(got, want) {
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
	if got, want := told(t, small(), 1000, 3000, point), `"1KiB | 1.61 | – | – | 2.5"`; got != want {
		t.Errorf("the legend shows %s, want %s", got, want)
	}
}
