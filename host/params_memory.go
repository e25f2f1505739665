package host

import (
	"errors"
	"fmt"

	"hcasim/sim"
)

// A Switch turns a part of the model on or off.
type Switch string

// The values of Switch.
const (
	Off Switch = "off"
	On  Switch = "on"
)

// MemoryParams are the numbers of a host's memory: host.memory in a profile.
type MemoryParams struct {
	Size       sim.Bytes `yaml:"size" default:"1TiB" min:"1MiB" max:"256TiB" doc:"Physical memory; what is not written costs the simulator nothing."`
	PinLimit   sim.Bytes `yaml:"pin_limit" default:"0B" min:"0B" max:"256TiB" doc:"Most bytes that one process may have pinned, as RLIMIT_MEMLOCK; 0: no limit."`
	Contiguous sim.Bytes `yaml:"contiguous" default:"0B" min:"0B" max:"256TiB" doc:"Longest physically contiguous run that a mapping of small pages gets; 0: as long as memory allows."`

	DRAM   sim.Duration `yaml:"dram" default:"100ns" min:"0ps" max:"1ms" doc:"Time from a read at the root complex to the data, from DRAM."`
	Commit sim.Duration `yaml:"commit" default:"30ns" min:"0ps" max:"1ms" doc:"Time from a write at the root complex to everybody seeing it."`
	Far    Switch       `yaml:"far" default:"off" enum:"off,on" doc:"Whether memory hangs on another socket than the adapter."`
	Socket sim.Duration `yaml:"socket" default:"100ns" min:"0ps" max:"1ms" doc:"What the way to another socket adds, if far (106 ns measured on Ivy Bridge)."`

	LLC      Switch       `yaml:"llc" default:"off" enum:"off,on" doc:"Whether the root complex has a last-level cache."`
	LLCHit   sim.Duration `yaml:"llc_hit" default:"30ns" min:"0ps" max:"1ms" doc:"Time from a read at the root complex to the data, from the last-level cache (67-80 ns less than DRAM)."`
	LLCSize  sim.Bytes    `yaml:"llc_size" default:"20MiB" min:"64KiB" max:"4GiB" doc:"Size of the last-level cache."`
	LLCWays  uint32       `yaml:"llc_ways" default:"20" min:"1" max:"64" doc:"Ways of the last-level cache." unit:"ways"`
	DDIOWays uint32       `yaml:"ddio_ways" default:"2" min:"0" max:"64" doc:"Ways in which a write of the adapter may allocate a line (DDIO); 0: it goes to DRAM." unit:"ways"`
}

// Check returns what is wrong with numbers that are each within their bounds
// but do not go together.
func (p *MemoryParams) Check() error {
	var wrong []error
	if p.Contiguous%frameBytes != 0 {
		wrong = append(wrong, fmt.Errorf("contiguous: %v is no multiple of 4KiB", p.Contiguous))
	}
	if p.DDIOWays > p.LLCWays {
		wrong = append(wrong, fmt.Errorf("ddio_ways: %d of a cache of %d ways", p.DDIOWays, p.LLCWays))
	}
	if set := uint64(p.LLCWays) * LineBytes; uint64(p.LLCSize)%set != 0 {
		wrong = append(wrong, fmt.Errorf("llc_size: %v is no multiple of %d ways of 64B", p.LLCSize, p.LLCWays))
	}
	return errors.Join(wrong...)
}

// DefaultMemoryParams returns the spec-ideal numbers.
func DefaultMemoryParams() MemoryParams {
	var p MemoryParams
	sim.SetDefaults(&p)
	return p
}

// IOMMUParams are the numbers of a host's IOMMU: host.iommu in a profile.
type IOMMUParams struct {
	IOMMU   Switch       `yaml:"mode" default:"off" enum:"off,on" doc:"Whether addresses of the adapter pass an IOMMU."`
	Entries uint32       `yaml:"entries" default:"128" min:"1" max:"16384" doc:"Translations that the IOTLB holds, replaced least recently used first (116-120 fitted on E5, 64 stated)." unit:"entries"`
	Page    sim.Bytes    `yaml:"page" default:"4KiB" min:"4KiB" max:"1GiB" doc:"Memory that one translation is for: 4KiB, 64KiB, 2MiB or 1GiB."`
	Hit     sim.Duration `yaml:"hit" default:"0ps" min:"0ps" max:"1ms" doc:"Time of a translation that the IOTLB holds."`
	Walk    sim.Duration `yaml:"walk" default:"300ns" min:"0ps" max:"1ms" doc:"Time of a page-table walk (229-288 ns fitted on E5, 330 ns stated)."`
	Walks   uint32       `yaml:"walks" default:"8" min:"1" max:"64" doc:"Walks in flight at once (5 fitted on E5)." unit:"walks"`
	InOrder Switch       `yaml:"in_order" default:"off" enum:"off,on" doc:"Whether translations leave in the order in which they were asked for, so that what the IOTLB holds waits for the walks before it."`
	Queue   uint32       `yaml:"queue" default:"0" min:"0" max:"1024" doc:"Accesses that are being translated at a time, if in_order: what the IOTLB holds takes a place too while it waits; 0: no limit." unit:"accesses"`
}

// Check returns what is wrong with numbers that are each within their bounds.
func (p *IOMMUParams) Check() error {
	switch uint64(p.Page) {
	case 1 << Page4K, 1 << Page64K, 1 << Page2M, 1 << Page1G:
		return nil
	}
	return fmt.Errorf("page: %v is none of 4KiB, 64KiB, 2MiB and 1GiB", p.Page)
}

// DefaultIOMMUParams returns the spec-ideal numbers.
func DefaultIOMMUParams() IOMMUParams {
	var p IOMMUParams
	sim.SetDefaults(&p)
	return p
}
