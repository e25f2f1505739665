package replay

import (
	"bytes"
	"os"
	"testing"

	"hcasim/scenario"
)

// FuzzImport holds any file to Y3 and Y4, and what is made of it to be a
// scenario.
func FuzzImport(f *testing.F) {
	data, err := os.ReadFile("testdata/synthetic_rc_ops.pcap")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	frames := synthetic(f)
	for i := 0; i+3 < len(frames); i += 6 {
		f.Add(pcap(f, frames[i:i+4], true))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		o := options
		o.Limits = Limits{Frames: 200, Payload: 1 << 20, Data: 4 << 10}
		m, err := Read(bytes.NewReader(file), o)
		if err != nil {
			return
		}
		text := m.Text(nil)
		if again, err := Read(bytes.NewReader(file), o); err != nil || !bytes.Equal(again.Text(nil), text) {
			t.Fatalf("the same file gives another scenario, or %v", err)
		}
		if _, err := scenario.Read("fuzz.yaml", text, scenario.Options{}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}
