package figure

import (
	"testing"

	"hcasim/scenario"
)

// TestWatched: a figure that is another when nobody watches is known to need
// it. One that is not would be 0 in a sweep, and nobody would see.
func TestWatched(t *testing.T) {
	for file, sets := range map[string][]string{
		"two-tenants": {"host.memory.llc=on"}, "many-queue-pairs": {"vars.n=2000"}, "through-iommu": {"vars.length=64MiB", "hosts.server.hca.pcie.tags=2"},
		"guessing": nil, "adapter-reads": {"hca.pcie.tags=4"}, "pool-of-windows": nil,
	} {
		runs, err := scenario.Load("../../scenarios/studies/base/"+file+".yaml", scenario.Options{Sets: sets})
		if err != nil {
			t.Fatal(err)
		}
		seen, err := runs[0].Do()
		if err != nil {
			t.Fatal(err)
		}
		unseen, err := runs[0].DoUnwatched()
		if err != nil {
			t.Fatal(err)
		}
		f, g := Of(seen), Of(unseen)
		for _, name := range f.Names() {
			a, _ := f.Get(name)
			b, found := g.Get(name)
			m, _, err := Compile(name)
			if err != nil {
				t.Fatal(err)
			}
			if (!found || a != b) && !m.Watched() {
				t.Errorf("%s: %s is %v, and %v if nobody watches", file, name, a, b)
			}
		}
	}
}
