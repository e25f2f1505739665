package pcie_test

import (
	"fmt"

	"hcasim/pcie"
	"hcasim/sim"
)

// cache answers every access within 50 ns.
type cache struct{}

func (cache) Access(now sim.Time, _ uint64, _ uint32, _ bool) (sim.Time, bool) {
	return now.Add(50 * sim.Nanosecond), true
}

// nic is the device, and its only client.
type nic struct{}

func (nic) MMIO(now sim.Time, addr uint64, value uint32) {
	fmt.Printf("%v: doorbell %d\n", now, value)
}

func (nic) Served(now sim.Time, handle, offset, n uint32) {
	fmt.Printf("%v: host served bytes %d to %d\n", now, offset, offset+n-1)
}

func (nic) Done(now sim.Time, handle uint32, ok bool) {
	fmt.Printf("%v: done\n", now)
}

// A doorbell, and a read of 64 bytes across a page boundary.
func Example() {
	e := sim.NewEngine()
	host, device := pcie.DefaultHostParams(), pcie.DefaultDeviceParams()
	bus := pcie.New(e, "pcie", host, device, cache{}, nic{})
	client := bus.Client("nic", nic{})
	bus.MMIO(0, 0x1000, 7, 8)
	bus.Read(0, pcie.Request{Addr: 0xfe0, Len: 64, Client: client})
	e.Run(sim.Time(sim.Second))
	fmt.Println("idle:", bus.Idle())
	// Output:
	// 101.016ns: doorbell 7
	// 300.762ns: host served bytes 0 to 31
	// 301.524ns: host served bytes 32 to 63
	// 504.063ns: done
	// idle: true
}
