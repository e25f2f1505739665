package timeline

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/ib"
	"hcasim/scenario"
	"hcasim/scenario/run"
)

var update = flag.Bool("update", false, "write testdata anew")

const quickstart = "../../scenarios/quickstart.yaml"

// A made is one timeline and the run it is of.
type made struct {
	name    string
	text    []byte
	result  *run.Result
	matched int
}

// make runs the scenarios of a file and writes a timeline of each.
func makeOf(t *testing.T, file, kind string, o Options, sets ...string) (all []made) {
	t.Helper()
	runs, err := scenario.Load(file, scenario.Options{Sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		var out bytes.Buffer
		var rec *Recorder
		res, err := r.DoWatched(func(v *run.View) {
			if rec, err = Watch(v, kind, r.Name, o, &out); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		all = append(all, made{r.Name, out.Bytes(), res, rec.Matched()})
	}
	return all
}

// A line is one event, as a reader of the format has it.
type line struct {
	Phase string         `json:"ph"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	TS    float64        `json:"ts"`
	Dur   *float64       `json:"dur"`
	Name  string         `json:"name"`
	ID    int            `json:"id"`
	Bind  string         `json:"bp"`
	Args  map[string]any `json:"args"`
}

// start and end are times as Perfetto takes them: multiplied as doubles, and
// cut to nanoseconds.
func (l *line) start() int64 { return int64(l.TS * 1000) }
func (l *line) end() int64   { return l.start() + int64(*l.Dur*1000) }

func parse(t *testing.T, text []byte) []line {
	t.Helper()
	var doc struct {
		Unit   string `json:"displayTimeUnit"`
		Events []line `json:"traceEvents"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Unit != "ns" || len(doc.Events) == 0 {
		t.Fatalf("unit %q, %d events", doc.Unit, len(doc.Events))
	}
	return doc.Events
}

// files are the scenarios that the rules are held on.
func files(t *testing.T) []string {
	t.Helper()
	all := []string{quickstart}
	for _, pattern := range []string{"verbs", "faults"} {
		some, err := filepath.Glob("../../scenarios/" + pattern + "/*.yaml")
		if err != nil || len(some) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(some))
		}
		all = append(all, some...)
	}
	return all
}

// TestChrome holds the timelines of all verbs and faults to the rules of the
// format, on both scales.
func TestChrome(t *testing.T) {
	ops := 0
	for i, file := range files(t) {
		o := Options{Picoseconds: i%2 == 1}
		for _, m := range makeOf(t, file, "chrome", o) {
			t.Run(m.name, func(t *testing.T) {
				events := parse(t, m.text)
				checkSpans(t, events)
				checkFlows(t, events)
				ops += checkOps(t, events, m.result, o)
			})
		}
	}
	if ops < 200 {
		t.Errorf("only %d ops were looked at", ops)
	}
}

type thread struct{ pid, tid int }

// checkSpans holds what a reader drops otherwise: spans of a track nest, and
// come in order (T1); every track has a name and a place.
func checkSpans(t *testing.T, events []line) {
	t.Helper()
	stacks, named := map[thread][]int64{}, map[thread]int{}
	for i := range events {
		l := &events[i]
		at := thread{l.PID, l.TID}
		switch l.Phase {
		case "M":
			named[at]++
		case "i", "X":
			if named[at] != 2 {
				t.Errorf("event %d: %s is on a track without a name or a place", i, l.Name)
			}
		}
		if l.Phase != "X" {
			continue
		}
		if l.Dur == nil || *l.Dur < 0 {
			t.Errorf("event %d: %s has no duration", i, l.Name)
			continue
		}
		open := stacks[at]
		for len(open) > 0 && open[len(open)-1] <= l.start() {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && l.end() > open[n-1] {
			t.Errorf("event %d: %s ends at %d, what it is in at %d (T1)", i, l.Name, l.end(), open[n-1])
		}
		stacks[at] = append(open, l.end())
	}
}

// checkFlows holds T4.
func checkFlows(t *testing.T, events []line) {
	t.Helper()
	spans := map[thread][]*line{}
	points := map[int][]*line{}
	for i := range events {
		l := &events[i]
		switch l.Phase {
		case "X":
			at := thread{l.PID, l.TID}
			spans[at] = append(spans[at], l)
		case "s", "t", "f":
			points[l.ID] = append(points[l.ID], l)
		}
	}
	for id, list := range points {
		begins, ends := 0, 0
		var from, to int64
		last := int64(-1)
		for _, l := range list {
			switch l.Phase {
			case "s":
				begins++
				from = l.start()
			case "f":
				ends++
				to = l.start()
			}
			last = max(last, l.start())
			bound := false
			for _, s := range spans[thread{l.PID, l.TID}] {
				bound = bound || s.start() == l.start() && s.end() > l.start()
			}
			if !bound || l.Bind != "e" {
				t.Errorf("flow %d: %s at %d leads to no span", id, l.Phase, l.start())
			}
		}
		if begins != 1 || ends != 1 || from > list[0].start() || to != last {
			t.Errorf("flow %d begins %d times, at %d, and ends %d times, at %d of %d", id, begins, from, ends, to, last)
		}
	}
}

// checkOps holds the span of each op to its result, and its steps to it (T3).
func checkOps(t *testing.T, events []line, res *run.Result, o Options) (n int) {
	t.Helper()
	spans := map[string]int{}
	for i := range events {
		if l := &events[i]; l.Phase == "X" && strings.HasPrefix(l.Name, "op ") {
			spans[fmt.Sprint(l.Args["op"])] = i
		}
	}
	for k := range res.Ops {
		op := &res.Ops[k]
		i, there := spans[op.ID]
		if !there {
			if op.Done {
				t.Errorf("op %s has no span", op.ID)
			}
			continue
		}
		l := &events[i]
		if !op.Done {
			continue
		}
		n++
		from, length := uint64(l.start()), uint64(l.end()-l.start())
		if !o.Picoseconds {
			from, length = uint64(l.Args["start_ps"].(float64)), uint64(l.Args["length_ps"].(float64))
		}
		if from != uint64(op.Start) || length != uint64(op.Latency()) {
			t.Errorf("op %s lasts %d ps from %d, in the result %d from %d", op.ID, length, from, op.Latency(), op.Start)
		}
		at := l.start()
		steps := 0
		for i++; i < len(events) && events[i].Phase == "X" && events[i].TID == l.TID && events[i].end() <= l.end() && events[i].start() >= l.start() && !strings.HasPrefix(events[i].Name, "op "); i++ {
			steps++
			if events[i].start() != at {
				t.Errorf("op %s: step %s begins at %d, the one before ends at %d", op.ID, events[i].Name, events[i].start(), at)
			}
			at = events[i].end()
		}
		if steps > 0 && at != l.end() {
			t.Errorf("op %s: its steps end at %d, it does at %d", op.ID, at, l.end())
		}
		if steps == 0 && !op.Verb && !op.Recv && op.QP != "" {
			t.Errorf("op %s has no steps", op.ID)
		}
	}
	return n
}

// TestSame writes the same bytes twice (T1).
func TestSame(t *testing.T) {
	for _, kind := range Kinds {
		a, b := makeOf(t, quickstart, kind, Options{}), makeOf(t, quickstart, kind, Options{})
		if !bytes.Equal(a[0].text, b[0].text) {
			t.Errorf("%s differs from itself", kind)
		}
	}
}

// TestGolden compares the timelines of quickstart with those that are kept.
func TestGolden(t *testing.T) {
	for _, kind := range Kinds {
		name := filepath.Join("testdata", "quickstart."+kind)
		got := makeOf(t, quickstart, kind, Options{})[0].text
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is another than before: make golden, and look at the difference", name)
		}
	}
}

// TestBothHosts finds on the tracks of both hosts what became of the two WRITEs
// of quickstart.
func TestBothHosts(t *testing.T) {
	seen := map[string]bool{}
	tracks := map[thread]string{}
	for _, l := range parse(t, makeOf(t, quickstart, "chrome", Options{})[0].text) {
		at := thread{l.PID, l.TID}
		if l.Phase == "M" && l.Name == "thread_name" {
			tracks[at] = fmt.Sprint(l.Args["name"])
		}
		if l.Phase == "X" || l.Phase == "i" {
			seen[fmt.Sprintf("%d %s: op %v: %s", l.PID, tracks[at], l.Args["op"], l.Name)] = true
		}
	}
	for _, want := range []string{
		"1 requests of q0: op 3: op 3: RDMA_WRITE buf", "1 MPT lookup: op 3: miss", "1 MTT translate: op 3: miss",
		"1 gather DMA: op 3: gather", "1 wire out: op 3: RC_RDMA_WRITE_ONLY", "2 responder: op 3: RC_RDMA_WRITE_ONLY",
		"2 place DMA: op 3: place", "1 CQE write: op 3: CQE", "2 MPT lookup: op 4: hit: bad-key",
		"2 faults and events: op 4: refused: bad-key (KEY-2)", "2 wire out: op 4: RC_ACKNOWLEDGE: NAK_REMOTE_ACCESS_ERROR",
		"2 faults and events: op <nil>: event IBV_EVENT_QP_ACCESS_ERR", "1 faults and events: op <nil>: q0 → ERR",
	} {
		if !seen[want] {
			t.Errorf("nothing is %q", want)
		}
	}
}

// TestChosen chooses requests in each way: all of them that are meant, whole,
// and no other (T5).
func TestChosen(t *testing.T) {
	whole := spansOf(t, Options{}, "4")
	for _, test := range []struct {
		name string
		o    Options
		ops  string
	}{
		{"all", Options{}, "1 2 3 4"},
		{"op", Options{Op: "4"}, "4"},
		{"qp", Options{QP: "client.q0"}, "3 4"},
		{"qp without host", Options{QP: "q0"}, "3 4"},
		{"qp of nobody's requests", Options{QP: "server.q0"}, ""},
		{"key", Options{Keyed: true, Key: ib.Key(0x101)}, "4"},
		{"key and qp", Options{Keyed: true, Key: ib.Key(0x101), QP: "server.q0"}, ""},
		{"window", Options{Windowed: true, From: 43_000_000, To: 43_100_000}, "4"},
		{"window of two", Options{Windowed: true, From: 42_600_000, To: 42_700_000}, "3 4"},
	} {
		m := makeOf(t, quickstart, "chrome", test.o)[0]
		events := parse(t, m.text)
		checkSpans(t, events)
		checkFlows(t, events)
		var ops []string
		for _, l := range events {
			if l.Phase == "X" && strings.HasPrefix(l.Name, "op ") {
				ops = append(ops, fmt.Sprint(l.Args["op"]))
			}
		}
		if got := strings.Join(ops, " "); got != test.ops || m.matched != len(ops) {
			t.Errorf("%s: ops %q of %d, want %q", test.name, got, m.matched, test.ops)
		}
		if got := spansOf(t, test.o, "4"); strings.Contains(test.ops, "4") && got != whole {
			t.Errorf("%s: %d spans of op 4, of %d", test.name, got, whole)
		}
	}
}

func spansOf(t *testing.T, o Options, op string) (n int) {
	for _, l := range parse(t, makeOf(t, quickstart, "chrome", o)[0].text) {
		if l.Phase == "X" && l.Args["op"] == op {
			n++
		}
	}
	return n
}

// TestLong writes more than is held back (T6): tracks stay few, spans nest, and
// requests that were chosen by a window are as many as were under way.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("some 200,000 events")
	}
	const file = "../../scenarios/bench/write-64-d64.yaml"
	m := makeOf(t, file, "chrome", Options{}, "vars.n=4000")[0]
	events := parse(t, m.text)
	checkSpans(t, events)
	threads, begun, ended, high := 0, 0, 0, 0.0
	for i := range events {
		switch l := &events[i]; l.Phase {
		case "M":
			threads++
		case "s":
			begun++
		case "f":
			ended++
		case "C":
			if n, ok := l.Args["requests"].(float64); ok {
				high = max(high, n)
			}
		}
	}
	if m.matched != 4000 || begun != ended || begun < 4000 || len(events) < 2*most || threads > 2*400 || high > 70 || high < 32 {
		t.Errorf("%d ops, %d flows begin and %d end, %d names, at most %v in flight", m.matched, begun, ended, threads, high)
	}
	under := 0
	const from, to = 300.0, 300.1
	for i := range events {
		if l := &events[i]; l.Phase == "X" && strings.HasPrefix(l.Name, "op ") && l.TS < to && l.TS+*l.Dur >= from {
			under++
		}
	}
	some := makeOf(t, file, "chrome", Options{Windowed: true, From: from * 1e6, To: to * 1e6}, "vars.n=4000")[0]
	if some.matched != under || under < 5 {
		t.Errorf("%d ops in a window of 100 ns, where %d are under way", some.matched, under)
	}
}

// TestCounts: READs under way are as many as may be, and all counts that go up
// and down end at nothing.
func TestCounts(t *testing.T) {
	for _, m := range makeOf(t, "../../scenarios/verbs/read.yaml", "chrome", Options{}) {
		if !strings.HasSuffix(m.name, "/more-than-may-be-under-way") {
			continue
		}
		events := parse(t, m.text)
		for name, most := range map[string]float64{
			"outstanding READs and atomics requests": 2, "in flight requests": 16, "on the wire, not taken yet packets": 2, "PCIe reads tags": 1,
		} {
			if got, last := highest(events, 1, name); got != most || last != 0 {
				t.Errorf("%s: at most %v, in the end %v; want %v and 0", name, got, last, most)
			}
		}
		return
	}
	t.Error("the scenario is not there")
}

// highest returns the most that a count of a host comes to, and what it ends as.
func highest(events []line, pid int, name string) (most, last float64) {
	for _, l := range events {
		for series, v := range l.Args {
			if n, is := v.(float64); is && l.Phase == "C" && l.PID == pid && l.Name+" "+series == name {
				most, last = max(most, n), n
			}
		}
	}
	return most, last
}
