package pcie

import "hcasim/sim"

// A Bus is one link between a device and a root complex, with what stands at
// its two ends.
type Bus struct{}

// New builds the bus, or panics if the parameters cannot train (see Train).
func New(e *sim.Engine, name string, host HostParams, device DeviceParams, m Memory, d Device) *Bus {
	return &Bus{}
}

// Client adds one of the endpoint's units.
func (b *Bus) Client(name string, c Client) ClientID { return 0 }

// Read begins a DMA read. It never refuses.
func (b *Bus) Read(now sim.Time, r Request) {}

// Write begins a posted DMA write. It never refuses.
func (b *Bus) Write(now sim.Time, r Request) {}

// MMIO is a posted store of the CPU to the device, of n bytes: up to 8 uncached,
// more through write-combining lines of 64.
func (b *Bus) MMIO(now sim.Time, addr uint64, value uint32, n sim.Bytes) {}

// Idle reports whether nothing is under way.
func (b *Bus) Idle() bool { return true }

// Waiting says what is under way and what it waits for, a line each.
func (b *Bus) Waiting() []string { return nil }
