//go:build tools

package sweep

import (
	"bytes"
	"testing"

	"hcasim/report/page/browser"
)

// TestBrowser opens the page of a sweep with one picture, and of one with more.
func TestBrowser(t *testing.T) {
	for changes, charts := range map[string]int{"": 1, "y: misses, by => y: [misses, p50], by\nrepeat: 1 => repeat: 2": 3} {
		var b bytes.Buffer
		if err := tabled(t, changes).html(&b, "hcasim test"); err != nil {
			t.Fatal(err)
		}
		browser.Rooms(t, b.String(), charts)
	}
}
