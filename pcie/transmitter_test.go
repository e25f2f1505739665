package pcie

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hcasim/sim"
)

// upward collects the passages of TLPs to the root complex.
func (w *world) upward() *[]TLP {
	hops := new([]TLP)
	w.Taps.Up.Watch(func(tlp *TLP) { *hops = append(*hops, *tlp) })
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
		kinds.WriteString(hop.Kind.String()[1:2])
	}
	// Some reads leave before the first write is asked for.
	if got := strings.TrimLeft(kinds.String(), "R"); !strings.HasPrefix(got, "WRWRW") {
		t.Errorf("turns %s", kinds.String())
	}
}

// No TLP goes sooner than the gap after the one before of its kind.
func TestGap(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	d.Gap, d.WriteGap = 15_800, 21_100
	h.Generation, h.Lanes = 3, 8
	w := newWorld(t, h, d)
	hops := w.upward()
	r := Request{Addr: a, Len: 512, Client: w.Client("c", &note{})}
	for range 4 {
		w.Read(0, r)
	}
	for range 4 {
		w.Write(0, r)
	}
	w.finish()
	var last [2]*TLP
	for i, hop := range *hops {
		kind := hop.Kind
		if before := last[kind]; before != nil {
			due := before.Entered.Add(map[Kind]sim.Duration{MRd: d.Gap, MWr: d.WriteGap}[kind])
			if hop.Sent < due || hop.Sent > due.Add(w.link.Time(d.Egress)) {
				t.Errorf("%v left at %v, the gap ended at %v", kind, hop.Sent, due)
			}
		}
		last[kind] = &(*hops)[i]
	}
	if len(*hops) != 12 {
		t.Errorf("%d TLPs", len(*hops))
	}
}

// Small TLPs take the gap, large ones the link: n bytes cost the sum.
func TestGapBoundRate(t *testing.T) {
	h, d := ideal(3, 8, 256, 512, CutMPS)
	d.WriteGap = 20_000
	l, _ := Train(h, d)
	for n, trip := range map[uint32]sim.Duration{
		8:   d.WriteGap,
		256: l.WriteTime(256),
		257: l.WriteTime(256) + d.WriteGap,
	} {
		got, want := saturate(t, h, d, n, false, true)[0], float64(n)*8000/float64(trip)
		if math.Abs(got/want-1) > 0.001 {
			t.Errorf("%d B: %.3f Gb/s, want %.3f", n, got, want)
		}
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
		if bound := sim.Time(w.link.Time(d.Egress + 2*24)); hop.Kind == MWr && hop.Entered > bound {
			t.Errorf("the write had the link at %v, want at most %v", hop.Entered, bound)
		}
	}
	if got := (*hops)[len(*hops)-1]; got.Kind != MRd {
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

// A class whose first read waits for writes lets another class go.
func TestOrderHoldsItsClassOnly(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	d.Tags, d.WriteOverhead = 1, 100*sim.Microsecond
	w, c := newWorld(t, h, d), &note{}
	r := Request{Addr: a, Len: 64, Class: Payload, Client: w.Client("c", c)}
	w.Read(0, r)
	r.Handle = 1
	w.Read(0, r) // waits for the tag
	r.Handle = 2
	w.Write(0, r)
	r.Class, r.Handle = Fetch, 3
	w.Read(0, r) // waits for the write, and has the next turn
	w.finish()
	if got := c.done[1]; got.handle != 1 || got.at > sim.Time(2*w.link.UnloadedRead(64)) {
		t.Errorf("second done is %d at %v", got.handle, got.at)
	}
}

// What goes past the DMA engines pays none of their overheads and keeps no gap,
// and what does not is none the worse for it.
func TestDirect(t *testing.T) {
	h, d := uneven()
	d.Gap, d.WriteGap = 50_000, 70_000
	bare := d
	bare.ReadOverhead, bare.ReadPerByte, bare.WriteOverhead, bare.WritePerByte, bare.Gap, bare.WriteGap = 0, 0, 0, 0, 0, 0
	want := func(issue func(w *world, r Request)) []ended {
		w, c := newWorld(t, h, bare), &note{}
		issue(w, Request{Addr: a, Len: 1024, Client: w.Client("c", c)})
		w.finish()
		return c.done
	}
	for name, issue := range map[string]func(w *world, r Request){
		"reads":  func(w *world, r Request) { w.Read(0, r); w.Read(0, r); w.Read(0, r) },
		"writes": func(w *world, r Request) { w.Write(0, r); w.Write(0, r) },
	} {
		w, c := newWorld(t, h, d), &note{}
		issue(w, Request{Addr: a, Len: 1024, Client: w.Client("c", c), Direct: true})
		w.finish()
		if want := want(issue); !slices.Equal(c.done, want) {
			t.Errorf("%s: %v, by a device without overheads %v", name, c.done, want)
		}
	}
	w, c := newWorld(t, h, d), &note{}
	r := Request{Addr: a, Len: 64, Client: w.Client("c", c)}
	w.Read(0, r)
	r.Direct, r.Handle = true, 1
	w.Read(0, r)
	r.Direct, r.Handle = false, 2
	w.Read(0, r)
	w.finish()
	if apart := c.done[2].at.Sub(c.done[1].at); c.done[0].handle != 1 || c.done[1].handle != 0 || apart != d.Gap {
		t.Errorf("%v: two reads through the engine are %v apart", c.done, apart)
	}
}
