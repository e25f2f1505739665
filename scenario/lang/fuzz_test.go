package lang

import (
	"bytes"
	"testing"
)

// FuzzLoad holds the reader to three promises, whatever it is given: it does
// not panic, it gives a file or problems that name theirs and never both, and what it accepts
// it accepts again with the same canonical form.
func FuzzLoad(f *testing.F) {
	for _, src := range append(seeds(f, "testdata/good/*.yaml"), seeds(f, "testdata/bad/*.yaml")...) {
		f.Add(src.Data, "")
	}
	for _, src := range seeds(f, "../../scenarios/openings/*.yaml") {
		f.Add(src.Data, "run.seed=7")
	}
	f.Add([]byte("version: 1\nkind: scenario\nuse: b0\nops: [{on: A, wr_rdma_write: {}}]\n"), "hosts.B.mr.mB.access=[LOCAL_WRITE]")
	f.Fuzz(func(t *testing.T, data []byte, flag string) {
		src := []Source{{Name: "fuzz.yaml", Data: data}}
		if s, ok := SetFlag(flag); ok {
			src = append(src, s)
		}
		loader := testLoader
		loader.limit = 2000 // as much as one input may cost
		file, problems := loader.Load(src...)
		if (file == nil) != (len(problems) > 0) {
			t.Fatalf("file %v beside %d problems", file != nil, len(problems))
		}
		for _, p := range problems {
			if p.File == "" || p.Message == "" {
				t.Errorf("a mistake of %q at %d:%d: %q", p.File, p.Line, p.Column, p.Message)
			}
		}
		var b bytes.Buffer
		Print(&b, problems, src...)
		if file == nil {
			return
		}
		again, _ := loader.Load(src...)
		if again == nil || !bytes.Equal(Canonical(file), Canonical(again)) {
			t.Fatal("the canonical form is not stable")
		}
	})
}

func seeds(f *testing.F, pattern string) []Source {
	f.Helper()
	var t testing.T
	return files(&t, pattern)
}
