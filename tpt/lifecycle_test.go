package tpt

import (
	"strings"
	"testing"

	"hcasim/ib"
)

// lives is every step that a life may take, kind by kind, as 1.2, 1.3, 4.1,
// 4.2 and 4.3 tell it. What is not written here must be refused.
var lives = map[Kind]string{
	Region: `absent reg-mr valid; valid rereg-mr valid; valid break unusable; valid set-pages valid
		valid dereg-mr absent; unusable dereg-mr absent`,
	Shared: `absent reg-shared valid; valid dereg-mr absent`,
	FastReg: `absent alloc-mr free; free fast-reg-mr valid; valid local-inv free; valid remote-inv free
		free local-inv free; free remote-inv free; free dereg-mr absent; valid dereg-mr absent`,
	Window1: `absent alloc-mw free; free bind-mw valid; valid bind-mw valid; unusable bind-mw valid
		free unbind free; valid unbind free; unusable unbind free; valid orphan unusable
		free dealloc-mw absent; valid dealloc-mw absent; unusable dealloc-mw absent`,
	Window2A: type2Life,
	Window2B: type2Life,
}

const type2Life = `absent alloc-mw free; free bind-mw valid; valid local-inv free; valid remote-inv free
	valid orphan unusable; unusable local-inv free; unusable remote-inv free
	free dealloc-mw absent; valid dealloc-mw absent; unusable dealloc-mw absent`

// Every (kind, state, op) is allowed or refused by name.
func TestNextExhaustive(t *testing.T) {
	steps := 0
	for k := NoKind; k <= Window2B; k++ {
		told := map[string]bool{}
		for _, s := range strings.FieldsFunc(lives[k], func(r rune) bool { return r == ';' || r == '\n' }) {
			told[strings.Join(strings.Fields(s), " ")] = true
		}
		for from := Absent; from <= Unusable; from++ {
			for op := NoOp; op < numOps; op++ {
				to, allowed := Next(k, from, op)
				step := strings.Join([]string{from.String(), op.String(), to.String()}, " ")
				switch {
				case allowed != told[step]:
					t.Errorf("%v: %s: allowed is %v", k, step, allowed)
				case !allowed && to != from:
					t.Errorf("%v: %s: refused, and yet it leads on", k, step)
				case allowed:
					steps++
				}
			}
		}
	}
	if steps != len(moves) {
		t.Errorf("%d steps are told, %d are in the table", steps, len(moves))
	}
}

// From every state that can be reached the object can be done away with.
func TestNextEveryLifeEnds(t *testing.T) {
	for _, k := range allKinds {
		end := DeallocMW
		if k.IsRegion() {
			end = DeregMR
		}
		reached := map[State]bool{Absent: true}
		for range moves {
			for _, m := range moves {
				if m.kind == k && reached[m.from] {
					reached[m.to] = true
				}
			}
		}
		for s := range reached {
			if to, allowed := Next(k, s, end); s != Absent && (!allowed || to != Absent) {
				t.Errorf("%v: no end from %v", k, s)
			}
		}
	}
}

// inState makes an object of kind k and brings it to state s; 0 if no such
// object exists.
func inState(b *bench, k Kind, s State) (i ib.Index) {
	switch k {
	case Region:
		i = b.reg(b.pd, allRights|ib.OnDemand, 0x600000, 4096).Index()
		if s == Unusable {
			b.Apply(&Command{Op: ReregMR, Index: i, Rereg: ib.ReregAccess, Access: lw, Fail: true})
		}
	case Shared:
		i = b.ok(Command{Op: RegShared, PD: b.pd, Index: b.mr.Index(), Access: lw}).Index
	case FastReg:
		i = b.ok(Command{Op: AllocMR, PD: b.pd, MaxPages: 2}).Index
		if s == Valid {
			b.ok(goodCommand(b, i, FastRegMR))
		}
	default:
		mw := ib.MWType(1)
		if k.Type2() {
			mw = 2
		}
		i = b.window(b.pd, mw)
		if s != Free {
			b.ok(goodCommand(b, i, BindMW))
		}
		if s == Unusable {
			b.ok(Command{Op: DeregMR, Index: b.mr.Index()})
			b.mr = b.reg(b.pd, allRights, 0x200000, 8192)
		}
	}
	if b.Entry(i).State != s {
		return 0
	}
	return i
}

// goodCommand is op on object i with nothing wrong but, perhaps, its kind and
// its state.
func goodCommand(b *bench, i ib.Index, op Op) Command {
	key := b.key(i)
	c := Command{Op: op, PD: b.pd, QPN: b.qp, Index: i, Key: key}
	switch op {
	case BindMW, Unbind:
		c = b.bind(i, rr, 0x200000, 64)
		if c.Op = BindMW; op == Unbind {
			c.Length = 0
		}
	case FastRegMR:
		c.Key, c.Access, c.VA, c.Length, c.PageShift, c.Pages = key.Next(), lw, 0x700000, 4096, 12, b.pages(1)
	case ReregMR, Break:
		c.Op, c.Rereg, c.Access, c.Fail = ReregMR, ib.ReregAccess, lw, op == Break
	case SetPages:
		c.VA, c.Pages = 0x600000, b.pages(1)
	case Orphan:
		c = Command{Op: DeregMR, Index: b.mr.Index()}
	}
	return c
}

// Apply walks Next: what it allows is done and leads where it says, the rest
// is refused, for every kind, state and operation.
func TestApplyWalksNext(t *testing.T) {
	v := SpecVariant()
	v.DeregBound = "orphan"
	for _, k := range allKinds {
		v.MW2Flavor = Window2B
		if k == Window2A {
			v.MW2Flavor = k
		}
		for _, s := range []State{Free, Valid, Unusable} {
			for _, op := range []Op{ReregMR, Break, SetPages, DeregMR, DeallocMW, BindMW, Unbind, FastRegMR, LocalInv, RemoteInv, Orphan} {
				b := newBench(t, v)
				i := inState(b, k, s)
				if i == 0 {
					continue
				}
				c := goodCommand(b, i, op)
				r := b.Apply(&c)
				to, allowed := Next(k, s, op)
				if op == Break && allowed {
					r.Errno = ib.OK // it is done, and the answer is an error all the same
				}
				if op != Orphan && r.Done() != allowed || b.Entry(i).State != to {
					t.Errorf("%v, %v, %v: done %v by %q, now %v; Next says %v, %v", k, s, op, r.Done(), r.Rule, b.Entry(i).State, to, allowed)
				}
			}
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for op := NoOp; op < numOps; op++ {
		if name := op.String(); name == "" || seen[name] {
			t.Errorf("operation %d is called %q", op, name)
		}
		seen[op.String()] = true
	}
	for _, s := range []interface{ String() string }{numOps, Kind(9), State(9)} {
		if name := s.String(); !strings.Contains(name, "(") {
			t.Errorf("%T beyond the last prints %q", s, name)
		}
	}
}
