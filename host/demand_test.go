package host

import (
	"testing"

	"hcasim/ib"
	"hcasim/sim"
)

// TestDemandCosts: a region on demand pays for the look at its pages, and its
// end is that of a pinned one without the letting go. By default neither
// depends on the pages.
func TestDemandCosts(t *testing.T) {
	for _, c := range []struct {
		name        string
		page        uint8
		small, huge sim.Duration // pages
		set         bool
	}{
		{"small", Page4K, 1024, 0, true},
		{"huge", Page2M, 0, 2, true},
		{"by default", Page4K, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			b.buffer(benchVA, 4<<20, c.page, rw)
			cpu, device := &b.Params.CPU, b.device()
			if c.set {
				cpu.DemandPage, cpu.DemandHuge = 7*sim.Nanosecond, 900*sim.Nanosecond
				cpu.UnpinPage, cpu.UnpinHuge = cpu.DeregPage/4, cpu.DeregHuge/2
			}
			var mr MR
			_, took := b.region(&mr, benchVA, 4<<20, ib.LocalWrite|ib.OnDemand)
			if want := cpu.Trap + cpu.RegBase + c.small*cpu.DemandPage + c.huge*cpu.DemandHuge + device; took != want {
				t.Errorf("reg_mr: %v, want %v", took, want)
			}
			_, took = b.call(func(now sim.Time, then Then) { b.DeregMR(now, &mr, then) })
			want := cpu.Trap + cpu.DeregBase + c.small*(cpu.DeregPage-cpu.UnpinPage) + c.huge*(cpu.DeregHuge-cpu.UnpinHuge) + device
			if took != want {
				t.Errorf("dereg_mr: %v, want %v", took, want)
			}
		})
	}
}

// TestFirstTouchCosts: the first registration of pages that nobody touched
// pays a fault for each, the second does not.
func TestFirstTouchCosts(t *testing.T) {
	b := newBench(t, nil)
	if errno := b.proc.Map(Mapping{VA: benchVA, Length: 1 << 20, Page: Page4K, Prot: rw, Untouched: true}); errno != ib.OK {
		t.Fatal(errno)
	}
	cpu, device := &b.Params.CPU, b.device()
	cpu.Fault = 600 * sim.Nanosecond
	b.proc.Store(benchVA, []byte{1})
	for _, faults := range []sim.Duration{3, 0} {
		var mr MR
		_, took := b.region(&mr, benchVA, 4*4096, ib.LocalWrite)
		if want := cpu.Trap + cpu.RegBase + 4*cpu.RegPage + faults*cpu.Fault + device; took != want {
			t.Errorf("%v, want %v with %d faults", took, want, faults)
		}
	}
}
