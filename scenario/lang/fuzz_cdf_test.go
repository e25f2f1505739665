package lang

import (
	"os"
	"testing"
)

// FuzzCDF: a file of a distribution gives points that do not fall and end with
// all requests, or mistakes that lie within it.
func FuzzCDF(f *testing.F) {
	for _, text := range []string{"64 0.5\n4096 1\n", "64, 50\n4KiB, 100 # all\n", "0 0\n", "1 1.000000001\n", "64\t0.1234567891\r\n", "5 -1\n", "1e3 1\n", ""} {
		f.Add([]byte(text))
	}
	for _, name := range []string{"testdata/beside/web.cdf", "testdata/beside/bad.cdf"} {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := &decoder{report: &report{sources: []Source{{Name: "x.yaml"}}}}
		points := d.distribution(Source{Name: "x.cdf", Data: text})
		for _, p := range d.problems {
			if p.Line < 1 || p.Column < 1 || p.Message == "" || p.File != "x.cdf" {
				t.Errorf("%+v", p)
			}
		}
		if len(d.problems) > 0 {
			return
		}
		if len(points) == 0 || len(points) > mostPoints || points[len(points)-1].Share != WholeShare {
			t.Fatalf("%v", points)
		}
		for i := 1; i < len(points); i++ {
			if points[i].Size < points[i-1].Size || points[i].Share < points[i-1].Share {
				t.Fatalf("%v falls", points)
			}
		}
		node := (&distribution{"x.cdf", points}).node()
		again := (&decoder{report: &report{sources: []Source{{Name: "x.yaml"}}}}).pairs(node)
		if len(again) != len(points) {
			t.Fatalf("%v is written as %v", points, again)
		}
		for i := range again {
			if again[i] != points[i] {
				t.Errorf("%v is written as %v", points[i], again[i])
			}
		}
	})
}
