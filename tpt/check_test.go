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
