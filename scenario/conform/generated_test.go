package conform

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the scenarios and the table")

const folder = "../../scenarios/conformance"

func facts(t *testing.T) *Facts {
	t.Helper()
	f, err := Read(os.DirFS(filepath.Join(folder, "facts")))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// same holds a file to what it should be, or writes it.
func same(t *testing.T, name string, want []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the facts make: go generate ./scenario/conform", name)
	}
}

// TestGenerated: C1, the scenarios and the table are up to date.
func TestGenerated(t *testing.T) {
	f := facts(t)
	for _, g := range f.Groups() {
		same(t, filepath.Join(folder, g+".yaml"), f.Scenario(g))
	}
	same(t, "../../docs/conformance.md", f.Table())
}

// TestDifferences: C2, a difference is of a case, for a reason that is there,
// and changes what is asked.
func TestDifferences(t *testing.T) {
	f := facts(t)
	used := map[string]bool{}
	for i := range f.Differences {
		d := f.Differences[i]
		used[d.Why] = true
		f.reason(d.Why)
		at := slices.IndexFunc(f.Cases, func(c Case) bool { return c.ID == d.ID })
		if at < 0 || d.Variant != "spec" && d.Variant != "rxe" {
			t.Errorf("difference of %s under %s: there is no such thing", d.ID, d.Variant)
			continue
		}
		c := &f.Cases[at]
		with := [2]expectation{}
		for n, list := range [][]Difference{f.Differences, slices.Delete(slices.Clone(f.Differences), i, i+1)} {
			spec, rxe := views(c, list)
			v := &spec
			if d.Variant == "rxe" {
				v = &rxe
			}
			with[n] = v.atEnd(true)
			for s := range c.Steps {
				for what, value := range v.ofStep(s+1, &c.Steps[s], false) {
					with[n][fmt.Sprintf("%d.%s", s+1, what)] = value
				}
			}
		}
		if maps.Equal(with[0], with[1]) {
			t.Errorf("difference of %s under %s: %s is no difference", d.ID, d.Variant, d.What)
		}
	}
	for _, r := range f.Reasons {
		if !used[r.Name] {
			t.Errorf("nothing differs for the reason %s", r.Name)
		}
	}
}

// TestReadStep: the notation of the facts.
func TestReadStep(t *testing.T) {
	s := readStep("a RDMA_WRITE qa local=ba:64:ma remote=bb+8192:mb.byte+1 inline")
	w := newWorld(&Case{Steps: []Step{readStep("b reg_mr mb pb bb+8192 8192 LOCAL_WRITE")}})
	const want = "wr_rdma_write: {qp: qa, remote: {mr: mb, addr: 0x202000, key: {of: mb, byte: +1}}, send_flags: [INLINE], sge: [{mr: ma, addr: 0x100000, length: 64}]}"
	if got := w.act(&s); got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}
