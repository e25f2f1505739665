package mtp

import "hcasim/sim"

// Params are the timing of the pipeline, in cycles of the adapter's core
// clock. A device profile states them; the defaults are round numbers.
type Params struct {
	MPTLatency   sim.Cycles `yaml:"mpt_latency" default:"5" min:"1" max:"1000" doc:"From the key's arrival to its entry found and checked, on a hit."`
	MPTInterval  sim.Cycles `yaml:"mpt_interval" default:"1" min:"1" max:"1000" doc:"Between two keys entering the pipeline."`
	MTTLatency   sim.Cycles `yaml:"mtt_latency" default:"5" min:"1" max:"1000" doc:"From the checked entry to the pages found, on a hit."`
	Depth        uint32     `yaml:"depth" default:"16" min:"1" max:"4096" doc:"Accesses that each of the two stages holds before it stalls the one in front."`
	Miss         string     `yaml:"miss" default:"overlap" enum:"overlap,block" doc:"Whether accesses of other streams pass one that waits for a fill, or wait behind it."`
	Contexts     string     `yaml:"contexts" default:"overlap" enum:"overlap,receive,block" doc:"Whether the packet engine goes on with other queue pairs while a context is read from host memory; receive: what comes in waits for it, what goes out lets others pass; block: both wait."`
	Fills        uint32     `yaml:"fills" default:"32" min:"1" max:"256" doc:"DMA reads of table entries, and of contexts where context_fills is 0, under way at once."`
	ContextFills uint32     `yaml:"context_fills" default:"0" min:"0" max:"256" doc:"DMA reads of contexts under way at once, beside those of tables; 0: they share fills."`
	Arbiter      string     `yaml:"arbiter" default:"rr" enum:"rr,priority,weighted" doc:"How clients take turns at the entrance: one by one; placing before gathering before atomics; or as many in a row as hca.turns says."`
	ChangeCycles sim.Cycles `yaml:"change_cycles" default:"10" min:"1" max:"100000" doc:"Work of the table unit on one change, after the entries it needs are at hand."`
}

// CacheParams describe the on-chip cache of one kind.
type CacheParams struct {
	Entries   uint32       `yaml:"entries" default:"1024" min:"1" max:"16777216" doc:"Entries that the cache holds; a multiple of ways."`
	Ways      uint32       `yaml:"ways" default:"4" min:"1" max:"16777216" doc:"Entries per set; as many as there are entries makes it fully associative."`
	Replace   string       `yaml:"replace" default:"lru" enum:"lru,plru,random,direct" doc:"Which entry of a full set makes room; direct means one way whatever ways says."`
	Hash      bool         `yaml:"hash" default:"false" doc:"Whether the set is chosen by a hash of the index instead of its low bits."`
	Work      sim.Cycles   `yaml:"work" default:"0" min:"0" max:"100000" doc:"Work on an entry that was read from host memory, before it is of use."`
	Hold      sim.Interval `yaml:"hold" default:"0" min:"0" max:"100000" doc:"How long a miss of the first level that the second one holds keeps the packet engine from its next packet."`
	FetchHold sim.Interval `yaml:"fetch_hold" default:"0" min:"0" max:"100000" doc:"The same of a miss of both."`
	Refill    sim.Cycles   `yaml:"refill" default:"10" min:"1" max:"100000" doc:"From the second level to the first."`
	Far       FarParams    `yaml:"l1" doc:"Second level, beneath the first; what the first holds it holds too."`
}

// FarParams describe a second level.
type FarParams struct {
	Entries uint32 `yaml:"entries" default:"0" min:"0" max:"16777216" doc:"Entries that it holds; 0: there is none."`
	Ways    uint32 `yaml:"ways" default:"4" min:"1" max:"16777216" doc:"Entries per set."`
	Replace string `yaml:"replace" default:"lru" enum:"lru,plru,random,direct" doc:"Which entry of a full set makes room."`
	Hash    bool   `yaml:"hash" default:"false" doc:"Whether the set is chosen by a hash of the index instead of its low bits."`
}

// Caches are the on-chip caches that the pipeline owns.
type Caches struct {
	QPC        CacheParams `yaml:"qpc" doc:"Queue-pair contexts."`
	MPT        CacheParams `yaml:"mpt" doc:"Protection entries."`
	MTT        CacheParams `yaml:"mtt" doc:"Lines of eight translation entries."`
	Near       FarParams   `yaml:"l0" doc:"First level that all three share, in the place of their own; each needs a second level then."`
	Renew      bool        `yaml:"renew" default:"false" doc:"Whether an entry that a change made stays on chip as the change left it, instead of being dropped and fetched again."`
	Invalidate string      `yaml:"invalidate" default:"exact" enum:"exact,lazy,keep_fills" doc:"How copies follow a change: exact drops them and distrusts fills under way; lazy and keep_fills leave one of the two out, on purpose, to see the coherence watcher speak."`
}

// Layout says where the tables stand in host memory. Addresses are those
// that the adapter's DMA uses.
type Layout struct {
	MPT      uint64 // entry i at MPT + 64 i
	MTT      uint64 // entry i at MTT + 8 i
	QPC      uint64 // context of QP n at QPC + QPCBytes n
	QPCBytes uint32
}
