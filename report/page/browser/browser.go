package browser

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

// A Sight is what a page tells of itself once it is drawn.
type Sight struct {
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

// Told opens a page in a frame of a size, and returns what say, JavaScript,
// tells as JSON. The browser may ask for the page and for nothing else.
func Told(t *testing.T, html string, width, height int, say string, flags ...string) string {
	t.Helper()
	page := strings.Replace(html, "<head>", "<head>"+strings.Replace(watch, "SAY", say, 1), 1)
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

// See is the sight of a page.
func See(t *testing.T, html string, width, height int, flags ...string) (s Sight) {
	t.Helper()
	if err := json.Unmarshal([]byte(Told(t, html, width, height, "() => tell(look())", flags...)), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Dark is the flag of a browser whose reader prefers dark.
const Dark = "--blink-settings=preferredColorScheme=0"

// Rooms opens a page as a desk, a phone and a dark room would, and holds each
// to so many charts drawn, none of them blank, nothing failed, nothing asked
// for and nothing that sticks out.
func Rooms(t *testing.T, html string, charts int) {
	t.Helper()
	for _, c := range []struct {
		width int
		flags []string
	}{{1200, nil}, {390, nil}, {1200, []string{Dark}}} {
		want := Sight{Width: c.width, Dark: c.flags != nil, Charts: charts, Canvases: charts, Errors: []string{}, Asked: []string{}}
		if got := See(t, html, c.width, 6000, c.flags...); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}
