package sweep

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// FuzzStudy: whatever a file says, reading it ends with a study or with mistakes
// in it that have a place; a study has rows, and the same ones again.
func FuzzStudy(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*.yaml", "testdata/bad/*.yaml"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text, false)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, short bool) {
		if len(text) > 1<<14 {
			return // a long file is as many short ones
		}
		src := lang.Source{Name: "fuzz.yaml", Data: text}
		o := Options{Short: short, Workers: 1, Heads: true}
		s, err := Read(src, o)
		if err != nil {
			var m *scenario.Mistakes
			if !errors.As(err, &m) || s != nil {
				t.Fatalf("%v beside %v", err, s)
			}
			lines := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r"))
			for _, p := range m.Problems {
				if p.File == src.Name && (p.Line < 1 || p.Line > lines+1 || p.Column < 1) || p.Message == "" {
					t.Errorf("a mistake at %d:%d of %d lines: %q", p.Line, p.Column, lines, p.Message)
				}
			}
			return
		}
		again, err := Read(src, o)
		if err != nil || again.Count() != s.Count() || again.Inputs() != s.Inputs() {
			t.Fatalf("another study: %v", err)
		}
		if n := s.Rows(); n > 0 && s.Said(s.Row(n-1)) != again.Said(again.Row(n-1)) {
			t.Error("another last row")
		}
	})
}
