package compare

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hcasim/whole"
)

// A table is what a sweep came to.
type table struct {
	Name     string   `json:"name"`
	Question string   `json:"question"`
	Answer   []answer `json:"answer"`

	axes    []string
	metrics []string
	rows    []*row // in the order of the points
	at      map[string]*row
}

type answer struct {
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// A row is the points of equal axis values, one for each seed.
type row struct {
	axes   []string
	found  *metrics
	failed int // points without figures
}

// key names a row: entries=64 page=4KiB.
func (t *table) key(r *row) string {
	words := make([]string, len(t.axes))
	for i, a := range t.axes {
		words[i] = a + "=" + r.axes[i]
	}
	return strings.Join(words, " ")
}

// readTable reads the rows of a sweep from points.csv, whose columns are index,
// the axes, seed, the metrics and status.
func readTable(s *side, summary []byte) (*table, error) {
	t := &table{at: map[string]*row{}}
	if err := json.Unmarshal(summary, t); err != nil {
		return nil, s.strange(err)
	}
	name := filepath.Join(s.folder, pointsFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, whole.Reason(err))
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: there is nothing in it", name)
	}
	head := lines[0]
	seed, status := slices.Index(head, "seed"), slices.Index(head, "status")
	if head[0] != "index" || seed < 1 || status < seed {
		return nil, fmt.Errorf("%s: the columns are not those of a sweep: index, axes, seed, metrics, status", name)
	}
	t.axes, t.metrics = head[1:seed], head[seed+1:status]
	for i, cells := range lines[1:] {
		if err := t.add(cells, seed, status); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
	}
	return t, nil
}

// add takes one point.
func (t *table) add(cells []string, seed, status int) error {
	r := &row{axes: cells[1:seed], found: newMetrics()}
	if known := t.at[t.key(r)]; known != nil {
		r = known
	} else {
		t.at[t.key(r)] = r
		t.rows = append(t.rows, r)
	}
	if cells[status] != "ok" {
		r.failed++
		return nil
	}
	for i, name := range t.metrics {
		text := cells[seed+1+i]
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%s is %q, no number", name, text)
		}
		r.found.put(name, unitOf(name), directionOf(name), v)
	}
	return nil
}

// units are the ends of column names.
var units = []struct{ end, unit string }{
	{"_ps", "ps"}, {"_ns", "ns"}, {"_us", "us"}, {"_bit_per_s", "bit/s"}, {"_bits_per_s", "bit/s"}, {"_per_s", "1/s"}, {"_bytes", "B"},
}

func unitOf(column string) string {
	for _, u := range units {
		if strings.HasSuffix(column, u.end) {
			return u.unit
		}
	}
	return ""
}
