package scenario_test

import (
	"testing"

	"hcasim/scenario"
)

// FuzzFlat: any document is flattened within bounds, aliases of themselves and
// bombs of them too.
func FuzzFlat(f *testing.F) {
	for _, text := range []string{"a: {b: [1, 2]}\n", "a: &a [*a]\n", "a: &a {b: *a}\n", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "? {a: b}\n: c\n", ""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if lines, err := scenario.Flat("x.yaml", text); err == nil && len(lines) > 1_000_001 {
			t.Errorf("%d lines", len(lines))
		}
	})
}
