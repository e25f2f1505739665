package tpt

import (
	"testing"

	"hcasim/ib"
)

// A region can ask for a key of an index that was never given out; the others
// go round it.
func TestKeyAskedFor(t *testing.T) {
	b := &bench{Table: NewTable(DefaultLimits(), SpecVariant(), 1), t: t}
	pd := b.ok(Command{Op: AllocPD}).PD
	region := func(k ib.Key) Command {
		return Command{Op: RegMR, PD: pd, Key: k, VA: 0x1000, Length: 1, PageShift: 12, Pages: b.pages(1)}
	}
	first := b.ok(region(0))
	for _, k := range []ib.Key{0x12a11, 0x500, 0x12b00} {
		if r := b.ok(region(k)); r.Key != k || r.RKey != ib.RKey(k) {
			t.Errorf("asked for %#x, got key %#x and R_Key %#x", k, r.Key, r.RKey)
		}
	}
	if r := b.ok(Command{Op: AllocMR, PD: pd, MaxPages: 1, Key: 0x77707}); r.Key != 0x77707 {
		t.Errorf("a fast-register region got %#x", r.Key)
	}
	for _, want := range []ib.Index{2, 3, 4, 6, 7} {
		if r := b.ok(region(0)); r.Index != want {
			t.Errorf("the next index is %#x, not %#x", r.Index, want)
		}
	}
	for what, k := range map[string]ib.Key{"in use": 0x12a12, "the first": ib.Key(first.Index) << 8, "beyond the table": 0xffffff00} {
		if r := b.no(region(k), "ACC-14"); r.Errno != ib.ENOMEM {
			t.Errorf("%s: errno %v", what, r.Errno)
		}
	}
	b.ok(Command{Op: DeregMR, Index: 5})
	b.no(region(0x5aa), "ACC-14") // it is free, but others may hold keys of it
	if r := b.ok(region(0)); r.Key != 0x501 {
		t.Errorf("the freed index comes back as %#x", r.Key)
	}
}
