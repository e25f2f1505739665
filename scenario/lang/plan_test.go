package lang

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"hcasim/ib"
)

// good reads a text that must be good.
func good(t *testing.T, text string, flags ...string) *File {
	t.Helper()
	src := []Source{{Name: "t.yaml", Data: []byte(text)}}
	for _, f := range flags {
		s, ok := SetFlag(f)
		if !ok {
			t.Fatalf("bad flag %q", f)
		}
		src = append(src, s)
	}
	f, problems := testLoader.Load(src...)
	if len(problems) > 0 {
		var b bytes.Buffer
		Print(&b, problems, src...)
		t.Fatal(b.String())
	}
	return f
}

// steps reads steps on the opening b0.
func steps(t *testing.T, ops string) []Step {
	t.Helper()
	return good(t, "version: 1\nkind: scenario\nuse: b0\nops:\n"+ops).Scenarios()[0].Ops
}

// TestReferencesComplete verifies L2 on every good file.
func TestReferencesComplete(t *testing.T) {
	for _, src := range files(t, "testdata/good/*.yaml") {
		f, problems := testLoader.Load(src)
		if f == nil {
			t.Fatal(problems)
		}
		for _, s := range f.Scenarios() {
			walkRefs(reflect.ValueOf([]any{*s.Setup, s.Ops, s.Expect}), s.Name, func(path string, r Ref) {
				if r.Given() && r.Name != None && (r.Host == "" || r.Kind == NoKind) {
					t.Errorf("%s: %q is not complete: %+v", path, r.Name, r)
				}
			})
		}
	}
}

func walkRefs(v reflect.Value, path string, f func(string, Ref)) {
	if r, ok := v.Interface().(Ref); ok {
		f(path, r)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Type() != nodeType {
			walkRefs(v.Elem(), path, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkRefs(v.Index(i), fmt.Sprintf("%s[%d]", path, i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Name != "Verbs" {
				walkRefs(v.Field(i), path+"."+field.Name, f)
			}
		}
	}
}

// TestDefaults: what is left out of a request is the first queue pair, the
// first region, the peer's first region, and the length of the set-up.
func TestDefaults(t *testing.T) {
	s := steps(t, "  - {on: A, wr_rdma_write: {}}\n")[0]
	p := s.Do.(*PostSend)
	w := p.WRs[0]
	got := fmt.Sprintf("%v %v %v %v %s", p.QP, w.SGE[0].MR, *w.SGE[0].Length, w.Remote.MR, w.Opcode.Value.Short())
	if want := "A.qA A.mA 64B B.mB RDMA_WRITE"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestShortForms: every wr_ verb is a post_send of its opcode.
func TestShortForms(t *testing.T) {
	for verb, opcode := range map[string]ib.WROpcode{
		"wr_rdma_write: {}": ib.WRRDMAWrite, "wr_rdma_write_imm: {imm: 1}": ib.WRRDMAWriteWithImm, "wr_rdma_read: {}": ib.WRRDMARead,
		"wr_send: {}": ib.WRSend, "wr_send_imm: {imm: 2}": ib.WRSendWithImm, "wr_send_inv: {invalidate: mB}": ib.WRSendWithInv,
		"wr_atomic_fetch_add: {add: 1}": ib.WRAtomicFetchAndAdd, "wr_atomic_cmp_swp: {compare: 1, swap: 2}": ib.WRAtomicCmpAndSwp,
		"wr_local_inv: {invalidate: mA}": ib.WRLocalInv,
	} {
		p, ok := steps(t, "  - {on: A, "+verb+"}\n")[0].Do.(*PostSend)
		if !ok || p.WRs[0].Opcode.Value != opcode {
			t.Errorf("%s is not %s", verb, opcode)
		}
	}
}

// TestExpectedLength: equals without a length looks at what the step moves.
func TestExpectedLength(t *testing.T) {
	s := steps(t, "  - {on: A, wr_rdma_write: {sge: [{mr: mA, length: 100}, {mr: mA, offset: 8128}]}, expect: {memory: {bufB: mA}}}\n")[0]
	if n := s.Expect.Memory[0].Length; n == nil || *n != 164 {
		t.Errorf("length %v, want 164: the second piece is the last 64 bytes", n)
	}
}

// TestActor: on may be left out where one host alone has what is named.
func TestActor(t *testing.T) {
	for ops, host := range map[string]string{
		"wr_rdma_write: {qp: qB}": "B", "dereg_mr: mA": "A", "dereg_mr: B.mB": "B", "store: {buf: bufB, data: 1}": "B",
		"wr_send: {sge: [mA]}": "A",
	} {
		if s := steps(t, "  - {"+ops+"}\n")[0]; s.On.Text != host {
			t.Errorf("%s acts on %q, want %s", ops, s.On.Text, host)
		}
	}
}

// TestNumbers: steps are numbered on through loops and parallels.
func TestNumbers(t *testing.T) {
	all := steps(t, `  - {wait: 1us}
  - {loop: {times: 3, var: i, ops: [{wait: "${i+1}us"}]}}
  - {parallel: [{wait: 1us}, [{wait: 1us}, {wait: 1us}]]}
  - {wait: 1us}
`)
	loop := all[1].Do.(*Loop)
	if len(loop.Rounds) != 3 || loop.Round(2)[0].Number != 5 || *loop.Round(2)[0].Do.(*Wait).Time != 3_000_000 {
		t.Errorf("third round: %+v", loop.Round(2)[0])
	}
	if last := all[3].Number; last != 10 {
		t.Errorf("last step is %d, want 10", last)
	}
}

// TestCasesStandAlone: a case's changes and names are its own.
func TestCasesStandAlone(t *testing.T) {
	f := good(t, `version: 1
kind: scenario
use: b0
vars: {n: 1}
ops: [{on: B, alloc_mw: {as: w, type: 2}}]
cases:
  - {name: a, ops: [{wait: "${n}us"}]}
  - {name: b, set: {hosts.B.mr.mB.access: [LOCAL_WRITE], vars.n: 2}, ops: [{on: B, dealloc_mw: w}, {wait: "${n}us"}]}
  - {name: c, set: {hosts.B.mr.mB: null, hosts.B.pd: [pB, pB2, pB3]}, ops: [{on: B, dealloc_mw: w}]}
`)
	s := f.Scenarios()
	access := func(i int) ib.AccessFlags {
		b, _ := s[i].Hosts.Get("B")
		m, found := b.MR.Get("mB")
		if !found {
			return 0
		}
		return m.Access
	}
	if access(0) == access(1) || access(1) != ib.LocalWrite || access(2) != 0 {
		t.Errorf("rights %v, %v, %v", access(0), access(1), access(2))
	}
	if one, two := *s[0].Ops[1].Do.(*Wait).Time, *s[1].Ops[2].Do.(*Wait).Time; one != 1_000_000 || two != 2_000_000 {
		t.Errorf("waits %v and %v", one, two)
	}
	if s[0].Setup != &f.Setup || s[1].Setup == &f.Setup || s[1].Name != "t/b" {
		t.Error("set-ups are shared wrongly")
	}
}

// TestFlags: a flag lies over the file; its mistakes carry its name.
func TestFlags(t *testing.T) {
	text := "version: 1\nkind: scenario\nhosts: {A: {}}\nvars: {n: 3}\nhca: {cache: {mpt: {entries: 4, ways: 2}}}\nops: [{wait: '${n}us'}]\n"
	f := good(t, text, "vars.n=5", "hca.cache.mpt.entries=64", "run.seed=9", "hosts.A.hca.clock=1GHz")
	if f.Run.Seed != 9 || *f.Scenarios()[0].Ops[0].Do.(*Wait).Time != 5_000_000 {
		t.Errorf("seed %d", f.Run.Seed)
	}
	if len(f.Config) != 2 || f.Config[1].Path != "hosts.A.hca" {
		t.Fatalf("config %v", f.Config)
	}
	entries := find(find(find(f.Config[0].Node, "cache"), "mpt"), "entries")
	if p := f.Position(entries); entries.Value != "64" || p.File != "--set hca.cache.mpt.entries" || p.Line >= 0 {
		t.Errorf("entries %s at %+v", entries.Value, p)
	}
	if p := f.Position(find(find(f.Config[0].Node, "cache"), "mpt")); p.File != "t.yaml" || p.Line != 5 {
		t.Errorf("mpt at %+v", p)
	}
}

// TestChecks: a caller's check sees whole scenarios, and its problems count.
func TestChecks(t *testing.T) {
	l := testLoader
	l.Checks = []func(*Scenario) []Problem{func(s *Scenario) []Problem {
		b, _ := s.Hosts.Get("B")
		m, _ := b.MR.Get("mB")
		return []Problem{{File: m.Pos.File, Line: m.Pos.Line, Column: m.Pos.Column, Message: "mB has more pages than hca.limit.mtt"}}
	}}
	src := Source{Name: "t.yaml", Data: []byte("version: 1\nkind: scenario\nuse: b0\nops: [{wait: 1us}]\n")}
	f, problems := l.Load(src)
	if f != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].File, "openings/b0") {
		t.Errorf("%v", problems)
	}
}

// TestCanonical: comments, sentences and the order of configuration do not
// enter; everything that can change a result does.
func TestCanonical(t *testing.T) {
	base := "version: 1\nkind: scenario\nname: x\nuse: b0\nhca: {a: 1, b: 2}\nops: [{on: A, wr_rdma_write: {}, expect: {wc: SUCCESS}}]\n"
	same := "# remark\nversion: 1\nkind: scenario\nname: x\nabout: a sentence\nuse: b0\nhca:\n  b: 2\n  a: 1\n" +
		"ops:\n  - {on: A, note: hear, post_send: {opcode: IBV_WR_RDMA_WRITE, length: 64}, expect: {wc: IBV_WC_SUCCESS}}\n"
	form := func(text string, flags ...string) string { return string(Canonical(good(t, text, flags...))) }
	want := form(base)
	if got := form(same); got != want {
		t.Errorf("differs:\n%s\n%s", want, got)
	}
	for _, flag := range []string{"run.seed=2", "hca.a=2", "hosts.A.qp.qA.mtu=256", "variant=rxe", "defaults.length=65", "profile=p", "hosts.B.mem.bufB.fill=1"} {
		if form(base, flag) == want {
			t.Errorf("%s changes nothing", flag)
		}
	}
}
