//go:build tools

package report

import (
	"bytes"
	"testing"

	"hcasim/report/page/browser"
)

// TestBrowser opens the pages of a run with loads and of one of single
// requests.
func TestBrowser(t *testing.T) {
	for _, c := range []struct {
		rec    *Record
		charts int // the others are rows, which no script draws
	}{{loaded(t), 2}, {record(t, world), 0}} {
		var b bytes.Buffer
		if err := writeHTML(&b, c.rec, "hcasim test"); err != nil {
			t.Fatal(err)
		}
		browser.Rooms(t, b.String(), c.charts)
	}
}
