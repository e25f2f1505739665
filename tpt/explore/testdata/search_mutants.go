package explore

import (
	"testing"

	"hcasim/tpt"
)

// TestSearchMutants is run by TestMutations, in a build of the rules that has
// the mutations in it.
func TestSearchMutants(t *testing.T) {
	found := 0
	for n, m := range mutations {
		v := tpt.SpecVariant()
		if m.set[0] != "" {
			if err := v.Set(m.set[0], m.set[1]); err != nil {
				t.Fatal(err)
			}
		}
		tpt.Mutant = n + 1
		r := Search(Config{Depth: m.steps, Variant: v})
		switch b := r.Broken; {
		case b == nil:
			t.Errorf("%s: not found within %d steps, %d states", m.what, m.steps, r.Sum.States)
		case len(b.Moves) != m.steps || b.Kind != m.kind:
			t.Errorf("%s: want a %v after %d steps, got a %v after\n%v", m.what, m.kind, m.steps, b.Kind, b)
		default:
			found++
		}
	}
	tpt.Mutant = 0
	if r := Search(Config{Depth: 4, Variant: tpt.SpecVariant()}); r.Broken != nil {
		t.Errorf("without a mutation: %v", r.Broken)
	}
	t.Logf("%d of %d mutations found", found, len(mutations))
}
