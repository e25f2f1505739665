package pcie

import (
	"strings"
	"testing"

	"hcasim/sim"
)

// upward collects the passages of TLPs to the root complex.
func (w *world) upward() *[]sim.Hop[TLP] {
	hops := new([]sim.Hop[TLP])
	w.Taps.Up.Watch(func(h sim.Hop[TLP]) { *hops = append(*hops, h) })
	return hops
}

// Writes and reads that can all go take turns.
func TestTurns(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	d.Egress = 64 // so that the link decides one TLP at a time
	w := newWorld(t, h, d)
	hops := w.upward()
	r := Request{Addr: a, Len: 64, Client: w.Client("c", &note{})}
	for range 6 {
		w.Read(0, r)
	}
	for range 6 {
		w.Write(0, r)
	}
	w.finish()
	var kinds strings.Builder
	for _, hop := range *hops {
		kinds.WriteString(hop.Value.Kind.String()[1:2])
	}
	// Some reads leave before the first write is asked for.
	if got := strings.TrimLeft(kinds.String(), "R"); !strings.HasPrefix(got, "WRWRW") {
		t.Errorf("turns %s", kinds.String())
	}
}

// No request starts sooner than the gap after the one before; the TLPs of one
// request know no gap.
func TestGap(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	d.Gap = 15_800
	w := newWorld(t, h, d)
	hops := w.upward()
	r := Request{Addr: a, Len: 512, Client: w.Client("c", &note{})}
	for range 4 {
		w.Write(0, r)
		w.Read(0, r)
	}
	w.finish()
	starts := 0
	for _, hop := range *hops {
		if hop.Value.Addr != a {
			continue
		}
		if want := sim.Time(starts) * sim.Time(d.Gap); hop.Sent != want {
			t.Errorf("request %d left at %v, want %v", starts, hop.Sent, want)
		}
		starts++
	}
	if starts != 8 {
		t.Errorf("%d requests left", starts)
	}
}

// A write that comes behind many reads waits for no more of them than the link
// was booked ahead.
func TestEgressBoundsTheWait(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	w := newWorld(t, h, d)
	hops := w.upward()
	r := Request{Addr: a, Len: 64, Client: w.Client("c", &note{})}
	for range 200 {
		w.Read(0, r)
	}
	w.Write(0, r)
	w.finish()
	for _, hop := range *hops {
		if bound := sim.Time(w.link.Time(d.Egress + 2*24)); hop.Value.Kind == MWr && hop.Entered > bound {
			t.Errorf("the write had the link at %v, want at most %v", hop.Entered, bound)
		}
	}
	if got := (*hops)[len(*hops)-1]; got.Value.Kind != MRd {
		t.Error("the write came last")
	}
}

// A small write does not hurry a large one before it through the endpoint.
func TestWritesLeaveTheEndpointInOrder(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	d.WritePerByte = 100
	w, c := newWorld(t, h, d), &note{}
	r := Request{Addr: a, Len: 4096, Client: w.Client("c", c)}
	w.Write(0, r)
	r.Len = 8
	w.Write(0, r)
	w.finish()
	if got, want := c.done[0].at, sim.Time(w.link.UnloadedWrite(4096)); got != want {
		t.Errorf("the large write was done at %v, want %v", got, want)
	}
}

// One non-posted credit: a read leaves when the credit of the one before is back.
func TestNonPostedCreditBound(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	h.NonPostedHeaders = 1
	w := newWorld(t, h, d)
	hops := w.upward()
	r := Request{Addr: a, Len: 64, Client: w.Client("c", &note{})}
	for range 3 {
		w.Read(0, r)
	}
	w.finish()
	trip := sim.Time(w.link.Time(24) + h.Propagation + h.ReadLatency + h.CreditReturn)
	for i, hop := range *hops {
		if want := sim.Time(i) * trip; hop.Sent != want {
			t.Errorf("read %d left at %v, want %v", i, hop.Sent, want)
		}
	}
}
