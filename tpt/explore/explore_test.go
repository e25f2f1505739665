package explore

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/ib"
	"hcasim/tpt"
)

// told prints a counterexample so that a reader can follow it.
func told(c *Counterexample) string {
	return fmt.Sprintf("%s\n%+v\n%s", strings.Join(c.Steps, "\n"), c.Access, c.Why)
}

// No sequence of operations leads to an access without a live grant, nor to a
// grant that cannot be used (E1, E2), under the specification and under the
// choices that keep its promises.
func TestNoLeakNoLoss(t *testing.T) {
	mlx5, flavorA, orphan := tpt.MLX5Variant(), tpt.SpecVariant(), tpt.SpecVariant()
	flavorA.MW2Flavor = tpt.Window2A
	orphan.DeregBound = "orphan"
	windows := []string{"register A, LW|RW|RR|MW_BIND", "allocate w1", "allocate w2"}
	fast := []string{"allocate the fast-register region", "REG_MR on q1", "allocate w2"}
	for _, c := range []struct {
		name    string
		v       tpt.Variant
		opening []string
		depth   int
	}{
		{"mlx5", mlx5, nil, 4}, {"2A", flavorA, nil, 4}, {"orphan", orphan, nil, 4},
		{"spec, windows", tpt.SpecVariant(), windows, 4}, {"mlx5, windows", mlx5, windows, 3},
		{"2A, windows", flavorA, windows, 4}, {"orphan, windows", orphan, windows, 3},
		{"spec, fast", tpt.SpecVariant(), fast, 4}, {"orphan, fast", orphan, fast, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				c.depth--
			}
			r := Search(Config{Depth: c.depth, Variant: c.v, Opening: c.opening})
			t.Logf("depth %d: %d sequences, %d refused, %d accesses", r.Depth, r.Sequences, r.Refused, r.Accesses)
			if r.Broken != nil {
				t.Error(told(r.Broken))
			}
		})
	}
}

// The search bites: a rule left out is found, in as few steps as it takes.
func TestSearchFindsWhatIsBroken(t *testing.T) {
	for _, c := range []struct {
		what  string
		steps int
		leak  bool
		check func(e tpt.Entry, a tpt.Access) tpt.Fault
	}{
		{"the key byte is not compared", 1, true, func(e tpt.Entry, a tpt.Access) tpt.Fault {
			a.Key = ib.MakeKey(a.Key.Index(), e.KeyByte)
			return tpt.Check(e, a)
		}},
		{"the domain is not compared", 1, true, func(e tpt.Entry, a tpt.Access) tpt.Fault {
			a.PD = e.PD
			return tpt.Check(e, a)
		}},
		{"the queue pair is not compared", 3, true, func(e tpt.Entry, a tpt.Access) tpt.Fault {
			a.QPN = e.QPN
			return tpt.Check(e, a)
		}},
		{"the state is not looked at", 4, true, func(e tpt.Entry, a tpt.Access) tpt.Fault {
			if e.Kind.Type2() && e.State == tpt.Free {
				e.State, e.QPN, e.Length, e.Start, e.Rights = tpt.Valid, a.QPN, 1<<40, 0, rw|rr
			}
			return tpt.Check(e, a)
		}},
		{"one byte too many", 1, true, func(e tpt.Entry, a tpt.Access) tpt.Fault {
			e.Length++
			return tpt.Check(e, a)
		}},
		{"one byte too few", 1, false, func(e tpt.Entry, a tpt.Access) tpt.Fault {
			e.Length--
			return tpt.Check(e, a)
		}},
	} {
		r := Search(Config{Depth: 4, Variant: tpt.SpecVariant(), Check: c.check})
		if r.Broken == nil {
			t.Errorf("%s: nothing was found in %d sequences", c.what, r.Sequences)
			continue
		}
		if len(r.Broken.Steps) > c.steps || r.Broken.Leak != c.leak {
			t.Errorf("%s: want a leak (%v) within %d steps, got\n%s", c.what, c.leak, c.steps, told(r.Broken))
		}
	}
}

// From nothing, five steps deep: no leak and no loss, and every step was made
// somewhere but those that the rules always forbid.
func TestEveryStep(t *testing.T) {
	r := Search(Config{Depth: 5, Variant: tpt.SpecVariant()})
	t.Logf("%d sequences, %d refused, %d accesses", r.Sequences, r.Refused, r.Accesses)
	if r.Broken != nil {
		t.Fatal(told(r.Broken))
	}
	seen := map[string]bool{}
	for n, name := range Steps() {
		if seen[name] {
			t.Errorf("two steps are called %q", name)
		}
		seen[name] = true
		forbidden := strings.Contains(name, "q3") || strings.Contains(name, "beyond") || strings.Contains(name, "dead key")
		if (r.Made[n] == 0) != forbidden {
			t.Errorf("%s: done %d times", name, r.Made[n])
		}
	}
}

func TestOpening(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an opening that cannot be made was made")
		}
	}()
	Search(Config{Variant: tpt.SpecVariant(), Opening: []string{"deregister A"}})
}

// What an implementation does against the rules is found too: rxe bounds a
// window by its region's range.
func TestSearchFindsRXE(t *testing.T) {
	r := Search(Config{Depth: 3, Variant: tpt.RXEVariant()})
	if r.Broken == nil || !r.Broken.Leak || len(r.Broken.Steps) != 3 {
		t.Fatalf("%+v", r.Broken)
	}
	t.Log(told(r.Broken))
	v := tpt.SpecVariant()
	v.Type2InvQPCheck = false
	r = Search(Config{Depth: 4, Variant: v})
	if r.Broken == nil || r.Broken.Leak || len(r.Broken.Steps) != 4 {
		t.Fatalf("anybody may invalidate: %+v", r.Broken)
	}
}
