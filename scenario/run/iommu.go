package run

import "hcasim/sim"

// watchIOMMU keeps what a host's IOMMU does not let through: one fault for a
// page, until the interrupt has told of it.
func (c *recorder) watchIOMMU(x *side) {
	page, until := uint64(0), sim.Time(0)
	x.host.Root.Refused = func(now sim.Time, addr uint64, _ uint32, _ bool) {
		if addr>>12 == page && now < until {
			return
		}
		page, until = addr>>12, now.Add(x.host.Params.CPU.Interrupt)
		c.events = append(c.events, event{at: now, side: x, iommu: true, addr: addr})
	}
}
