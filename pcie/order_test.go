package pcie

import (
	"fmt"
	"slices"
	"testing"

	"hcasim/sim"
)

// slow makes memory take the time that is given for an address.
func slow(by map[uint64]sim.Duration) func(sim.Time, uint64, uint32, bool) (sim.Time, bool) {
	return func(now sim.Time, addr uint64, _ uint32, _ bool) (sim.Time, bool) { return now.Add(by[addr]), true }
}

const (
	a = 0x10000
	b = 0x20000
	c = 0x30000
)

func (c *note) order() (handles []uint32) {
	for _, p := range c.served {
		handles = append(handles, p.handle)
	}
	return handles
}

// servedOrder issues requests at once, with handles 1, 2, …, and returns the
// order in which they were served.
func servedOrder(t *testing.T, d DeviceParams, h HostParams, by map[uint64]sim.Duration, issue func(w *world, r Request)) []uint32 {
	t.Helper()
	w, client := newWorld(t, h, d), &note{}
	w.access = slow(by)
	issue(w, Request{Client: w.Client("c", client), Len: 64})
	w.finish()
	return client.order()
}

// P3 and P4, case by case.
func TestOrder(t *testing.T) {
	const ns = sim.Nanosecond
	at := func(r Request, addr uint64, handle uint32) Request {
		r.Addr, r.Handle = addr, handle
		return r
	}
	relaxed := func(r Request) Request { r.Relaxed = true; return r }
	lateWrites := DefaultDeviceParams()
	lateWrites.WriteOverhead = 900 * ns
	start := DefaultHostParams()
	start.ReadOrder = OrderStart
	host, device := DefaultHostParams(), DefaultDeviceParams()
	for _, tc := range []struct {
		name  string
		d     DeviceParams
		h     HostParams
		slow  map[uint64]sim.Duration
		issue func(w *world, r Request)
		want  []uint32
	}{
		{"strict writes are committed in order", device, host, map[uint64]sim.Duration{a: 900 * ns},
			func(w *world, r Request) { w.Write(0, at(r, a, 1)); w.Write(0, at(r, b, 2)) }, []uint32{1, 2}},
		{"a relaxed write passes", device, host, map[uint64]sim.Duration{a: 900 * ns},
			func(w *world, r Request) { w.Write(0, at(r, a, 1)); w.Write(0, relaxed(at(r, b, 2))) }, []uint32{2, 1}},
		{"a strict write does not pass a relaxed one", device, host, map[uint64]sim.Duration{a: 900 * ns},
			func(w *world, r Request) { w.Write(0, relaxed(at(r, a, 1))); w.Write(0, at(r, b, 2)) }, []uint32{1, 2}},
		{"a read sees the write before it", device, host, map[uint64]sim.Duration{a: 900 * ns},
			func(w *world, r Request) { w.Write(0, at(r, a, 1)); w.Read(0, at(r, b, 2)) }, []uint32{1, 2}},
		{"a read sees it if it starts after it", device, start, map[uint64]sim.Duration{a: 900 * ns},
			func(w *world, r Request) { w.Write(0, at(r, a, 1)); w.Read(0, at(r, b, 2)) }, []uint32{1, 2}},
		{"a read does not pass a write still in the endpoint", lateWrites, host, nil,
			func(w *world, r Request) { w.Write(0, at(r, a, 1)); w.Read(0, at(r, b, 2)) }, []uint32{1, 2}},
		{"a write passes a read", device, host, map[uint64]sim.Duration{a: 900 * ns},
			func(w *world, r Request) { w.Read(0, at(r, a, 1)); w.Write(0, at(r, b, 2)) }, []uint32{2, 1}},
		{"a read passes a read", device, host, map[uint64]sim.Duration{a: 900 * ns},
			func(w *world, r Request) { w.Read(0, at(r, a, 1)); w.Read(0, at(r, b, 2)) }, []uint32{2, 1}},
		{"a read does not wait for a write behind it", device, host, map[uint64]sim.Duration{b: 900 * ns},
			func(w *world, r Request) { w.Read(0, at(r, a, 1)); w.Write(0, at(r, b, 2)) }, []uint32{1, 2}},
	} {
		if got := servedOrder(t, tc.d, tc.h, tc.slow, tc.issue); !slices.Equal(got, tc.want) {
			t.Errorf("%s: served %v, want %v", tc.name, got, tc.want)
		}
	}
}

// With start the access itself begins at the commit, with serve on arrival.
func TestReadOrder(t *testing.T) {
	for _, order := range []ReadOrder{OrderServe, OrderStart} {
		h, d := DefaultHostParams(), DefaultDeviceParams()
		h.ReadOrder = order
		w, client := newWorld(t, h, d), &note{}
		var began sim.Time
		w.access = func(now sim.Time, _ uint64, _ uint32, write bool) (sim.Time, bool) {
			if !write {
				began = now
			}
			return now, true
		}
		r := Request{Addr: a, Len: 64, Client: w.Client("c", client)}
		w.Write(0, r)
		w.Read(0, r)
		w.finish()
		l := w.Link()
		arrival := sim.Time(l.Time(88+24) + h.Propagation)
		if order == OrderStart {
			arrival = sim.Time(l.UnloadedWrite(64))
		}
		if began != arrival {
			t.Errorf("%s: the read's access began at %v, want %v", order, began, arrival)
		}
		if got := client.served[1].at; got != began.Add(h.ReadLatency) {
			t.Errorf("%s: served at %v", order, got)
		}
	}
}

// P5: writes never wait for reads that have no tag or no credit.
func TestPostedPassesBlockedReads(t *testing.T) {
	for name, few := range map[string]func(h *HostParams, d *DeviceParams){
		"tags":    func(_ *HostParams, d *DeviceParams) { d.Tags = 1 },
		"credits": func(h *HostParams, _ *DeviceParams) { h.NonPostedHeaders = 1 },
		"room":    func(_ *HostParams, d *DeviceParams) { d.CompletionHeaders, d.CompletionData = 17, 257 },
	} {
		h, d := DefaultHostParams(), DefaultDeviceParams()
		few(&h, &d)
		w, client := newWorld(t, h, d), &note{}
		w.access = slow(map[uint64]sim.Duration{a: sim.Millisecond})
		r := Request{Addr: a, Len: 4096, Client: w.Client("c", client)}
		w.Read(0, r)
		w.Read(0, r)
		r.Addr, r.Handle = b, 9
		w.Write(0, r)
		w.finish()
		if first := client.done[0]; first.handle != 9 || first.at > sim.Time(sim.Microsecond) {
			t.Errorf("%s: handle %d done first, at %v", name, first.handle, first.at)
		}
	}
}

// The arbiter's order between classes, of reads queued behind a single tag.
func TestArbiter(t *testing.T) {
	queued := []Class{Fetch, Fetch, Fetch, Payload, Payload, Payload, Answer, Answer}
	for by, want := range map[Arbitration]string{
		RoundRobin: "[fetch payload answer fetch payload answer fetch payload]",
		Priority:   "[fetch answer answer payload payload payload fetch fetch]", // the first went at once
		Weighted:   "[fetch payload payload answer fetch payload answer fetch]",
	} {
		h, d := DefaultHostParams(), DefaultDeviceParams()
		d.Tags, d.Arbiter, d.PayloadWeight = 1, by, 2
		w, client := newWorld(t, h, d), &note{}
		r := Request{Addr: a, Len: 64, Client: w.Client("c", client)}
		for _, class := range queued {
			r.Class, r.Handle = class, uint32(class)
			w.Read(0, r)
		}
		w.finish()
		var got []Class
		for _, handle := range client.order() {
			got = append(got, Class(handle))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %v", by, got, want)
		}
	}
}

// P1: a refused part is not served, and spoils the request.
func TestRefused(t *testing.T) {
	w, client := newWorld(t, DefaultHostParams(), DefaultDeviceParams()), &note{}
	w.access = func(now sim.Time, addr uint64, _ uint32, _ bool) (sim.Time, bool) { return now, addr>>12 != a>>12 }
	r := Request{Addr: a - 64, Len: 128, Client: w.Client("c", client)}
	w.Read(0, r)
	w.finish()
	r.Handle = 1
	w.Write(w.Now(), r)
	w.finish()
	for i := range uint32(2) {
		if p := client.served[i]; p.handle != i || p.offset != 0 || p.n != 64 {
			t.Errorf("served %+v", p)
		}
		if e := client.done[i]; e.handle != i || e.ok {
			t.Errorf("done %+v", e)
		}
	}
	if len(client.served) != 2 || len(client.done) != 2 {
		t.Errorf("%d served, %d done", len(client.served), len(client.done))
	}
}

// A fault injected on purpose refuses the TLP it names, and nothing else.
func TestSpoil(t *testing.T) {
	for _, order := range []ReadOrder{OrderServe, OrderStart} {
		h, d := DefaultHostParams(), DefaultDeviceParams()
		h.ReadOrder = order
		w, client := newWorld(t, h, d), &note{}
		seen := 0
		w.Spoil = func(now sim.Time, tlp TLP) bool {
			seen++
			return seen%2 == 0
		}
		r := Request{Addr: a, Len: 64, Client: w.Client("c", client)}
		for i := range uint32(2) {
			r.Handle = i
			w.Write(0, r)
			w.Read(0, r)
		}
		w.finish()
		if len(client.served) != 2 || seen != 4 {
			t.Errorf("%s: %d of %d served", order, len(client.served), seen)
		}
		for i, e := range client.done { // both writes, then both reads
			if want := i < 2; e.ok != want {
				t.Errorf("%s: done %+v", order, e)
			}
		}
	}
}
