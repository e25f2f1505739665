package golden

import (
	"bytes"
	"testing"

	"hcasim/scenario/lang"
)

// FuzzGolden: a file is read with mistakes that have a place, or into figures
// each of which is read again from what is written of it (G2).
func FuzzGolden(f *testing.F) {
	for _, text := range []string{
		"version: 1\nkind: golden\nruns:\n  - run: cold-and-warm\n    model: 3\n    figures:\n      B.mpt.misses: 3\n      write.p50: 2.216us\n      write.rate: 5Gb/s\n      x: 7 B\n      y: 9 op/s\n",
		"version: 1\nkind: golden\nruns: [{run: a, model: 0, figures: {x: -1, y: 1e9, z: [1], w: 3 KiB}}]\n",
		"version: 1\nkind: golden\nruns: [{run: a, model: 1, figures: [1, 2]}, 5]\n",
		"version: 1\nkind: golden\nruns: &a [*a]\n", "kind: golden\n", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := lang.Open(lang.Source{Name: "x.golden.yaml", Data: text}, "golden")
		g := &File{Path: "x.golden.yaml"}
		if r.Root() != nil {
			g.decode(r)
		} else if len(r.Problems()) == 0 {
			t.Fatal("nothing is read, and nothing is wrong")
		}
		lines := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r"))
		for _, p := range r.Problems() {
			if p.Line < 1 || p.Line > lines+1 || p.Column < 1 || p.Message == "" {
				t.Errorf("a mistake at %d:%d of %d lines: %q", p.Line, p.Column, lines, p.Message)
			}
		}
		if len(r.Problems()) > 0 {
			return
		}
		for i := range g.Runs {
			for _, e := range g.Runs[i].Entries {
				if again, fine := parse(e.Name, Text(e.Figure)); !fine || again != e.Figure {
					t.Errorf("%+v is written %q and read as %+v", e.Figure, Text(e.Figure), again)
				}
			}
		}
	})
}
