package config

import (
	"errors"
	"fmt"
	"strings"

	"hcasim/hca"
	"hcasim/host"
	"hcasim/mtp"
	"hcasim/pcie"
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
	for _, c := range []struct {
		name   string
		params mtp.CacheParams
	}{{"qpc", w.HCA.Cache.QPC}, {"mpt", w.HCA.Cache.MPT}, {"mtt", w.HCA.Cache.MTT}} {
		shape := tpt.CacheConfig{Entries: c.params.Entries, Ways: c.params.Ways, Replace: c.params.Replace, Hash: c.params.Hash}
		if shape.Replace == "direct" {
			shape.Ways = 1 // whatever the parameter says
		}
		if err := shape.Check(); err != nil {
			wrong = append(wrong, fmt.Errorf("hca.cache.%s.%w", c.name, err))
		}
	}
	return errors.Join(wrong...)
}
