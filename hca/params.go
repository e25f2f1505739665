package hca

import (
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// Params are the adapter's numbers. Cycles are of its core clock. The
// defaults are those of spec-ideal: round, easy to reason about.
type Params struct {
	Clock sim.Hertz         `yaml:"clock" default:"1GHz" min:"1MHz" max:"10GHz" doc:"Core clock of the adapter: the unit of all its cycles."`
	PCIe  pcie.DeviceParams `yaml:"pcie" doc:"The adapter's end of the PCIe link."`
	MTP   mtp.Params        `yaml:"mtp" doc:"Memory translation and protection."`
	Cache mtp.Caches        `yaml:"cache" doc:"On-chip caches of contexts and tables."`
	Turns TurnParams        `yaml:"turns" doc:"Turns in a row at the entrance of memory translation, under its arbiter: weighted."`
	Limit tpt.Limits        `yaml:"limit" doc:"Sizes of the tables in host memory."`

	Doorbell  sim.Cycles `yaml:"doorbell" default:"10" min:"1" max:"100000" doc:"From a doorbell's arrival to its queue pair standing in the schedule."`
	Schedule  sim.Cycles `yaml:"schedule" default:"5" min:"1" max:"100000" doc:"Between two grants of the send scheduler; each grant makes one packet."`
	Transmit  sim.Cycles `yaml:"transmit" default:"50" min:"1" max:"100000" doc:"From a packet's last byte gathered to its first bit on the wire."`
	Receive   sim.Cycles `yaml:"receive" default:"50" min:"1" max:"100000" doc:"From a packet's last bit to its headers judged."`
	PacketGap sim.Cycles `yaml:"packet_gap" default:"5" min:"1" max:"100000" doc:"Between two packets entering the transmit pipeline, and between two entering the receive pipeline."`
	PipeDepth uint32     `yaml:"pipe_depth" default:"64" min:"1" max:"65536" doc:"Packets that a transmit or receive pipeline holds before it stalls."`

	WQEPrefetch  uint32    `yaml:"wqe_prefetch" default:"8" min:"1" max:"64" doc:"Basic blocks of 64 bytes that one fetch of send WQEs reads at most."`
	RecvPrefetch uint32    `yaml:"recv_prefetch" default:"8" min:"1" max:"64" doc:"Receive WQEs that one fetch reads at most."`
	QPCBytes     sim.Bytes `yaml:"qpc_bytes" default:"256B" min:"64B" max:"4KiB" doc:"Size of a queue-pair context."`
	CQEBytes     sim.Bytes `yaml:"cqe_bytes" default:"64B" min:"32B" max:"128B" doc:"Size of a completion."`

	SendBuffers    uint32     `yaml:"send_buffers" default:"256" min:"1" max:"65536" doc:"Request packets that may be in gathering or transmission at once."`
	ReceiveBuffers uint32     `yaml:"receive_buffers" default:"256" min:"1" max:"65536" doc:"Request packets that may be worked on at once; more stall the receive pipeline."`
	AnswerBuffers  uint32     `yaml:"answer_buffers" default:"256" min:"1" max:"65536" doc:"READ response packets that may be in gathering or transmission at once."`
	AtomicBuckets  uint32     `yaml:"atomic_buckets" default:"4096" min:"1" max:"65536" doc:"Addresses are spread over so many buckets; atomics of one bucket are done one after another."`
	AtomicCycles   sim.Cycles `yaml:"atomic_cycles" default:"10" min:"1" max:"100000" doc:"From the word read to its new value on the way back to memory."`
	CommandCycles  sim.Cycles `yaml:"command_cycles" default:"500" min:"1" max:"10000000" doc:"Work of the command unit on one device command, before the table unit."`
	FetchList      bool       `yaml:"fetch_list" default:"false" doc:"Whether the page list of a fast registration, 8 bytes a page, is read from host memory; else it is taken to come with the request."`
	LocalDepth     uint32     `yaml:"local_depth" default:"1" min:"1" max:"1024" doc:"Binds, invalidates and fast registrations of one queue pair that may be with the table unit at once."`
	LargestPage    sim.Bytes  `yaml:"largest_page" default:"1GiB" min:"4KiB" max:"1GiB" doc:"Largest page that one translation entry is for; regions over larger ones take more entries."`
	MaxInline      sim.Bytes  `yaml:"max_inline" default:"4KiB" min:"0B" max:"4KiB" doc:"Inline data for which a queue pair may be made at most; ibv_create_qp refuses more."`
	CommandDepth   uint32     `yaml:"command_depth" default:"32" min:"1" max:"1024" doc:"Device commands that may be outstanding."`
}

// TurnParams are the weights of the adapter's units where they ask for memory.
type TurnParams struct {
	Place  uint32 `yaml:"place" default:"2" min:"1" max:"1024" doc:"Turns of what comes in: payload, receives, answers."`
	Gather uint32 `yaml:"gather" default:"2" min:"1" max:"1024" doc:"Turns of what goes out: requests and READ responses."`
	Atomic uint32 `yaml:"atomic" default:"1" min:"1" max:"1024" doc:"Turns of atomics."`
}
