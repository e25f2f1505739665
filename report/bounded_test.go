package report

import (
	"bytes"
	"strings"
	"testing"

	"hcasim/scenario"
)

// TestOutput: a file of a result is as large as run.limits.output says, and not
// a byte larger.
func TestOutput(t *testing.T) {
	runs, err := scenario.Read("x.yaml", []byte("version: 1\nkind: scenario\nuse: b0\nrun: {limits: {output: 1KiB}}\nops: [{on: A, wr_rdma_write: {}}]\n"), scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := within(runs[0], "trace.json", &b)
	for range 4 {
		if _, err := w.Write(make([]byte, 256)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = w.Write([]byte{1})
	if err == nil || err.Error() != "trace.json would be larger than 1KiB: --set run.limits.output=4KiB allows more" || b.Len() != 1024 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
	rec, err := Simulate(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err = NewShelf("test").Keep(rec, t.TempDir()+"/kept"); err == nil || !strings.Contains(err.Error(), "run.limits.output") {
		t.Errorf("a result larger than its limit: %v", err)
	}
}
