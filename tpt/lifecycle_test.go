package tpt

import (
	"strings"
	"testing"
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
