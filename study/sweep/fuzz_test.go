package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzFolder: whatever lies in the folder of a sweep as plan and as a point,
// looking at it ends, with an error that names the folder or the point.
func FuzzFolder(f *testing.F) {
	f.Add([]byte(`{"format": "hcasim.plan", "version": 1, "points": [{"hash": "a", "values": ["1"]}]}`), []byte(`{"format": "hcasim.point", "version": 1, "figures": {}}`))
	f.Add([]byte(`{"format": "hcasim.plan", "version": 99}`), []byte(`{"format": "hcasim.point", "figures": {"a": 1e999}}`))
	f.Add([]byte(`{"format": "hcasim.pl`), []byte(`{"latencies": {"x": {"count": 5}}}`))
	f.Add([]byte(`null`), []byte(`{"format": "hcasim.point", "version": 1, "figures": {}, "latencies": {"x": null}}`))
	dir := f.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, pointsFolder), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, plan, point []byte) {
		for name, text := range map[string][]byte{planFile: plan, filepath.Join(pointsFolder, "a.json"): point} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p, err := openPlan(dir)
		if err != nil && !strings.Contains(err.Error(), dir) {
			t.Errorf("which folder? %v", err)
		}
		if err == nil {
			_, _ = p.study() // a plan with the right hash has a study that can be read, or says what is wrong
		}
		if d, err := (&Plan{}).readPoint(dir, "a"); err == nil && d.Figures == nil {
			t.Error("a point without figures")
		}
	})
}
