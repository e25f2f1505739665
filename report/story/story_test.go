package story

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// load reads all runs of the files of a pattern.
func load(t *testing.T, pattern string) (runs []*scenario.Run) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "scenarios", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	for _, f := range files {
		all, err := scenario.Load(f, scenario.Options{})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, all...)
	}
	return runs
}

// tell tells of one op.
func tell(t *testing.T, r *scenario.Run, id string) *Story {
	t.Helper()
	again := func(watch func(*run.View)) (*run.Result, error) { return r.DoWatched(watch) }
	survey, err := Look(r, again, id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Tell(survey, &Source{Name: "scenarios/" + filepath.Base(r.Path), File: "scenarios/" + filepath.Base(r.Path)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var every = flag.Bool("every", false, "tell of all that was refused, not of two of each kind")

// TestEveryRefusal tells of every op of all scenarios about faults that was
// refused, failed or was flushed: the last check that was asked is the one that
// refused (T2), and there is something to change. The way of each is whole (T3).
// Without -every that is two of each kind.
func TestEveryRefusal(t *testing.T) {
	n, alike := 0, map[string]int{}
	for _, r := range append(load(t, "faults/*.yaml"), load(t, "protection/*.yaml")...) {
		res, err := r.Do()
		if err != nil {
			t.Fatal(err)
		}
		for i := range res.Ops {
			o := &res.Ops[i]
			if !Worth(o) && !o.Failed() {
				continue
			}
			if k := likeness(o); !*every && alike[k] == 2 {
				continue
			} else {
				alike[k]++
			}
			s := tell(t, r, o.ID)
			n++
			asked := slices.DeleteFunc(slices.Clone(s.Checks), func(c Check) bool { return c.Outcome == notReached })
			if len(asked) == 0 || asked[len(asked)-1].Outcome != refused || asked[len(asked)-1].Detail == "" {
				t.Errorf("%s op %s (%s %s): checks %+v", r.Name, o.ID, o.Request, o.Outcome(), s.Checks)
			}
			if len(s.Change) == 0 || s.Cause == "" {
				t.Errorf("%s op %s (%s %s): cause %q, change %q", r.Name, o.ID, o.Request, o.Outcome(), s.Cause, s.Change)
			}
			whole(t, r.Name, o, s)
		}
	}
	if n < 200 {
		t.Errorf("only %d refusals were told", n)
	}
}

// likeness is the same of ops that fail for the same reason.
func likeness(o *run.Op) string {
	text := o.Request + " " + o.Outcome()
	for _, f := range o.Faults {
		text += fmt.Sprintf(" %v %v %s", f.Remote, f.Cause, f.Rule)
	}
	return text
}

// whole holds the path of an op to its latency.
func whole(t *testing.T, name string, o *run.Op, s *Story) {
	t.Helper()
	if o.Recv || o.Verb || !o.Done {
		return
	}
	var sum sim.Duration
	at := o.Start
	for _, g := range s.Path {
		if g.From != at || g.To.Sub(g.From) != g.Took {
			t.Errorf("%s op %s: %+v does not begin at %v", name, o.ID, g, at)
		}
		at = g.To
		sum += g.Took
	}
	if sum != o.Latency() || at != o.End {
		t.Errorf("%s op %s (%v): the path takes %v and ends at %v, the op %v at %v", name, o.ID, o.Status, sum, at, o.Latency(), o.End)
	}
}

var update = flag.Bool("update", false, "write the stories of testdata")

// golden are stories that are held to the word.
var golden = []struct{ file, name, op string }{
	{"faults/remote-key.yaml", "bad-index", "1"},
	{"faults/remote-key.yaml", "not-valid", "1"},
	{"faults/remote-key.yaml", "no-right", "1"},
	{"faults/remote-key.yaml", "out-of-range", "1"},
	{"faults/local-key.yaml", "bad-key", "1"},
	{"faults/silence.yaml", "the-peer-does-not-receive", "1"},
	{"faults/silence.yaml", "all-packets-are-lost", "2"},
	{"faults/silence.yaml", "a-refused-remote-invalidate", "2"},
	{"faults/silence.yaml", "a-refused-remote-invalidate", "1"},
	{"faults/receives.yaml", "too-short", "2"},
	{"faults/receives.yaml", "none-there", "1"},
	{"faults/requests.yaml", "an-atomic-on-an-odd-address", "1"},
	{"faults/changes.yaml", "bind-of-a-bound-window", "2"},
	{"faults/changes.yaml", "bind-past-the-end", "1"},
	{"faults/changes.yaml", "invalidate-with-the-key-before", "2"},
	{"faults/flush.yaml", "behind-a-remote-fault", "3.3"},
	{"faults/no-translation.yaml", "", ""},
	{"seeds/39-bound-mr-cannot-be-deregistered.yaml", "refused-and-nothing-changes", ""},
	{"seeds/41-invalidate-kills-the-key-not-the-window.yaml", "the-key-is-dead", ""},
	{"quickstart.yaml", "", "3"},
	{"bench/write-64-d64-miss.yaml", "", "1.1"},
	{"bench/read-4k-d16.yaml", "", "1.16"},
}

// TestStories holds some stories to the word; with op "" that of the first op
// that is worth one.
func TestStories(t *testing.T) {
	for _, g := range golden {
		r := load(t, g.file)[0]
		for _, one := range load(t, g.file) {
			if one.Case != nil && one.Case.Name == g.name {
				r = one
			}
		}
		id := g.op
		if id == "" {
			res, err := r.Do()
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(res.Ops, func(o run.Op) bool { return Worth(&o) })
			if i < 0 {
				t.Fatalf("%s %s: no op is worth a story", g.file, g.name)
			}
			id = res.Ops[i].ID
		}
		var b strings.Builder
		if err := tell(t, r, id).Text(&b); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", strings.ReplaceAll(r.Name, "/", ".")+"."+id+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != b.String() {
			t.Errorf("%s is not what is told (go test ./report/story -run TestStories -update): %v\n%s", file, err, b.String())
		}
	}
}

// TestSettings: every parameter that is named is one that there is.
func TestSettings(t *testing.T) {
	r := load(t, "quickstart.yaml")[0]
	for p, list := range settings {
		for _, path := range list {
			if _, known := r.Settings[0].Value(path); !known {
				t.Errorf("part %d: there is no parameter %s", p, path)
			}
		}
		if parts[p] == "" {
			t.Errorf("part %d has no words", p)
		}
	}
}

// TestTraffic tells of a request of a load, whose op no result keeps.
func TestTraffic(t *testing.T) {
	r := load(t, "bench/write-64-d64-miss.yaml")[0]
	s := tell(t, r, "1.64")
	if len(s.Path) < 10 || len(s.Waits) == 0 || len(s.Savings) == 0 || uint64(s.End.Sub(s.Start)) != s.Latency {
		t.Errorf("%+v", s)
	}
	var sum sim.Duration
	for _, g := range s.Path {
		sum += g.Took
	}
	if uint64(sum) != s.Latency {
		t.Errorf("the path takes %v, the op %d", sum, s.Latency)
	}
}
