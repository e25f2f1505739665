package fit

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"

	"hcasim/report/capture"
	"hcasim/report/capture/replay"
	"hcasim/scenario"
	"hcasim/scenario/run"
)

// captureOf runs a scenario and returns a capture of its wire.
func captureOf(t *testing.T, r *scenario.Run) []byte {
	t.Helper()
	var out bytes.Buffer
	var rec *capture.Recorder
	if _, err := r.DoWatched(func(v *run.View) {
		var err error
		if rec, err = capture.Watch(v, "wire", r.Name, &out); err != nil {
			t.Fatal(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// framesOf reads a capture with another reader than the importer's.
func framesOf(t *testing.T, file []byte) (frames [][]byte) {
	t.Helper()
	r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		data, _, err := r.ReadPacketData()
		if errors.Is(err, io.EOF) {
			return frames
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.LinkType() == 197 {
			data = data[16:] // the head of an ERF record is a time
		}
		frames = append(frames, data)
	}
}

// TestRoundTrip runs, captures, imports and runs again, and holds the frames of
// both captures to each other byte for byte, in their order.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	n := 0
	for _, file := range roundTrips {
		protocols := []string{"roce_v4"}
		if file == "quickstart" || file == "verbs/read" {
			protocols = []string{"ib", "roce_v4", "roce_v6"}
		}
		for _, protocol := range protocols {
			runs, err := scenario.Load(filepath.Join("..", "..", "scenarios", file+".yaml"), scenario.Options{Sets: []string{"wire.protocol=" + protocol}})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				name := strings.ReplaceAll(r.Name, ".", "/")
				met[name] = true
				got := roundTrip(t, r)
				switch why := apart[name]; {
				case got == "" && why != "":
					t.Errorf("%s over %s comes out as it was: the table says %q", name, protocol, why)
				case got != "" && why == "":
					t.Errorf("%s over %s: %s", name, protocol, got)
				case got == "":
					n++
				}
			}
		}
	}
	for name := range apart {
		if !met[name] {
			t.Errorf("the table has %s, which no file has", name)
		}
	}
	if n < 150 {
		t.Errorf("only %d scenarios came out as they were", n)
	}
}

// roundTrip says what is not the same; nothing is "".
func roundTrip(t *testing.T, r *scenario.Run) string {
	t.Helper()
	first := captureOf(t, r)
	if len(framesOf(t, first)) == 0 {
		return ""
	}
	m, err := replay.Read(bytes.NewReader(first), replay.Options{Name: "again", File: "capture", Limits: replay.DefaultLimits})
	if err != nil {
		return err.Error()
	}
	f, err := Do(m, 6, "")
	if err != nil {
		return err.Error()
	}
	again, err := scenario.Read("again", m.Text(f.Shifts), scenario.Options{})
	if err != nil {
		return err.Error()
	}
	one, two := framesOf(t, first), framesOf(t, captureOf(t, again[0]))
	for i := range one {
		if i == len(two) || !bytes.Equal(one[i], two[i]) {
			return strings.Join(f.Report(), "; ")
		}
	}
	if len(two) > len(one) {
		return strings.Join(f.Report(), "; ")
	}
	if f.Ordered != f.Captured || f.Ran != f.Captured || f.Marks != [marks]int{} || f.Failed > 0 {
		return "the frames are the same, but the report says: " + strings.Join(f.Report(), "; ")
	}
	return ""
}
