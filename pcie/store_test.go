package pcie

import (
	"testing"

	"hcasim/sim"
)

func TestUnloadedStoreIsTheFormula(t *testing.T) {
	for _, n := range []sim.Bytes{4, 8, 64, 128, 256} {
		h, d := uneven()
		h.MMIO.Latency = 40_007
		w := newWorld(t, h, d)
		w.MMIO(7, 0x4000, 99, n)
		w.finish()
		if len(w.stores) != 1 {
			t.Fatalf("%v: the device saw %d stores", n, len(w.stores))
		}
		s := w.stores[0]
		if got, want := s.at.Sub(7), w.Link().UnloadedStore(n); got != want || s.addr != 0x4000 || s.value != 99 {
			t.Errorf("%v: %d to %#x after %v, formula says %v", n, s.value, s.addr, got, want)
		}
	}
}

// Stores arrive in order, no faster than their gap, whatever their kind.
func TestStoresKeepOrderAndGap(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	w := newWorld(t, h, d)
	kinds := []sim.Bytes{8, 64, 256, 8, 8, 64}
	for i, n := range kinds {
		w.MMIO(0, 0x4000, uint32(i), n)
	}
	free := sim.Duration(0)
	for _, n := range kinds {
		if n > 8 {
			free += sim.Duration(n/64) * h.MMIO.WCLineGap
		} else {
			free += h.MMIO.UCStoreGap
		}
	}
	if got := w.Bus.stores.free; got != sim.Time(free) {
		t.Errorf("the store path is free at %v, want %v", got, free)
	}
	w.finish()
	for i, s := range w.stores {
		if s.value != uint32(i) {
			t.Errorf("store %d arrived as number %d", s.value, i)
		}
	}
	if len(w.stores) != len(kinds) {
		t.Errorf("%d of %d stores arrived", len(w.stores), len(kinds))
	}
}

// P7: stores wait for the endpoint's credits, and a completion does not pass them.
func TestStoresWaitForCredits(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	h.MMIO.WCLineGap = 0
	d.PostedHeaders, d.CreditReturn, d.ReadOverhead = 1, sim.Microsecond, 0
	w, c := newWorld(t, h, d), &note{}
	w.Read(0, Request{Addr: 1 << 33, Len: 64, Client: w.Client("c", c)})
	for i := range uint32(4) {
		w.MMIO(0, 0x4000, i, 64)
	}
	w.finish()
	for i := 1; i < 4; i++ {
		trip := w.link.Time(88) + h.Propagation + d.CreditReturn
		if got := w.stores[i].at.Sub(w.stores[i-1].at); got != trip {
			t.Errorf("store %d came %v after the one before, want %v", i, got, trip)
		}
	}
	if c.done[0].at <= w.stores[3].at {
		t.Errorf("completion at %v passed a store that arrived at %v", c.done[0].at, w.stores[3].at)
	}
}

// V02: link bytes of posting n work requests of size bytes, as counted by Kalia
// et al., "Design Guidelines for High Performance RDMA Systems" (ATC 2016): by
// MMIO n*lines*90; by doorbell 34 + n*S + 22*ceil(n*S/128).
func TestPostingBytes(t *testing.T) {
	const n, size = 10, 65
	h, d := DefaultHostParams(), DefaultDeviceParams()
	h.TLPExtra, h.RCB, h.Cut = 2, 128, CutRCB
	count := func(w *world) *sim.Bytes {
		bytes := new(sim.Bytes)
		w.Taps.TLPs.Watch(func(tlp TLP) {
			switch tlp.Kind {
			case MMIO:
				*bytes += sim.Bytes(tlp.Len + w.link.RequestBytes(tlp.Addr))
			case CplD:
				*bytes += sim.Bytes(tlp.Len + w.link.CompletionBytes())
			case MRd, MWr, Cpl:
			}
		})
		return bytes
	}
	w := newWorld(t, h, d)
	bytes := count(w)
	for range n {
		w.MMIO(0, 0x4000, 0, size)
	}
	w.finish()
	if *bytes != 1800 {
		t.Errorf("by MMIO %d bytes, published 1800", *bytes)
	}
	w = newWorld(t, h, d)
	bytes = count(w)
	w.MMIO(0, 0x4000, 0, 8)
	w.Read(0, Request{Addr: 1 << 33, Len: n * 128, Client: w.Client("wqe", &note{})})
	w.finish()
	if *bytes != 1534 {
		t.Errorf("by doorbell %d bytes, published 1534", *bytes)
	}
}
