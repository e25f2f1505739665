package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hcasim/scenario/golden"
	"hcasim/scenario/run"
	"hcasim/sim"
)

const fingerprintFile = "testdata/fingerprints.txt"

// A fingerprints collects what each case came to.
type fingerprints struct {
	mu  sync.Mutex
	got map[string]string
}

func (f *fingerprints) add(name, print string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got[name] = print
}

// TestScenarios runs every file that the user can run, and holds it to what
// it says of itself. A file that expects nothing is itself a failure. With
// -short, which the race detector needs, it is a sample.
func TestScenarios(t *testing.T) {
	prints := &fingerprints{got: map[string]string{}}
	var topics topicCounts
	files, err := Files("../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("files", func(t *testing.T) {
		for i, file := range files {
			if OtherKind(file) != "" || testing.Short() && i%8 != 0 {
				continue
			}
			name, _ := filepath.Rel("../scenarios", file)
			t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".yaml"), func(t *testing.T) {
				t.Parallel()
				runs, err := Load(file, Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range runs {
					if r.Case == nil {
						topics.add(file, testScenario(t, r, prints))
						continue
					}
					t.Run(r.Case.Name, func(t *testing.T) {
						t.Parallel()
						topics.add(file, testScenario(t, r, prints))
					})
				}
			})
		}
	})
	if testing.Short() {
		return
	}
	prints.compare(t)
	topics.compare(t, files)
}

// testScenario holds one case to all that is promised of a run, and returns how
// much is expected of it.
func testScenario(t *testing.T, r *Run, prints *fingerprints) int {
	res := do(t, r.Do)
	for _, f := range res.Failures {
		t.Errorf("%s:%d:%d: step %s: %s: expected %s, got %s (%s)", f.Pos.File, f.Pos.Line, f.Pos.Column, f.Op, f.What, f.Expected, f.Got, f.Note)
	}
	testFigures(t, r, res)
	if res.Asked == 0 {
		t.Error("nothing is expected of it")
	}
	if !res.OK() || len(res.Waits) > 0 {
		t.Errorf("it ended %v: %s", res.End, strings.Join(append(res.Waits, res.Broken...), "\n"))
	}
	testParts(t, res)
	prints.add(r.Name, fingerprint(res))
	if testing.Short() {
		return res.Asked
	}
	if again := do(t, r.Do); fingerprint(again) != fingerprint(res) {
		t.Errorf("a second run differs (-first +second):\n%s", cmp.Diff(lines(res), lines(again)))
	}
	if alone := do(t, r.DoUnwatched); !bytes.Equal(opsOf(alone), opsOf(res)) {
		t.Errorf("without watchers it differs (-watched +alone):\n%s", cmp.Diff(string(opsOf(res)), string(opsOf(alone))))
	}
	return res.Asked
}

// testFigures holds a run to the figures recorded beside its file.
func testFigures(t *testing.T, r *Run, res *run.Result) {
	t.Helper()
	if len(r.Record) == 0 {
		return
	}
	file, reading := golden.Read(r.Path)
	if reading != nil && len(reading.Problems()) > 0 {
		t.Fatal(reading.Problems())
	}
	for _, f := range file.Hold(r.Scenario, res, ModelVersion, "make golden").Failures {
		t.Errorf("%s:%d: %s: expected %s, got %s (%s)", f.Pos.File, f.Pos.Line, f.What, f.Expected, f.Got, f.Note)
	}
}

func do(t *testing.T, f func() (*run.Result, error)) *run.Result {
	t.Helper()
	res, err := f()
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// testParts verifies W2: the parts of a completed request add up to its
// latency, and so do those of a verb.
func testParts(t *testing.T, res *run.Result) {
	for i := range res.Ops {
		o := &res.Ops[i]
		if !o.Done || o.Recv {
			continue
		}
		sum := sim.Duration(0)
		for _, d := range o.Parts {
			sum += d
		}
		if sum != o.Latency() && (!o.Verb || sum != 0) {
			t.Errorf("op %s (%s): parts add up to %v, the latency is %v", o.ID, o.Request, sum, o.Latency())
		}
	}
}

// opsOf writes down the ops with their times and outcomes.
func opsOf(res *run.Result) []byte {
	var b bytes.Buffer
	for i := range res.Ops {
		o := &res.Ops[i]
		fmt.Fprintf(&b, "%s %s %s %s %d %s %d %d\n", o.ID, o.Host, o.Request, o.Object, o.Bytes, o.Outcome(), o.Start, o.End)
	}
	for i := range res.Traffic {
		x := &res.Traffic[i]
		fmt.Fprintf(&b, "traffic %d %s %d %d %d %d %d %d\n", x.Step, x.Opcode, x.Count, x.Bytes, x.Failed, x.Elapsed, x.Latency.Min(), x.Latency.Max())
	}
	return b.Bytes()
}

// lines writes down all that a fingerprint stands for.
func lines(res *run.Result) string {
	b := bytes.NewBuffer(opsOf(res))
	for i := range res.Faults {
		f := &res.Faults[i]
		fmt.Fprintf(b, "fault %d %s %s %v %v %v %s\n", f.At, f.Host, f.Op, f.Status, f.NAK, f.Cause, f.Rule)
	}
	for _, s := range res.Stats {
		if s.Name == "events" || strings.HasPrefix(s.Name, "keys.") || told(s.Name) {
			continue // what the engine needs for it; a fold over what stands here already
		}
		fmt.Fprintf(b, "%s %s\n", s.Name, s.Value)
	}
	fmt.Fprintf(b, "%v %d/%d\n", res.End, res.Held, res.Asked)
	return b.String()
}

// told reports whether a figure tells of waits and of how busy something was, or
// is a share of others: how it came about that things happened when they did.
func told(name string) bool {
	for _, end := range []string{".hit_rate", ".utilisation", "_per_op", ".fetches", ".stores", "_engine.busy", "mpt.busy", "mtt.busy", "tx_requests.busy", "tx_answers.busy"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return strings.Contains(name, ".stall.")
}

func fingerprint(res *run.Result) string {
	sum := sha256.Sum256([]byte(lines(res)))
	return hex.EncodeToString(sum[:8])
}

// compare holds the fingerprints to those that are recorded: a result that
// changes does so on purpose, or not at all.
func (f *fingerprints) compare(t *testing.T) {
	names := slices.Sorted(maps.Keys(f.got))
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s %s\n", f.got[name], name)
	}
	if u := flag.Lookup("update"); u != nil && u.Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(fingerprintFile), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(fingerprintFile, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(fingerprintFile)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		print, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		want[name] = print
	}
	var changed, unknown []string
	for _, name := range names {
		switch was, known := want[name]; {
		case !known:
			unknown = append(unknown, name)
		case was != f.got[name]:
			changed = append(changed, name)
		}
		delete(want, name)
	}
	complain := func(what string, list []string) {
		if n := len(list); n > 0 {
			const shown = 10
			if n > shown {
				list = append(list[:shown:shown], fmt.Sprintf("and %d more", n-shown))
			}
			t.Errorf("%d results %s: %s\non purpose? go test ./scenario -run TestScenarios -update", n, what, strings.Join(list, ", "))
		}
	}
	complain("have changed", changed)
	complain("are not recorded", unknown)
	if !strings.Contains(flag.Lookup("test.run").Value.String(), "/") { // not all were asked for
		complain("are not there any more", slices.Sorted(maps.Keys(want)))
	}
}
