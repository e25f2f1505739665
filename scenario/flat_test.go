package scenario

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlat(t *testing.T) {
	got, err := Flat("x.yaml", []byte("a: {b: 0x10, c: [x, {d: 4KiB}]} # comment\ne: &m {f: true}\ng: *m\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Line{{"a.b", "0x10"}, {"a.c[1]", "x"}, {"a.c[2].d", "4KiB"}, {"e.f", "true"}, {"g.f", "true"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := Flat("x.yaml", []byte("a: [1")); err == nil {
		t.Error("a list without an end is read")
	}
}

// TestFlatHasAllParameters: what a result says of its configuration is there.
func TestFlatHasAllParameters(t *testing.T) {
	runs, err := Load("../scenarios/quickstart.yaml", Options{Sets: []string{"hosts.server.hca.cache.mpt.entries=64"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := runs[0].Effective()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Flat("x.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, l := range lines {
		found[l.Path] = l.Value
	}
	if found["hca.cache.mpt.entries"] != "1024" || found["hosts.server.hca.cache.mpt.entries"] != "64" || !strings.Contains(string(text), "1024 # ") {
		t.Errorf("of %d values the MPT has %q and %q", len(lines), found["hca.cache.mpt.entries"], found["hosts.server.hca.cache.mpt.entries"])
	}
}
