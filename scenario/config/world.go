package config

import (
	"errors"
	"fmt"
	"strings"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// A World is the parameters of one side: an adapter, the host that it is in,
// and the cable. The two sides of a scenario have the same but for what
// hosts.NAME says.
type World struct {
	HCA  hca.Params  `yaml:"hca" doc:"The adapter."`
	Host host.Params `yaml:"host" doc:"The host around it: PCIe root, memory, IOMMU, CPU."`
	Wire wire.Params `yaml:"wire" doc:"The link between the two ports."`
}

// Check returns what is wrong between rooms that do not know each other, or
// where a room judges values when it is built.
func (w *World) Check() error {
	var wrong []error
	if _, err := pcie.Train(w.Host.PCIe, w.HCA.PCIe); err != nil {
		for _, e := range all(err) {
			wrong = append(wrong, errors.New(strings.TrimPrefix(e.Error(), "pcie: ")+" (host.pcie, hca.pcie)"))
		}
	}
	wrong = append(wrong, w.tables())
	near := w.HCA.Cache.Near
	if near.Entries > 0 {
		wrong = append(wrong, cacheShape("l0", near))
	}
	for _, c := range []struct {
		name   string
		params mtp.CacheParams
	}{{"qpc", w.HCA.Cache.QPC}, {"mpt", w.HCA.Cache.MPT}, {"mtt", w.HCA.Cache.MTT}} {
		p := &c.params
		wrong = append(wrong, cacheShape(c.name, mtp.FarParams{Entries: p.Entries, Ways: p.Ways, Replace: p.Replace, Hash: p.Hash}))
		switch {
		case p.Far.Entries > 0:
			wrong = append(wrong, cacheShape(c.name+".l1", p.Far))
		case near.Entries > 0:
			wrong = append(wrong, fmt.Errorf("hca.cache.%s.l1.entries: 0, but a first level that all share (hca.cache.l0) needs a second one beneath", c.name))
		}
	}
	return errors.Join(wrong...)
}

// tables checks that the host has memory for the adapter's tables.
func (w *World) tables() error {
	const frame = 1 << host.Page4K
	rooms, need := w.HCA.Rooms(), sim.Bytes(frame) // the first frame is nobody's
	for _, n := range [...]uint64{rooms.Commands, rooms.MPT, rooms.MTT, rooms.QPC, rooms.Events} {
		need += (sim.Bytes(n) + frame - 1) / frame * frame
	}
	if w.Host.Memory.Size >= need {
		return nil
	}
	return fmt.Errorf("host.memory.size: %v is too little, the adapter's tables take %v; hca.limit is how large they are", w.Host.Memory.Size, need)
}

// cacheShape checks the shape of one level.
func cacheShape(name string, p mtp.FarParams) error {
	c := tpt.CacheConfig{Entries: p.Entries, Ways: p.Ways, Replace: p.Replace, Hash: p.Hash}
	if c.Replace == "direct" {
		c.Ways = 1 // whatever the parameter says
	}
	if err := c.Check(); err != nil {
		return fmt.Errorf("hca.cache.%s.%w", name, err)
	}
	return nil
}
