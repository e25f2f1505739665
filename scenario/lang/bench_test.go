package lang

import (
	"bytes"
	"testing"
)

// BenchmarkLoad reads a file of 20,000 steps.
func BenchmarkLoad(b *testing.B) {
	text := []byte("version: 1\nkind: scenario\nuse: b0\nops:\n")
	text = append(text, bytes.Repeat([]byte("  - {on: A, wr_rdma_write: {remote: {mr: mB, offset: 8}}, expect: {wc: SUCCESS}}\n"), 20_000)...)
	b.ReportAllocs()
	for b.Loop() {
		if f, problems := testLoader.Load(Source{Name: "b.yaml", Data: text}); f == nil {
			b.Fatal(problems)
		}
	}
}
