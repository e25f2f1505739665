package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEffectiveRunsAgain holds config.yaml to its promise: read again, it is
// the same run, with the same hash, whatever it was made of.
func TestEffectiveRunsAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	files, err := Files("../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Glob("lang/testdata/good/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range append(files, own...) {
		if OtherKind(name) != "" {
			continue
		}
		runs, err := Load(name, Options{Sets: []string{"run.seed=3"}})
		if err != nil {
			t.Logf("%s is left out: it cannot be read", name)
			continue
		}
		for _, r := range runs[:min(len(runs), 6)] {
			seen++
			againSame(t, r)
		}
	}
	if seen < 10 {
		t.Errorf("only %d runs were tried", seen)
	}
}

func againSame(t *testing.T, r *Run) {
	t.Helper()
	text, err := r.Effective()
	if err != nil {
		t.Errorf("%s: %v", r.Name, err)
		return
	}
	again, err := Read("config.yaml", text, Options{})
	switch {
	case err != nil:
		t.Errorf("%s: its effective configuration cannot be read:\n%v", r.Name, err)
	case len(again) != 1:
		t.Errorf("%s became %d runs", r.Name, len(again))
	case again[0].Name != r.Name || again[0].Hash() != r.Hash():
		t.Errorf("%s %s became %s %s", r.Name, r.Hash(), again[0].Name, again[0].Hash())
	}
}

const cable = `version: 1
kind: scenario
profile: connectx5-like
hca: {cache: {mpt: {entries: 512}}}
hosts:
  a: {pd: [p], mr: {m: {length: 4KiB, access: [LOCAL_WRITE]}}, qp: {q: {peer: b.q}}}
  b: {pd: [p], mr: {m: {length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q: {peer: a.q, access: [REMOTE_WRITE]}}, hca: {cache: {mpt: {entries: 64}}}}
ops:
  - {on: a, wr_rdma_write: {}, expect: {wc: SUCCESS}}
`

// TestEffectiveSaysWhere checks origins, and values of one host alone.
func TestEffectiveSaysWhere(t *testing.T) {
	runs, err := Read("dir/two.yaml", []byte(cable), Options{Sets: []string{"hca.cache.mpt.ways=2", "hosts.b.wire.length=7"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := runs[0].Effective()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"entries: 512 # two.yaml:4", "ways: 2 # --set", "entries: 64 # two.yaml:7", "length: 7 # --set",
		"clock: 1GHz # profile connectx5-like", "depth: 16 # default",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the effective configuration does not say %q", want)
		}
	}
	for _, unwanted := range []string{"profile: connectx5-like", "dir/"} {
		if strings.Contains(string(text), unwanted) {
			t.Errorf("the effective configuration says %q", unwanted)
		}
	}
	againSame(t, runs[0])
}

// TestHashIsOfWhatIsMeant: how a value was come by, names of files and
// comments do not count; a value does.
func TestHashIsOfWhatIsMeant(t *testing.T) {
	hash := func(name, text string, sets ...string) string {
		t.Helper()
		runs, err := Read(name, []byte(text), Options{Sets: sets})
		if err != nil {
			t.Fatal(err)
		}
		return runs[0].Hash()
	}
	text := strings.Replace(cable, "kind: scenario\n", "kind: scenario\nname: n\n", 1)
	base := hash("x.yaml", text)
	for what, got := range map[string]string{
		"another file":       hash("elsewhere/y.yaml", text),
		"a comment":          hash("x.yaml", "# remark\n"+text),
		"the value in a set": hash("x.yaml", text, "hca.cache.mpt.entries=512"),
	} {
		if got != base {
			t.Errorf("%s changes the hash", what)
		}
	}
	for what, got := range map[string]string{
		"a value":   hash("x.yaml", text, "hca.cache.mpt.entries=1024"),
		"the seed":  hash("x.yaml", text, "run.seed=9"),
		"a variant": hash("x.yaml", text, "variant=rxe"),
	} {
		if got == base {
			t.Errorf("%s does not change the hash", what)
		}
	}
}

// TestFiles finds what test runs, in order, and nothing hidden.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.yaml", "a/z.yml", "a/y.yaml", "A.yaml", "z.yaml", ".git/c.yaml", "testdata/d.yaml", "note.txt",
		"results/n/12345678/config.yaml", "results/n/12345678/manifest.json"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("kind: profile\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"A.yaml", "b.yaml", "z.yaml", "a/y.yaml", "a/z.yml"}
	if len(got) != len(want) {
		t.Fatalf("found %q", got)
	}
	for i := range want {
		if got[i] != filepath.Join(dir, want[i]) {
			t.Errorf("file %d is %s, want %s", i, got[i], want[i])
		}
	}
	if kind := OtherKind(got[0]); kind != "profile" {
		t.Errorf("the kind is %q", kind)
	}
}
