package compare

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzSide: whatever lies in a folder of a result, reading it ends with a side
// or an error that names the file; two equal sides compare as equal.
func FuzzSide(f *testing.F) {
	run := `{"format": "hcasim.run", "version": 1, "name": "x", "figures": {}}`
	sweep := `{"format": "hcasim.sweep", "version": 1, "name": "x", "question": "?", "answer": [{"ok": true, "text": "t"}]}`
	f.Add([]byte(run), []byte(""), []byte("hca: {clock: 1GHz}\n"))
	f.Add([]byte(sweep), []byte("index,n,seed,p50_ns,status\n0,4,1,12.5,ok\n1,8,1,NaN,ok\n2,8,1,,failed\n"), []byte("a: &a [*a]\n"))
	f.Add([]byte(sweep), []byte("index,seed,status\n"), []byte(""))
	f.Add([]byte(sweep), []byte("index,status,seed\n\"\n"), []byte("\x00"))
	f.Add([]byte(`{"format": 5}`), []byte{}, []byte{})
	f.Add([]byte(`{"format": "hcasim.run", "version": 1, "requests": null, "traffic": [{"latency": null}]}`), []byte{}, []byte{})
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, summary, points, config []byte) {
		for name, text := range map[string][]byte{summaryFile: summary, pointsFile: points, configFile: config} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := read(dir)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a word")
			}
			return
		}
		if s.run == nil && s.sweep == nil {
			t.Error("neither a run nor a sweep")
		}
	})
}
