package tpt

import (
	"bytes"
	"testing"

	"hcasim/ib"
)

// Tables that were come to by different ways, and differ by names alone, are
// not equal but append the same state; any difference that counts is seen.
func TestState(t *testing.T) {
	make := func(commands ...Command) *Table {
		table := NewTable(DefaultLimits(), SpecVariant(), 1)
		for _, c := range append([]Command{{Op: AllocPD}, {Op: CreateQP, PD: 1, QPN: 1}}, commands...) {
			if r := table.Apply(&c); !r.Done() {
				t.Fatalf("%v: %+v", c.Op, r)
			}
		}
		return table
	}
	region := func(va, page uint64, access ib.AccessFlags) Command {
		return Command{Op: RegMR, PD: 1, VA: va, Length: 4096, PageShift: 12, Pages: []uint64{page}, Access: access}
	}
	window := Command{Op: AllocMW, PD: 1, MWType: ib.MWType2}
	state := func(u *Table, region, window ib.Index, base uint64) []byte {
		n := Names{Order: []ib.Index{region, window}, Place: []uint8{0, 1, 2}, Base: []uint64{0, 0, 0}, QP: []ib.QPN{0, 1}}
		n.Place[region], n.Place[window], n.Base[region] = 1, 2, base
		return u.AppendState(nil, &n)
	}
	one := make(region(0x1000, 0x5000, ib.RemoteRead), window)
	two := make(window, region(0x9000, 0x7000, ib.RemoteRead))
	if one.Equal(two) || !bytes.Equal(state(one, 1, 2, 0x1000), state(two, 2, 1, 0x9000)) {
		t.Error("another order and other pages make another state, or the same table")
	}
	other := make(region(0x1000, 0x5000, 0), window)
	if bytes.Equal(state(one, 1, 2, 0x1000), state(other, 1, 2, 0x1000)) {
		t.Error("other rights are not seen")
	}
	again := make(region(0x1000, 0x5000, ib.RemoteRead), window)
	if !one.Equal(again) {
		t.Error("the same commands make another table")
	}
	if r := again.Apply(&Command{Op: DeregMR, Index: 2}); r.Done() || !one.Equal(again) {
		t.Error("a refused command made another table")
	}
	again.Apply(&Command{Op: DeallocMW, Index: 2})
	if one.Equal(again) || len(again.Freed(nil)) != 1 || again.Freed(nil)[0] != 2 {
		t.Error("a window that is gone is not seen")
	}
}
