package sweep

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/report"
)

// Many rows are zipped, few are not, and neither is left of the other.
func TestZippedRows(t *testing.T) {
	dir := t.TempDir()
	table := synthetic(t, "{rises: p50, along: n}", rising)
	table.Plan = &Plan{Hash: "0123456789abcdef"}
	table.Study.Name = "rows"
	for range zippedRows + 1 {
		table.Points = append(table.Points, PointRow{Values: []float64{1, 2}, Known: []bool{true, false}})
	}
	keep := func(there, gone string) {
		t.Helper()
		if err := table.Keep(dir, Manifest{}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, gone)); err == nil {
			t.Errorf("%s is left beside %s", gone, there)
		}
	}
	keep(csvFile+".gz", csvFile)
	f, err := os.Open(filepath.Join(dir, csvFile+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) != zippedRows+2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := strings.Join(rows[0], ","); got != "index,way,entries,n,seed,p50_ns,rate_op_per_s,status" {
		t.Errorf("columns %s", got)
	}
	if got := strings.Join(rows[1], ","); got != "0,a,16,1,0,1,,ok" {
		t.Errorf("row %s", got)
	}
	table.Points = table.Points[:5]
	keep(csvFile, csvFile+".gz")
}

// A long table is shown by its beginning; all forms can be written.
func TestForms(t *testing.T) {
	table := synthetic(t, "{rises: p50, along: n}", but(rising, "b", 64, 8, 0.5))
	for i := range 200 { // more rows than are shown
		table.Rows = append(table.Rows, table.Rows[i])
	}
	table.Answer = append(table.Answer, table.judge(&table.Study.Expect[0]))
	for _, format := range Formats {
		var b bytes.Buffer
		if err := table.Write(&b, format, "out", report.Style{}); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"text": "✗ p50 does not always rise", "md": "- ✗ p50 does not", "json": `"text": "p50 does not always`, "csv": "index,way"}[format]
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s has no %s:\n%s", format, want, b.String())
		}
		if more := strings.Contains(b.String(), "… and 184 more rows"); more != (format == "text" || format == "md") {
			t.Errorf("%s: more is %v", format, more)
		}
	}
}
