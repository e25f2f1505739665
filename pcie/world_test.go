package pcie

import (
	"testing"

	"hcasim/sim"

	"pgregory.net/rapid"
)

// world is a bus between a memory and a device that only note what they see.
type world struct {
	*sim.Engine
	*Bus
	t      rapid.TB
	access func(now sim.Time, addr uint64, n uint32, write bool) (sim.Time, bool)
	stores []stored
}

type stored struct {
	at    sim.Time
	addr  uint64
	value uint32
}

func (w *world) Access(now sim.Time, addr uint64, n uint32, write bool) (sim.Time, bool) {
	if n == 0 || addr>>12 != (addr+uint64(n)-1)>>12 {
		w.t.Fatalf("access of %d bytes at %#x crosses a page", n, addr)
	}
	if w.access == nil {
		return now, true
	}
	return w.access(now, addr, n, write)
}

// deviceEnd keeps the device's method off the world, whose Bus has one too.
type deviceEnd struct{ w *world }

func (d deviceEnd) MMIO(now sim.Time, addr uint64, value uint32) {
	d.w.stores = append(d.w.stores, stored{now, addr, value})
}

func newWorld(t testing.TB, h HostParams, d DeviceParams) *world {
	t.Helper()
	if _, err := Train(h, d); err != nil {
		t.Fatal(err)
	}
	w := &world{Engine: sim.NewEngine(), t: t}
	w.Bus = New(w.Engine, "pcie", h, d, w, deviceEnd{w})
	return w
}

// finish runs to the end and holds the bus to ending empty.
func (w *world) finish() {
	w.t.Helper()
	if !w.Run(never) {
		w.t.Fatal("the run did not end")
	}
	for _, line := range w.Waiting() {
		w.t.Error("not empty at the end: ", line)
	}
}

// note is a client that writes down what it is told.
type note struct {
	served []part
	done   []ended
	onDone func(now sim.Time, handle uint32)
}

type part struct {
	at                sim.Time
	handle, offset, n uint32
}

type ended struct {
	at     sim.Time
	handle uint32
	ok     bool
}

func (c *note) Served(now sim.Time, handle, offset, n uint32) {
	c.served = append(c.served, part{now, handle, offset, n})
}

func (c *note) Done(now sim.Time, handle uint32, ok bool) {
	c.done = append(c.done, ended{now, handle, ok})
	if c.onDone != nil {
		c.onDone(now, handle)
	}
}
