package pcie

import "hcasim/sim"

// A Cutting says where the root complex cuts the completions of a read.
type Cutting string

// An Alignment says where the endpoint cuts a request into TLPs.
type Alignment string

// An Arbitration says which of the waiting classes of reads goes next.
type Arbitration string

// A ReadOrder says what a read waits for at the root complex.
type ReadOrder string

// The values of Params.
const (
	CutMPS Cutting = "mps" // as large as MPS, ending on an RCB boundary
	CutRCB Cutting = "rcb" // at every RCB boundary

	Aligned Alignment = "aligned" // at multiples of MPS or MRRS
	Packed  Alignment = "packed"  // as large as MPS or MRRS; at 4 KiB boundaries only

	RoundRobin Arbitration = "rr"
	Priority   Arbitration = "priority"
	Weighted   Arbitration = "weighted"

	OrderServe ReadOrder = "serve" // fetched at once, served after the earlier writes
	OrderStart ReadOrder = "start" // fetched only after the earlier writes
)

// DeviceParams are the endpoint's numbers: hca.pcie in a profile.
type DeviceParams struct {
	Generation uint32    `yaml:"generation" default:"4" min:"1" max:"6" doc:"PCIe generation of the endpoint."`
	Lanes      uint32    `yaml:"lanes" default:"16" min:"1" max:"32" doc:"Lanes of the endpoint: 1, 2, 4, 8, 12, 16 or 32." unit:"lanes"`
	MPS        sim.Bytes `yaml:"mps" default:"256B" min:"128B" max:"4KiB" doc:"Largest payload of a TLP that the endpoint supports."`
	MRRS       sim.Bytes `yaml:"mrrs" default:"4KiB" min:"128B" max:"4KiB" doc:"Largest read request that the endpoint makes."`
	Cut        Alignment `yaml:"cut" default:"aligned" enum:"aligned,packed" doc:"Where the endpoint cuts a request: at multiples of MPS or MRRS, or as late as it may."`
	Tags       uint32    `yaml:"tags" default:"256" min:"1" max:"15360" doc:"Read requests that the endpoint can have outstanding (32, 256, 768 with 10-bit tags)." unit:"tags"`

	ReadOverhead  sim.Duration `yaml:"read_overhead" default:"100ns" min:"0ps" max:"1ms" doc:"Time in the endpoint from the last completion to the data being there."`
	ReadPerByte   uint32       `yaml:"read_per_byte" default:"0" min:"0" max:"100000" doc:"Store and forward of read data in the endpoint." unit:"ps/B"`
	WriteOverhead sim.Duration `yaml:"write_overhead" default:"0ps" min:"0ps" max:"1ms" doc:"Time in the endpoint from a write request to its first TLP."`
	WritePerByte  uint32       `yaml:"write_per_byte" default:"0" min:"0" max:"100000" doc:"Store and forward of write data in the endpoint." unit:"ps/B"`
	Gap           sim.Duration `yaml:"gap" default:"0ps" min:"0ps" max:"1ms" doc:"Shortest time between two request TLPs of one kind, reads or writes, beginning on the link: the endpoint's DMA engines."`
	WriteGap      sim.Duration `yaml:"write_gap" default:"0ps" min:"0ps" max:"1ms" doc:"The same for writes alone, where it is longer than gap."`
	WriteOp       sim.Duration `yaml:"write_op" default:"0ps" min:"0ps" max:"1ms" doc:"What each write keeps the endpoint's DMA engine, beside its blocks: the next write's first TLP comes that much later."`
	WriteBlock    sim.Duration `yaml:"write_block" default:"0ps" min:"0ps" max:"1ms" doc:"What each started block of 128 bytes of a write keeps the DMA engine."`
	WriteBeat     sim.Duration `yaml:"write_beat" default:"0ps" min:"0ps" max:"1ms" doc:"The least that a write keeps the DMA engine, for each started 64 bytes of its TLPs, headers and framing included."`
	ReadOps       uint32       `yaml:"read_ops" default:"0" min:"0" max:"32768" doc:"Reads that the DMA engine works on at a time, each from its first TLP to its data being there, whatever the tags; 0: no limit." unit:"reads"`
	ReadBeat      sim.Duration `yaml:"read_beat" default:"0ps" min:"0ps" max:"1ms" doc:"The least that a read keeps the DMA engine from the next, for each started 64 bytes of its completions, headers and framing included."`
	Egress        sim.Bytes    `yaml:"egress" default:"1KiB" min:"64B" max:"1MiB" doc:"TLP bytes that the arbiter may choose ahead of the link."`

	Arbiter       Arbitration `yaml:"arbiter" default:"rr" enum:"rr,priority,weighted" doc:"Choice between waiting reads of different classes."`
	FetchWeight   uint32      `yaml:"fetch_weight" default:"1" min:"1" max:"1024" doc:"Read TLPs per turn of table, context and WQE fetches, if weighted." unit:"TLPs"`
	PayloadWeight uint32      `yaml:"payload_weight" default:"1" min:"1" max:"1024" doc:"Read TLPs per turn of payload, if weighted." unit:"TLPs"`
	AnswerWeight  uint32      `yaml:"answer_weight" default:"1" min:"1" max:"1024" doc:"Read TLPs per turn of answers, if weighted." unit:"TLPs"`

	PostedHeaders     uint32       `yaml:"posted_headers" default:"64" min:"0" max:"65535" doc:"Posted header credits the endpoint grants the CPU's stores; 0: unlimited." unit:"credits"`
	PostedData        uint32       `yaml:"posted_data" default:"1024" min:"0" max:"65535" doc:"Posted data credits the endpoint grants the CPU's stores; 0: unlimited." unit:"16 B"`
	CompletionHeaders uint32       `yaml:"completion_headers" default:"0" min:"0" max:"1048576" doc:"Completions for which the endpoint has room, reserved as a read leaves; 0: unlimited." unit:"TLPs"`
	CompletionData    uint32       `yaml:"completion_data" default:"0" min:"0" max:"16777216" doc:"Completion data for which the endpoint has room, reserved as a read leaves; 0: unlimited." unit:"16 B"`
	CreditReturn      sim.Duration `yaml:"credit_return" default:"100ns" min:"0ps" max:"1ms" doc:"Time from the endpoint having consumed a store to its credits being back at the root complex."`
}

// HostParams are the root complex's numbers: host.pcie in a profile.
type HostParams struct {
	Generation  uint32    `yaml:"generation" default:"4" min:"1" max:"6" doc:"PCIe generation of the root port."`
	Lanes       uint32    `yaml:"lanes" default:"16" min:"1" max:"32" doc:"Lanes of the root port: 1, 2, 4, 8, 12, 16 or 32." unit:"lanes"`
	MPS         sim.Bytes `yaml:"mps" default:"256B" min:"128B" max:"4KiB" doc:"Largest payload of a TLP that the root port supports."`
	MRRS        sim.Bytes `yaml:"mrrs" default:"4KiB" min:"128B" max:"4KiB" doc:"Largest read request that the host lets a device make."`
	RCB         sim.Bytes `yaml:"rcb" default:"64B" min:"64B" max:"128B" doc:"Read completion boundary: all completions of a read but the last end on one."`
	Cut         Cutting   `yaml:"completion_cut" default:"mps" enum:"mps,rcb" doc:"Size of completions: up to MPS, or never more than RCB."`
	AddrBits    uint32    `yaml:"addr_bits" default:"64" min:"32" max:"64" doc:"64: every request has a 4 DW header; 32: a 3 DW header below 4 GiB." unit:"bits"`
	ECRC        bool      `yaml:"ecrc" default:"false" doc:"End-to-end CRC, 4 bytes more per TLP."`
	TLPExtra    uint32    `yaml:"tlp_extra" default:"0" min:"0" max:"64" doc:"Bytes more per TLP, for other ways to count its framing (2 in Kalia et al., ATC 2016)." unit:"bytes"`
	Utilisation uint32    `yaml:"utilisation" default:"1000000" min:"0" max:"1000000" doc:"Share of the raw rate left for TLPs by DLLPs and SKIPs; 0: what the recommended limits for Ack and UpdateFC give." unit:"ppm"`

	Propagation  sim.Duration `yaml:"propagation" default:"100ns" min:"0ps" max:"1ms" doc:"From the last bit leaving one end to the TLP being decoded at the other, in each direction."`
	ReadLatency  sim.Duration `yaml:"read_latency" default:"150ns" min:"0ps" max:"1ms" doc:"Root complex's share of a read, beside what memory takes."`
	WriteLatency sim.Duration `yaml:"write_latency" default:"100ns" min:"0ps" max:"1ms" doc:"Root complex's share of a posted write, beside what memory takes."`
	ReadOrder    ReadOrder    `yaml:"read_order" default:"serve" enum:"serve,start" doc:"Whether a read behind posted writes is fetched at once and served after them, or fetched only after them."`

	PostedHeaders    uint32       `yaml:"posted_headers" default:"256" min:"0" max:"65535" doc:"Posted header credits the root complex grants; 0: unlimited." unit:"credits"`
	PostedData       uint32       `yaml:"posted_data" default:"4096" min:"0" max:"65535" doc:"Posted data credits the root complex grants; 0: unlimited." unit:"16 B"`
	NonPostedHeaders uint32       `yaml:"non_posted_headers" default:"256" min:"0" max:"65535" doc:"Non-posted header credits the root complex grants; 0: unlimited." unit:"credits"`
	CreditReturn     sim.Duration `yaml:"credit_return" default:"100ns" min:"0ps" max:"1ms" doc:"Time from the root complex having drained a TLP to its credits being back at the endpoint."`

	MMIO MMIOParams `yaml:"mmio"`
}

// MMIOParams are the CPU's stores to the device: host.pcie.mmio.
type MMIOParams struct {
	Latency    sim.Duration `yaml:"latency" default:"0ps" min:"0ps" max:"1ms" doc:"From the store leaving the CPU to the root port."`
	WCLineGap  sim.Duration `yaml:"wc_line_gap" default:"20ns" min:"0ps" max:"1ms" doc:"Time between two write-combining lines of 64 bytes (18.9 ns on an E5-2450)."`
	UCStoreGap sim.Duration `yaml:"uc_store_gap" default:"100ns" min:"0ps" max:"1ms" doc:"Time between two uncached stores."`
}

// block is what the DMA engine cuts writes into on its side, and beat the
// width of its way to the link.
const (
	block = 128
	beat  = 64
)

// writeTurn is how long a write of n bytes, of which the TLPs have so many
// link bytes, keeps the DMA engine from the next.
func (d *DeviceParams) writeTurn(n, bytes sim.Bytes) sim.Duration {
	work := d.WriteOp + sim.Duration((n+block-1)/block)*d.WriteBlock
	return max(work, sim.Duration((bytes+beat-1)/beat)*d.WriteBeat)
}

// readTurn is the same for a read, of which the completions have so many link
// bytes.
func (d *DeviceParams) readTurn(bytes sim.Bytes) sim.Duration {
	return sim.Duration((bytes+beat-1)/beat) * d.ReadBeat
}

// readOverhead is the time in the endpoint behind the last completion of r.
func (d *DeviceParams) readOverhead(r *request) sim.Duration {
	if r.asked.Direct {
		return 0
	}
	return d.ReadOverhead + sim.Duration(d.ReadPerByte)*sim.Duration(r.asked.Len)
}

// writeOverhead is the time in the endpoint before the first TLP of r.
func (d *DeviceParams) writeOverhead(r *request) sim.Duration {
	if r.asked.Direct {
		return 0
	}
	return d.WriteOverhead + sim.Duration(d.WritePerByte)*sim.Duration(r.asked.Len)
}

// DefaultDeviceParams are those of spec-ideal.
func DefaultDeviceParams() (p DeviceParams) {
	sim.SetDefaults(&p)
	return p
}

// DefaultHostParams are those of spec-ideal.
func DefaultHostParams() (p HostParams) {
	sim.SetDefaults(&p)
	return p
}
