package study

import (
	"math"
	"testing"

	"hcasim/ib"
	"hcasim/report"
	"hcasim/scenario"
	"hcasim/tpt"
	"hcasim/tpt/explore"
)

// simulate runs the scenario of a counterexample.
func simulate(t *testing.T, x *Exploration) *report.Record {
	t.Helper()
	text := x.scenario()
	runs, err := scenario.Read("counterexample.yaml", []byte(text), scenario.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	rec, err := report.Simulate(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// One verdict turned round, for the search alone, is found, and its scenario
// expects what the rules demand: that holds in the model, which keeps them
// (Y2). So the model is held to the ledger too, wherever the verdict stands.
func TestCounterexamplesHold(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	const depth, samples = 5, 12
	v := tpt.SpecVariant()
	all := explore.Search(explore.Config{Depth: depth, Variant: v}).Sum.Accesses
	kinds := map[explore.Kind]int{}
	for n := range uint64(samples) {
		turned, count := all/samples*n+n, uint64(0)
		r := explore.Search(explore.Config{Depth: depth, Variant: v, Check: func(e tpt.Entry, a tpt.Access) tpt.Fault {
			f := tpt.Check(e, a)
			if count++; count <= turned || a.Judge.Length == 0 || (f == tpt.OK) != (n%2 == 1) {
				return f // leaks and losses by turns
			}
			turned = math.MaxUint64
			if f == tpt.OK {
				return tpt.NotValid
			}
			return tpt.OK
		}})
		x := &Exploration{Variant: "spec", Depth: depth, Report: r}
		if x.Holds() {
			t.Fatal("nothing was found")
		}
		kinds[r.Broken.Kind]++
		if rec := simulate(t, x); !rec.OK() {
			t.Errorf("%+v %v\n%s\n%s", rec.Result.Failures, rec.Result.End, x.Report.Broken, x.scenario())
		}
	}
	if kinds[explore.Leak] == 0 || kinds[explore.Loss] == 0 {
		t.Errorf("tried %v", kinds)
	}
}

// A step that is done against the rules is written too, and refused by the
// model; so is an access that reaches the wrong bytes, which are looked at.
func TestCounterexamplesOfSteps(t *testing.T) {
	v := tpt.SpecVariant()
	v.Type2InvQPCheck = false
	x := &Exploration{Variant: "spec", Depth: 4, Report: explore.Search(explore.Config{Depth: 4, Variant: v})}
	if x.Holds() || x.Report.Broken.Kind != explore.Done {
		t.Fatalf("%+v", x.Report.Broken)
	}
	if rec := simulate(t, x); !rec.OK() {
		t.Errorf("%+v\n%s", rec.Result.Failures, x.scenario())
	}
	c := x.Report.Broken
	for _, need := range []ib.AccessFlags{0, ib.LocalWrite, ib.RemoteRead, ib.RemoteWrite} {
		m := tpt.Range{VA: 0x10fff, Length: 2}
		*c = explore.Counterexample{Kind: explore.Leak, Elsewhere: true, Moves: c.Moves[:1], Base: "A", Offset: 0xfff}
		c.Access = tpt.Access{Key: c.Moves[0].Result.Key, PD: 1, QPN: 1, Need: need, Remote: need&^ib.LocalWrite != 0, Judge: m, Move: m}
		if rec := simulate(t, x); !rec.OK() || rec.Result.Asked < 3 {
			t.Errorf("%+v\n%s", rec.Result.Failures, x.scenario())
		}
	}
}

// A queue pair that is made anew has its number, and so the windows that are
// bound to it, in the scenario as in the search; in another domain it has not.
func TestCounterexamplesOfANumber(t *testing.T) {
	for domain, want := range map[string]explore.Kind{"first": explore.Loss, "second": explore.Leak} {
		r := explore.Search(explore.Config{
			Variant: tpt.SpecVariant(),
			Opening: []string{
				"register A, LW|RW|RR|RA|MW_BIND", "allocate w2", "BIND_MW of w2 to the second page of A, RR, on q1",
				"destroy q1", "create q1 in the " + domain + " domain",
			},
			Check: func(e tpt.Entry, a tpt.Access) tpt.Fault {
				f := tpt.Check(e, a)
				granted := a.QPN == 1 && e.Kind == tpt.Window2B && a.Need == ib.RemoteRead && a.Judge.Length == 1 && a.Judge.VA == 0x11000
				switch {
				case granted && f == tpt.OK:
					return tpt.QPMismatch
				case granted && f == tpt.PDMismatch:
					return tpt.OK
				}
				return f
			},
		})
		x := &Exploration{Variant: "spec", Report: r}
		if x.Holds() || r.Broken.Kind != want {
			t.Fatalf("%s: %v", domain, r.Broken)
		}
		if rec := simulate(t, x); !rec.OK() {
			t.Errorf("%+v\n%s", rec.Result.Failures, x.scenario())
		}
	}
}

// What an implementation does against the rules shows in its scenario, run
// under its own choices: it expects what the rules demand, and gets other.
func TestExploreFindsRXE(t *testing.T) {
	x, err := Explore("rxe", 3)
	if err != nil || x.Holds() {
		t.Fatal(err, x)
	}
	if rec := simulate(t, x); rec.OK() || len(rec.Result.Failures) == 0 {
		t.Errorf("the leak does not show:\n%s", x.scenario())
	}
}

func TestExploreRefuses(t *testing.T) {
	for _, c := range []struct {
		variant string
		depth   int
	}{{"spec", 0}, {"spec", explore.MaxDepth + 1}, {"sepc", 3}} {
		if _, err := Explore(c.variant, c.depth); err == nil {
			t.Errorf("%s to depth %d is searched", c.variant, c.depth)
		}
	}
}
