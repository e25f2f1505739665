package explore

import (
	"maps"
	"strings"
	"testing"

	"hcasim/tpt"
)

// everyday is a depth that takes a second.
const everyday = 5

// From nothing: no leak and no loss, and every step was made somewhere but
// those that the rules always forbid.
func TestEveryStep(t *testing.T) {
	r := Search(Config{Depth: everyday, Variant: tpt.SpecVariant()})
	t.Logf("%+v", r.Sum)
	if r.Broken != nil {
		t.Fatal(r.Broken)
	}
	done := map[string]uint64{}
	for n, name := range Steps() {
		if _, twice := done[name]; twice {
			t.Errorf("two steps are called %q", name)
		}
		// What is done through q2 alone was done through q1.
		done[name] = r.Made[n] + done[strings.ReplaceAll(name, "q2", "q1")]
		if (done[name] == 0) != steps[n].never {
			t.Errorf("%s: done %d times", name, done[name])
		}
	}
}

// No sequence of operations leads to an access without a live grant, nor to a
// grant that cannot be used (E1, E2), under the choices that keep the
// specification's promises, and further on from where windows and
// fast-register regions are bound.
func TestNoLeakNoLoss(t *testing.T) {
	mlx5, flavorA, orphan := tpt.MLX5Variant(), tpt.SpecVariant(), tpt.SpecVariant()
	flavorA.MW2Flavor = tpt.Window2A
	orphan.DeregBound = "orphan"
	windows := []string{"register A, LW|RW|RR|RA|MW_BIND", "allocate w1", "allocate w2"}
	fast := []string{"allocate f", "REG_MR of f on q1, LW|RW|MW_BIND", "allocate w2"}
	for _, c := range []struct {
		name    string
		v       tpt.Variant
		opening []string
	}{
		{"mlx5", mlx5, nil}, {"2A", flavorA, nil}, {"orphan", orphan, nil},
		{"spec, windows", tpt.SpecVariant(), windows}, {"mlx5, windows", mlx5, windows},
		{"2A, windows", flavorA, windows}, {"orphan, windows", orphan, windows},
		{"spec, fast", tpt.SpecVariant(), fast}, {"orphan, fast", orphan, fast},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := Search(Config{Depth: 4, Variant: c.v, Opening: c.opening})
			t.Logf("%+v", r.Sum)
			if r.Broken != nil {
				t.Error(r.Broken)
			}
		})
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
	if r.Broken == nil || r.Broken.Kind != Leak || len(r.Broken.Moves) != 3 {
		t.Fatalf("%+v", r.Broken)
	}
	t.Log(r.Broken)
	v := tpt.SpecVariant()
	v.Type2InvQPCheck = false
	r = Search(Config{Depth: 4, Variant: v})
	if r.Broken == nil || r.Broken.Kind != Done || len(r.Broken.Moves) != 4 {
		t.Fatalf("anybody may invalidate: %+v", r.Broken)
	}
}

// Where the two ways to a state lead to the same answers they have one mark:
// what is exchanged or renamed does not count, anything else does.
func TestMarks(t *testing.T) {
	const a, b = "register A, RR|MW_BIND", "register B, RR|MW_BIND"
	at := func(names ...string) mark {
		s := &search{Config: Config{Variant: tpt.SpecVariant()}, root: newWorld(tpt.SpecVariant())}
		for n, name := range names {
			s.open(n, name)
		}
		return s.scribe.mark(s.root)
	}
	for _, c := range []struct {
		what     string
		one, two []string
		same     bool
	}{
		{"A for B", []string{a}, []string{b}, true},
		{"in another order", []string{a, "allocate w1"}, []string{"allocate w1", a}, true},
		{"q1 for q2", []string{"destroy q1"}, []string{"destroy q2"}, true},
		{"through either queue pair", []string{a, "allocate w1", "bind w1 to the second page of A, RR, on q1"},
			[]string{a, "allocate w1", "bind w1 to the second page of A, RR, on q2"}, true},
		{"other rights", []string{a}, []string{"register A, LW|RW|RR|RA|MW_BIND"}, false},
		{"other windows", []string{"allocate w1"}, []string{"allocate w2"}, false},
		{"a dead key", nil, []string{a, "deregister A"}, false},
		{"another's queue pair", []string{a, "allocate w2", "BIND_MW of w2 to the second page of A, RR, on q1", "destroy q1"},
			[]string{a, "allocate w2", "BIND_MW of w2 to the second page of A, RR, on q1", "destroy q2"}, false},
	} {
		if same := at(c.one...) == at(c.two...); same != c.same {
			t.Errorf("%s: one state is %v, want %v", c.what, same, c.same)
		}
	}
}

// Symmetric states lead on to the same number of states: a search that
// forgets the exchanges meets each as often as it has forms.
func TestExchangesLoseNothing(t *testing.T) {
	all := exchanges
	few := Search(Config{Depth: 3, Variant: tpt.SpecVariant()})
	exchanges = all[:1]
	many := Search(Config{Depth: 3, Variant: tpt.SpecVariant()})
	exchanges = all
	if few.Broken != nil || many.Broken != nil {
		t.Fatal(few.Broken, many.Broken)
	}
	if few.Sum.States >= many.Sum.States || few.Sum.States*uint64(len(all)) < many.Sum.States {
		t.Errorf("%d states, without exchanges %d", few.Sum.States, many.Sum.States)
	}
}

// A mark says all: states that have one mark lead by the same number of steps
// to states that have the same marks again. So what is passed over was seen.
func TestEqualMarksGoOnEqually(t *testing.T) {
	const length = 4
	type future struct {
		refused int
		marks   map[mark]int
	}
	known := map[mark]future{}
	s := &search{Config: Config{Variant: tpt.SpecVariant()}, root: newWorld(tpt.SpecVariant())}
	worlds := [length + 1]*world{0: s.root}
	for n := 1; n <= length; n++ {
		worlds[n] = newWorld(tpt.SpecVariant())
	}
	compared := 0
	var try func(n int) mark
	try = func(n int) mark {
		at, next := worlds[n], worlds[min(n+1, length)]
		m := s.scribe.mark(at)
		if n == length {
			return m
		}
		f := future{marks: map[mark]int{}}
		for i := range steps {
			var c tpt.Command
			if !steps[i].offer(at, &c) {
				continue
			}
			next.copyFrom(at)
			if !next.do(&steps[i], &c) {
				f.refused++
				continue
			}
			f.marks[try(n+1)]++
		}
		if g, old := known[m]; old {
			compared++
			if f.refused != g.refused || !maps.Equal(f.marks, g.marks) {
				t.Errorf("a state of %d steps goes on otherwise than another of the same mark", n)
			}
		}
		known[m] = f
		return m
	}
	try(0)
	if compared < 100 {
		t.Errorf("only %d states were compared", compared)
	}
}
