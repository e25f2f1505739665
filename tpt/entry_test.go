package tpt

import (
	"reflect"
	"testing"

	"hcasim/ib"
)

// Entries are the same when they are in every field, and not when one bit of one
// differs.
func TestSame(t *testing.T) {
	e, _ := granted(Window2B)
	e.MTT, e.Pages, e.Region, e.First = 3, 4, 5, 6
	f := e
	if !e.same(&f) {
		t.Error("a copy is another")
	}
	fields := reflect.ValueOf(&f).Elem()
	for i := range fields.NumField() {
		for bit := range fields.Field(i).Type().Bits() {
			was := fields.Field(i).Uint()
			fields.Field(i).SetUint(was ^ 1<<bit)
			if e.same(&f) || f.same(&e) {
				t.Errorf("bit %d of %s makes no difference", bit, fields.Type().Field(i).Name)
			}
			fields.Field(i).SetUint(was)
		}
	}
}

// A table knows what stands at an index, given out or not.
func TestTableIs(t *testing.T) {
	b := newBench(t, SpecVariant())
	i := b.mr.Index()
	e := b.Entry(i)
	if !b.Is(i, &e) || b.Is(i+1, &e) || b.Is(0, &e) || b.Is(1<<23, &e) {
		t.Error("an entry is the one at its index, and at no other")
	}
	for _, i := range []ib.Index{0, b.MaxEntry() + 1, 1<<24 - 1} {
		if !b.Is(i, &Entry{}) {
			t.Errorf("there is an entry at %d", i)
		}
	}
}
