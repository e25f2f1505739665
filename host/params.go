package host

import (
	"hcasim/pcie"
	"hcasim/sim"
)

// Params are the host's numbers. The defaults are those of spec-ideal: round,
// easy to reason about.
type Params struct {
	PCIe   pcie.HostParams `yaml:"pcie" doc:"The host's end of the PCIe link."`
	Memory MemoryParams    `yaml:"memory" doc:"Memory and last-level cache."`
	IOMMU  IOMMUParams     `yaml:"iommu" doc:"Translation of the adapter's addresses."`
	CPU    CPUParams       `yaml:"cpu" doc:"What verbs cost the CPU."`
	Queue  QueueParams     `yaml:"queue" doc:"Sizes of queues that do not state their own."`
}

// CPUParams are the times that the CPU spends in verbs.
type CPUParams struct {
	Post          sim.Duration `yaml:"post" default:"50ns" min:"0ps" max:"1ms" doc:"Building one work request, its first SGE included, up to the doorbell's store."`
	PostNext      sim.Duration `yaml:"post_next" default:"50ns" min:"0ps" max:"1ms" doc:"The same for each further request of a list (at most 31 ns measured in batches of 16)."`
	PostSGE       sim.Duration `yaml:"post_sge" default:"5ns" min:"0ps" max:"1ms" doc:"Each further SGE."`
	Doorbell      sim.Duration `yaml:"doorbell" default:"0ps" min:"0ps" max:"1ms" doc:"How long the doorbell's store and its barriers keep the thread that posts, after the store has left (94 and 38 ns measured)."`
	InlineCopy    uint32       `yaml:"inline_copy" default:"0" min:"0" max:"1000000" unit:"ps/B" doc:"Copying inline data to the adapter, where the request goes with its doorbell; into a request in memory costs nothing."`
	Poll          sim.Duration `yaml:"poll" default:"50ns" min:"0ps" max:"1ms" doc:"From a completion being visible to ibv_poll_cq returning it; also between two completions."`
	Trap          sim.Duration `yaml:"trap" default:"1us" min:"0ps" max:"1s" doc:"Entering the kernel and leaving it, for verbs that do."`
	RegBase       sim.Duration `yaml:"reg_base" default:"12us" min:"0ps" max:"1s" doc:"Fixed driver work of a registration (16 us published for all that is fixed: trap, command and interrupt included)."`
	RegPage       sim.Duration `yaml:"reg_page" default:"250ns" min:"0ps" max:"1ms" doc:"Pinning one 4 KiB page and entering it into the table (0.25-0.375 us published)."`
	RegHuge       sim.Duration `yaml:"reg_huge" default:"5us" min:"0ps" max:"1ms" doc:"The same for a page of 2 MiB or more, whose pin still walks its small pages."`
	DeregBase     sim.Duration `yaml:"dereg_base" default:"10us" min:"0ps" max:"1s" doc:"Fixed driver work of a deregistration."`
	DeregPage     sim.Duration `yaml:"dereg_page" default:"100ns" min:"0ps" max:"1ms" doc:"Unpinning one 4 KiB page."`
	DeregHuge     sim.Duration `yaml:"dereg_huge" default:"2.5us" min:"0ps" max:"1ms" doc:"Unpinning one page of 2 MiB or more."`
	UnpinPage     sim.Duration `yaml:"unpin_page" default:"100ns" min:"0ps" max:"1ms" doc:"Of dereg_page, what lets the page itself go: a region on demand is spared it."`
	UnpinHuge     sim.Duration `yaml:"unpin_huge" default:"2.5us" min:"0ps" max:"1ms" doc:"Of dereg_huge, what lets the page itself go: a region on demand is spared it."`
	DemandPage    sim.Duration `yaml:"demand_page" default:"0ps" min:"0ps" max:"1ms" doc:"Looking up one 4 KiB page of a region on demand as it is registered."`
	DemandHuge    sim.Duration `yaml:"demand_huge" default:"0ps" min:"0ps" max:"1ms" doc:"The same for a page of 2 MiB or more (nearly what pinning takes, where measured)."`
	ReregPage     sim.Duration `yaml:"rereg_page" default:"250ns" min:"0ps" max:"1ms" doc:"Entering one 4 KiB page anew where a rereg leaves it pinned; it was taken out as by a deregistration."`
	ReregHuge     sim.Duration `yaml:"rereg_huge" default:"5us" min:"0ps" max:"1ms" doc:"The same for a page of 2 MiB or more."`
	Fault         sim.Duration `yaml:"fault" default:"0ps" min:"0ps" max:"1ms" doc:"First touch of a 4 KiB page that was never touched, by a verb that pins it or brings it in."`
	FaultHuge     sim.Duration `yaml:"fault_huge" default:"0ps" min:"0ps" max:"100ms" doc:"The same for 2 MiB of a page as large or larger, most of it clearing."`
	AllocMW       sim.Duration `yaml:"alloc_mw" default:"20us" min:"0ps" max:"1s" doc:"Driver work of allocating or freeing a window."`
	QueryQP       sim.Duration `yaml:"query_qp" default:"0ps" min:"0ps" max:"1s" doc:"What ibv_query_qp takes besides entering the kernel: a driver that asks the adapter waits for it (60 us published)."`
	QueueVerb     sim.Duration `yaml:"queue_verb" default:"20us" min:"0ps" max:"1s" doc:"Driver work of creating, changing or destroying a queue or domain."`
	Interrupt     sim.Duration `yaml:"interrupt" default:"2us" min:"0ps" max:"1s" doc:"From the answer to a command being visible to the driver going on."`
	PageFetch     sim.Duration `yaml:"page_fetch" default:"20us" min:"0ps" max:"1s" doc:"Bringing in one page from the swap store."`
	BlueFlame     Switch       `yaml:"blueflame" default:"off" enum:"off,on" doc:"Whether a single small request is written to the adapter with its doorbell instead of being fetched."`
	BlueFlameList sim.Bytes    `yaml:"blueflame_list" default:"0B" min:"0B" max:"8KiB" doc:"Longest list of requests that goes that way together; 0B: lists are fetched."`
	BlueFlameAt   sim.Bytes    `yaml:"blueflame_at" default:"256B" min:"64B" max:"1KiB" doc:"Longest request that goes that way."`
}

// QueueParams are the sizes of queues, in entries.
type QueueParams struct {
	Send      uint32    `yaml:"send" default:"128" min:"1" max:"65536" unit:"requests" doc:"Send queue depth, rounded up to a power of two."`
	Recv      uint32    `yaml:"recv" default:"128" min:"1" max:"65536" unit:"requests" doc:"Receive queue depth, rounded up to a power of two."`
	CQ        uint32    `yaml:"cq" default:"1024" min:"1" max:"4194304" unit:"completions" doc:"Completion queue depth, rounded up to a power of two."`
	MaxSGE    uint32    `yaml:"max_sge" default:"4" min:"1" max:"32" unit:"SGEs" doc:"Pieces that one request may have."`
	MaxInline sim.Bytes `yaml:"max_inline" default:"64B" min:"0B" max:"1KiB" doc:"Inline data that one request may have."`
}

// DefaultParams returns those of spec-ideal.
func DefaultParams() (p Params) {
	sim.SetDefaults(&p)
	return p
}
