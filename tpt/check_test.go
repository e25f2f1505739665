package tpt

import (
	"fmt"
	"testing"

	"hcasim/ib"
)

// granted is an access through k that every rule allows, and the entry that
// allows it.
func granted(k Kind) (Entry, Access) {
	e := Entry{
		Kind: k, State: Valid, KeyByte: 0x5a, PageShift: 12, PD: 3, Pages: 2,
		Rights: ib.LocalWrite | ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic,
		Start:  0x200000, Length: 8192,
	}
	a := Access{
		Key: ib.MakeKey(7, 0x5a), PD: 3, QPN: 17, Need: ib.RemoteWrite, Remote: true,
		Judge: Range{0x200040, 64}, Move: Range{0x200040, 64},
	}
	if k.IsWindow() {
		e.Rights &^= ib.LocalWrite
		e.Region = 6
	}
	if k.Type2() {
		e.QPN = 17
	}
	return e, a
}

var allKinds = []Kind{Region, Shared, FastReg, Window1, Window2A, Window2B}

// A breach breaks one rule and leaves the others whole. It reports whether it
// can break anything for that kind of entry.
type breach struct {
	fault Fault
	by    func(e *Entry, a *Access) bool
}

var breaches = []breach{
	{BadIndex, func(e *Entry, a *Access) bool { e.State = Absent; return true }},
	{BadIndex, func(e *Entry, a *Access) bool { // KEY-11
		a.Remote, a.Need = false, 0
		return e.Kind.IsWindow()
	}},
	{BadKey, func(e *Entry, a *Access) bool { a.Key = a.Key.Next(); return true }},
	{BadKey, func(e *Entry, a *Access) bool { e.KeyByte ^= 0x80; return true }},
	{NotValid, func(e *Entry, a *Access) bool { e.State = Free; return true }},
	{NotValid, func(e *Entry, a *Access) bool { e.State = Unusable; return true }},
	{PDMismatch, func(e *Entry, a *Access) bool { a.PD++; return e.Kind != Window2A }},
	{QPMismatch, func(e *Entry, a *Access) bool { a.QPN++; return e.Kind == Window2A || e.Kind == Window2B }},
	{NoRight, func(e *Entry, a *Access) bool { e.Rights &^= a.Need; return a.Need != 0 }},
	{OutOfRange, func(e *Entry, a *Access) bool { a.Judge.VA = e.Start - 1; return true }},
	{OutOfRange, func(e *Entry, a *Access) bool { a.Judge.VA = e.Start + e.Length - a.Judge.Length + 1; return true }},
	{OutOfRange, func(e *Entry, a *Access) bool { a.Judge.Length = ^uint64(0); return true }},
}

// 3.1 and 3.2 step 9: each rule alone breaks exactly its fault.
func TestCheckEachRuleAlone(t *testing.T) {
	for _, k := range allKinds {
		e, a := granted(k)
		if f := Check(e, a); f != OK {
			t.Fatalf("%v: the access that breaks nothing is refused: %v", k, f)
		}
		for n, b := range breaches {
			e, a := granted(k)
			if !b.by(&e, &a) {
				continue
			}
			if f := Check(e, a); f != b.fault {
				t.Errorf("%v: breach %d: %v, want %v", k, n, f, b.fault)
			}
		}
	}
}

// An access that breaks two rules reports the first in order.
func TestCheckPrecedence(t *testing.T) {
	for _, k := range allKinds {
		for i, first := range breaches {
			for j, second := range breaches {
				if first.fault >= second.fault {
					continue
				}
				e, a := granted(k)
				if !second.by(&e, &a) || !first.by(&e, &a) {
					continue
				}
				if f := Check(e, a); f != first.fault {
					t.Errorf("%v: breaches %d and %d: %v, want %v", k, i, j, f, first.fault)
				}
			}
		}
	}
}

// C9-88, REM-4: of a message of no bytes the key is not looked at; an atomic
// is never of no bytes.
func TestCheckZeroLength(t *testing.T) {
	for _, k := range allKinds {
		for n, b := range breaches {
			e, a := granted(k)
			if !b.by(&e, &a) {
				continue
			}
			a.Judge.Length = 0
			if f := Check(e, a); f != OK {
				t.Errorf("%v: breach %d of no bytes: %v, want ok", k, n, f)
			}
		}
		e, a := granted(k)
		a.Need, a.Judge = ib.RemoteAtomic, Range{e.Start + e.Length - 7, 0}
		if f := Check(e, a); f != OutOfRange { // REM-16
			t.Errorf("%v: an atomic over the end that says 0 bytes: %v, want out-of-range", k, f)
		}
		a.Judge.VA--
		if f := Check(e, a); f != OK {
			t.Errorf("%v: an atomic on the last 8 bytes: %v", k, f)
		}
	}
	if f := Check(Entry{}, Access{Remote: true}); f != OK {
		t.Errorf("no entry, no bytes: %v", f)
	}
}

// MR-3: local read needs no right. 2.3: what each operation needs.
func TestCheckRights(t *testing.T) {
	all := []ib.AccessFlags{ib.LocalWrite, ib.RemoteWrite, ib.RemoteRead, ib.RemoteAtomic}
	for set := range 16 {
		var rights ib.AccessFlags
		for n, r := range all {
			if set>>n&1 != 0 {
				rights |= r
			}
		}
		e, a := granted(Region)
		e.Rights = rights | ib.MWBind | ib.RelaxedOrdering
		a.Remote, a.Need = false, 0
		if f := Check(e, a); f != OK {
			t.Errorf("rights %x: local read: %v", rights, f)
		}
		for _, need := range all { // ACC-3, ACC-4: none implies another
			a.Need, a.Remote = need, need != ib.LocalWrite
			want := NoRight
			if rights&need != 0 {
				want = OK
			}
			if f := Check(e, a); f != want {
				t.Errorf("rights %x, need %x: %v, want %v", rights, need, f, want)
			}
		}
	}
}

// REM-11, REM-12: the last byte is legal, one beyond either end is not, and
// nothing wraps.
func TestCheckEdges(t *testing.T) {
	const top = ^uint64(0)
	for _, c := range []struct {
		start, length, va, n uint64
		want                 Fault
	}{
		{100, 50, 100, 50, OK},
		{100, 50, 149, 1, OK},
		{100, 50, 150, 1, OutOfRange},
		{100, 50, 99, 1, OutOfRange},
		{100, 50, 99, 2, OutOfRange},
		{100, 50, 100, 51, OutOfRange},
		{100, 50, 120, top, OutOfRange},
		{100, 50, 120, top - 119, OutOfRange},
		{100, 50, top - 7, 16, OutOfRange},
		{0, 8, 0, 8, OK},
		{0, 8, top, 1, OutOfRange},
		{0, 8, top, 2, OutOfRange},
		{top - 7, 8, top, 1, OK}, // an entry that ends with the address space
		{top - 7, 8, top, 2, OutOfRange},
		{top - 7, 8, top - 7, 8, OK},
		{top - 7, 8, 0, 1, OutOfRange},
		{0, 0, 0, 1, OutOfRange},
		{0, top, top - 1, 1, OK},
		{0, top, top, 1, OutOfRange},
	} {
		e, a := granted(Region)
		e.Start, e.Length, a.Judge = c.start, c.length, Range{c.va, c.n}
		if f := Check(e, a); f != c.want {
			t.Errorf("[%#x,+%#x) of [%#x,+%#x): %v, want %v", c.va, c.n, c.start, c.length, f, c.want)
		}
	}
}

// Every access of a small world against every entry of it, judged a second
// time by plain sentences.
func TestCheckExhaustive(t *testing.T) {
	entries, accesses := smallEntries(), smallAccesses()
	t.Logf("%d entries, %d accesses", len(entries), len(accesses))
	granted := 0
	for _, e := range entries {
		for _, a := range accesses {
			got, want := Check(e, a), plainVerdict(e, a)
			if got != want {
				t.Fatalf("Check(%+v, %+v) = %v, want %v", e, a, got, want)
			}
			if got == OK {
				granted++
			}
		}
	}
	if granted == 0 {
		t.Error("nothing in this world is granted")
	}
}

// plainVerdict is the order of 3.1 and 3.2 as sentences with names.
func plainVerdict(e Entry, a Access) Fault {
	window := map[Kind]bool{Window1: true, Window2A: true, Window2B: true}[e.Kind]
	atomic := a.Need == ib.RemoteAtomic
	length := a.Judge.Length
	if atomic && length < 8 {
		length = 8
	}
	sentences := []struct {
		f     Fault
		holds bool
	}{
		{BadIndex, e.State == Absent},
		{BadIndex, window && !a.Remote},
		{BadKey, uint32(a.Key)%256 != uint32(e.KeyByte)},
		{NotValid, e.State == Free || e.State == Unusable},
		{PDMismatch, e.Kind != Window2A && e.PD != a.PD},
		{QPMismatch, (e.Kind == Window2A || e.Kind == Window2B) && e.QPN != a.QPN},
		{NoRight, a.Need != 0 && e.Rights&a.Need == 0},
		{OutOfRange, a.Judge.VA < e.Start || a.Judge.VA+length > e.Start+e.Length}, // too small to wrap
	}
	if length == 0 {
		return OK
	}
	for _, s := range sentences {
		if s.holds {
			return s.f
		}
	}
	return OK
}

func smallEntries() (all []Entry) {
	for _, kind := range allKinds {
		for _, state := range []State{Absent, Free, Valid, Unusable} {
			for bits := range 32 {
				e := Entry{Kind: kind, State: state, KeyByte: uint8(bits & 1), PD: ib.PDN(1 + bits>>1&1), Start: 16, Length: 16}
				if kind.Type2() {
					e.QPN = ib.QPN(1 + bits>>2&1)
				} else if bits>>2&1 != 0 {
					e.Start = 0
				}
				e.Rights = []ib.AccessFlags{0, ib.RemoteRead, ib.RemoteWrite | ib.LocalWrite, ib.RemoteAtomic | ib.LocalWrite}[bits>>3]
				all = append(all, e)
			}
		}
	}
	return all
}

func smallAccesses() (all []Access) {
	for _, need := range []ib.AccessFlags{0, ib.LocalWrite, ib.RemoteRead, ib.RemoteWrite, ib.RemoteAtomic} {
		for bits := range 8 {
			for _, va := range []uint64{0, 15, 16, 24, 31, 32} {
				for _, n := range []uint64{0, 1, 8, 16, 17} {
					all = append(all, Access{
						Key: ib.MakeKey(5, uint8(bits&1)), PD: ib.PDN(1 + bits>>1&1), QPN: ib.QPN(1 + bits>>2&1),
						Need: need, Remote: need&remoteAccess != 0, Judge: Range{va, n},
					})
				}
			}
		}
	}
	return all
}

// Beside Check's verdict stands the rule that tells most.
func TestFaultRule(t *testing.T) {
	local := func(_ *Entry, a *Access) { a.Remote, a.Need = false, 0 }
	for _, c := range []struct {
		kind  Kind
		f     Fault
		rule  string
		alter func(e *Entry, a *Access)
	}{
		{Region, OK, "", nil},
		{Region, BadIndex, "KEY-1", func(e *Entry, _ *Access) { *e = Entry{} }},
		{Window1, BadIndex, "KEY-11", local},
		{Region, BadKey, "KEY-2", func(_ *Entry, a *Access) { a.Key++ }},
		{Window2B, NotValid, "MW-9", func(e *Entry, _ *Access) { e.State = Free }},
		{Window1, NotValid, "DER-1", func(e *Entry, _ *Access) { e.State = Unusable }},
		{FastReg, NotValid, "MR-4", func(e *Entry, _ *Access) { e.State = Free }},
		{Region, NotValid, "RER-7", func(e *Entry, _ *Access) { e.State = Unusable }},
		{Region, PDMismatch, "REM-13", func(_ *Entry, a *Access) { a.PD++ }},
		{Region, PDMismatch, "PD-2", func(e *Entry, a *Access) { local(e, a); a.PD++ }},
		{Window1, PDMismatch, "PD-2", func(_ *Entry, a *Access) { a.PD++ }},
		{Window2A, QPMismatch, "MW-11", func(_ *Entry, a *Access) { a.QPN++ }},
		{Window2B, NoRight, "BND-5", func(e *Entry, _ *Access) { e.Rights = 0 }},
		{Window2B, NoRight, "MW-5", func(e *Entry, _ *Access) { e.Rights = ib.RemoteRead }},
		{Region, NoRight, "MR-7", func(e *Entry, a *Access) { local(e, a); e.Rights, a.Need = 0, ib.LocalWrite }},
		{Region, NoRight, "KEY-10", func(e *Entry, _ *Access) { e.Rights = ib.LocalWrite }},
		{Region, NoRight, "ACC-3", func(e *Entry, _ *Access) { e.Rights = ib.RemoteRead }},
		{Region, NoRight, "ACC-4", func(e *Entry, a *Access) { e.Rights, a.Need = ib.RemoteRead, ib.RemoteAtomic }},
		{Region, OutOfRange, "REM-11", func(_ *Entry, a *Access) { a.Judge.VA = 0 }},
		{Region, OutOfRange, "MR-9", func(e *Entry, a *Access) { local(e, a); a.Judge.VA = 0 }},
		{Window1, OutOfRange, "MW-7", func(_ *Entry, a *Access) { a.Judge.VA = 0 }},
		{Window2B, OutOfRange, "MW-8", func(e *Entry, _ *Access) { e.Rights |= ib.ZeroBased; e.Start = 0 }},
		{Region, OutOfRange, "REM-12", func(_ *Entry, a *Access) { a.Judge.VA = ^uint64(0) - 8 }},
	} {
		e, a := granted(c.kind)
		if c.alter != nil {
			c.alter(&e, &a)
		}
		f := Check(e, a)
		if f != c.f || f.Rule(e, a) != c.rule {
			t.Errorf("%v: %v by %q, want %v by %q", c.kind, f, f.Rule(e, a), c.f, c.rule)
		}
	}
	e, a := granted(Region)
	if got := NoTranslation.Rule(e, a); got != "MR-2" {
		t.Errorf("no-translation by %q", got)
	}
}

// REM-12: for any numbers, the verdict on the range is that of arithmetic
// without a width.
func FuzzCheckRange(f *testing.F) {
	for _, s := range [][4]uint64{{0, 1, 0, 1}, {1 << 63, 1 << 63, 1<<64 - 1, 1}, {1<<64 - 8, 8, 1<<64 - 4, 8}, {5, 10, 4, 1<<64 - 1}} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, start, length, va, n uint64) {
		if n == 0 {
			return
		}
		length = min(length, -start-1) // entries do not wrap (ACC-11)
		if start == 0 {
			length = min(length, 1<<64-1)
		}
		e, a := granted(Region)
		e.Start, e.Length, a.Judge = start, length, Range{va, n}
		want := OutOfRange
		if wide(va).Cmp(wide(start)) >= 0 && sum(va, n).Cmp(sum(start, length)) <= 0 {
			want = OK
		}
		if got := Check(e, a); got != want {
			t.Errorf("[%#x,+%#x) of [%#x,+%#x): %v, want %v", va, n, start, length, got, want)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	e, a := granted(Window2B)
	for b.Loop() {
		if Check(e, a) != OK {
			b.Fatal("refused")
		}
	}
}

func ExampleCheck() {
	mr := Entry{
		Kind: Region, State: Valid, KeyByte: 0x2c, PD: 1,
		Rights: ib.LocalWrite | ib.RemoteWrite, Start: 0x1000, Length: 4096,
	}
	write := Access{
		Key: ib.MakeKey(9, 0x2c), PD: 1, QPN: 5, Remote: true, Need: ib.RemoteWrite,
		Judge: Range{VA: 0x1fc0, Length: 64},
	}
	fmt.Println(Check(mr, write))
	write.Judge.VA++
	fault := Check(mr, write)
	fmt.Println(fault, fault.Rule(mr, write))
	write.Need = ib.RemoteRead
	fault = Check(mr, write)
	fmt.Println(fault, fault.Rule(mr, write))
	// Output:
	// ok
	// out-of-range REM-11
	// no-right ACC-3
}
