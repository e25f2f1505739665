package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/scenario/run"
)

// FuzzOpen: whatever lies in the folder of a result as manifest, as table of
// ops and as summary, opening it ends with the run, or with an error that names
// the folder.
func FuzzOpen(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "result")
	rec := record(f, "version: 1\nkind: scenario\nname: one\nuse: b0\nops: [{on: A, wr_rdma_write: {}}]\n")
	if err := NewShelf("test").Keep(rec, dir); err != nil {
		f.Fatal(err)
	}
	in := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		return text
	}
	m, err := readManifest(dir)
	if err != nil {
		f.Fatal(err)
	}
	m.Files = nil // no digest holds the other files to what they were
	loose, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(in(manifestFile), in(opsFile), in(summaryFile))
	f.Add(loose, in(opsFile), in(summaryFile))
	f.Add(loose, []byte("op,step,line\n1,1,99999999999999999999\n1,-1,-1\n\"\n"), []byte(`{"time_ps": 1}`))
	f.Add(loose, []byte("a,b\n"), []byte("null"))
	f.Add([]byte(`{"format": "hcasim.manifest", "version": 2}`), []byte{}, []byte{})
	f.Add([]byte(`{"format": "hcasim.manifest", "version": 1, "files": {"../x": 5}}`), []byte{}, []byte{})
	f.Add([]byte(`{"format": "hcasim.ma`), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, manifest, ops, summary []byte) {
		for name, text := range map[string][]byte{manifestFile: manifest, opsFile: ops, summaryFile: summary} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		k, err := Open(dir)
		if err == nil {
			k.relocate()
			err = k.same(&run.Result{Now: rec.Result.Now, Events: rec.Result.Events})
		}
		if err != nil && !strings.Contains(err.Error(), dir) {
			t.Errorf("which folder? %v", err)
		}
	})
}
