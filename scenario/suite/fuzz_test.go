package suite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"hcasim/scenario/lang"
)

// FuzzItem: whatever an item or a testbed says, reading it ends, with mistakes
// that lie within it, or with an item whose points can be run.
func FuzzItem(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*.yaml", "testdata/bad/*.yaml", "testdata/*/testbeds/*.yaml", "../../scenarios/validation/v0*.yaml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	o := Options{Workers: 1, Heads: true}
	scenarios := o.scenarios()
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return // a long file is as many short ones
		}
		src := lang.Source{Name: "v01.yaml", Data: text}
		lines := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r"))
		within := func(list []lang.Problem) {
			for _, p := range list {
				if p.File == src.Name && (p.Line < 1 || p.Line > lines+1 || p.Column < 1) || p.Message == "" {
					t.Errorf("a mistake at %d:%d of %d lines: %q", p.Line, p.Column, lines, p.Message)
				}
			}
		}
		bed, problems := readTestbed(src, "v01")
		within(problems)
		if bed == nil && len(problems) == 0 {
			t.Errorf("no testbed, and nothing is wrong")
		}
		r := itemReader{options: &o, within: scenarios, id: "V01"}
		r.read(src)
		within(r.problems)
	})
}
