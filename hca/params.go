package hca

import (
	"math/bits"

	"hcasim/ib"
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

	Doorbell  sim.Cycles   `yaml:"doorbell" default:"10" min:"1" max:"100000" doc:"From a doorbell's arrival to its queue pair standing in the schedule."`
	Schedule  sim.Interval `yaml:"schedule" default:"5" min:"0" max:"100000" doc:"Between two grants of the send scheduler; each grant makes one packet."`
	Transmit  sim.Cycles   `yaml:"transmit" default:"50" min:"1" max:"100000" doc:"From a request packet's last byte gathered to its first bit on the wire."`
	Answer    sim.Cycles   `yaml:"answer" default:"50" min:"1" max:"100000" doc:"The same of an answer: from its last byte gathered, or the request executed, to its first bit on the wire."`
	Receive   sim.Cycles   `yaml:"receive" default:"50" min:"1" max:"100000" doc:"From a packet's last bit to its headers judged."`
	PacketGap sim.Interval `yaml:"packet_gap" default:"5" min:"0" max:"100000" doc:"Between two packets entering the transmit pipeline, and between two entering the receive pipeline."`
	Gap       GapParams    `yaml:"gap" doc:"Longer times between two packets of one kind."`
	Engine    string       `yaml:"engine" default:"split" enum:"split,shared" doc:"Whether sending and receiving each have a packet engine of their own, or take turns at one."`
	PipeDepth uint32       `yaml:"pipe_depth" default:"64" min:"1" max:"65536" doc:"Packets that a transmit or receive pipeline holds before it stalls."`

	WQEPrefetch  uint32    `yaml:"wqe_prefetch" default:"8" min:"1" max:"128" doc:"Basic blocks of 64 bytes that one fetch of send WQEs reads at most."`
	WQERoom      uint32    `yaml:"wqe_room" default:"0" min:"0" max:"65536" doc:"Places that each send queue has on chip, from a request's coming until it is over: one for a request and one for each started 64 bytes of its inline data. One that finds no room is fetched when there is some, even if it came with its doorbell; 0: no limit."`
	WQEWhole     bool      `yaml:"wqe_whole" default:"false" doc:"Whether a fetch of send WQEs always reads wqe_prefetch blocks, what is not posted yet or finds no room included; else the blocks of the requests that it brings."`
	WQEAgain     bool      `yaml:"wqe_again" default:"false" doc:"Whether a READ or atomic that was fetched is fetched again when its answer comes, for where the data go; those that came with their doorbell are kept."`
	RecvPrefetch uint32    `yaml:"recv_prefetch" default:"8" min:"1" max:"64" doc:"Receive WQEs that one fetch reads at most."`
	QPCBytes     sim.Bytes `yaml:"qpc_bytes" default:"256B" min:"64B" max:"4KiB" doc:"Size of a queue-pair context."`
	CQEBytes     sim.Bytes `yaml:"cqe_bytes" default:"64B" min:"32B" max:"128B" doc:"Size of a completion."`

	SendBuffers    uint32     `yaml:"send_buffers" default:"256" min:"1" max:"65536" doc:"Request packets that may be in gathering or transmission at once."`
	ReceiveBuffers uint32     `yaml:"receive_buffers" default:"256" min:"1" max:"65536" doc:"Request packets that may be worked on at once; more stall the receive pipeline."`
	AnswerBuffers  uint32     `yaml:"answer_buffers" default:"256" min:"1" max:"65536" doc:"READ response packets that may be in gathering or transmission at once."`
	AtomicBuckets  uint32     `yaml:"atomic_buckets" default:"4096" min:"1" max:"65536" doc:"Addresses are spread over so many buckets; atomics of one bucket are done one after another."`
	AtomicHold     sim.Cycles `yaml:"atomic_hold" default:"0" min:"0" max:"1000000" doc:"From the beginning of an atomic to that of the next in its bucket; 0: when its new value is on its way to memory."`
	AtomicCycles   sim.Cycles `yaml:"atomic_cycles" default:"10" min:"1" max:"100000" doc:"From the word read to its new value on the way back to memory."`
	CommandCycles  sim.Cycles `yaml:"command_cycles" default:"500" min:"1" max:"10000000" doc:"Work of the command unit on one device command, before the table unit."`
	FetchList      bool       `yaml:"fetch_list" default:"false" doc:"Whether the page list of a fast registration, 8 bytes a page, is read from host memory; else it is taken to come with the request."`
	LocalDepth     uint32     `yaml:"local_depth" default:"1" min:"1" max:"1024" doc:"Binds, invalidates and fast registrations of one queue pair that may be with the table unit at once."`
	LargestPage    sim.Bytes  `yaml:"largest_page" default:"1GiB" min:"4KiB" max:"1GiB" doc:"Largest page that one translation entry is for; regions over larger ones take more entries."`
	MaxInline      sim.Bytes  `yaml:"max_inline" default:"4KiB" min:"0B" max:"4KiB" doc:"Inline data for which a queue pair may be made at most; ibv_create_qp refuses more."`
	CommandDepth   uint32     `yaml:"command_depth" default:"32" min:"1" max:"1024" doc:"Device commands that may be outstanding."`
}

// Rooms are the bytes of host memory that the driver gives an adapter before
// anything is made: its tables, each for as much as Limit allows, its command
// ring and its event ring. Each is contiguous.
type Rooms struct {
	Commands, MPT, MTT, QPC, Events uint64
}

// Rooms returns what an adapter of these numbers needs.
func (p *Params) Rooms() Rooms {
	return Rooms{
		Commands: uint64(p.CommandSlots()) * tpt.CommandBytes,
		MPT:      (uint64(p.Limit.MR) + uint64(p.Limit.MW) + 1) * tpt.EntryBytes, // index 0 is nobody's
		MTT:      (uint64(p.Limit.MTT) + 8) * tpt.MTTBytes,                       // lines of eight may begin before the last entry
		QPC:      (uint64(p.Limit.QP) + 32) * uint64(p.QPCBytes),                 // the first numbers are nobody's
		Events:   eventSlots * ib.EQEBytes,
	}
}

// CommandSlots returns the length of the command ring: CommandDepth, rounded up
// to a power of two.
func (p *Params) CommandSlots() int { return 1 << bits.Len32(p.CommandDepth-1) }

// GapParams are how long packets keep an engine, by what they are for: the
// message rates that adapters are known by. Zero is as schedule, or packet_gap,
// says; where both speak the longer one counts.
type GapParams struct {
	SendWrite     sim.Interval `yaml:"send_write" default:"0" min:"0" max:"100000" doc:"Packets of WRITEs sent."`
	SendRead      sim.Interval `yaml:"send_read" default:"0" min:"0" max:"100000" doc:"READ requests sent."`
	SendSend      sim.Interval `yaml:"send_send" default:"0" min:"0" max:"100000" doc:"Packets of SENDs sent."`
	SendAtomic    sim.Interval `yaml:"send_atomic" default:"0" min:"0" max:"100000" doc:"Atomics sent."`
	Local         sim.Interval `yaml:"local" default:"0" min:"0" max:"100000" doc:"Binds, invalidations and registrations of a send queue."`
	ReceiveWrite  sim.Interval `yaml:"receive_write" default:"0" min:"0" max:"100000" doc:"Packets of WRITEs received."`
	ReceiveRead   sim.Interval `yaml:"receive_read" default:"0" min:"0" max:"100000" doc:"READ requests received."`
	ReceiveSend   sim.Interval `yaml:"receive_send" default:"0" min:"0" max:"100000" doc:"Packets of SENDs received."`
	ReceiveAtomic sim.Interval `yaml:"receive_atomic" default:"0" min:"0" max:"100000" doc:"Atomics received."`
	Again         sim.Interval `yaml:"again" default:"0" min:"0" max:"100000" doc:"Further, for each answer for which a request is fetched again, under wqe_again."`
	ReceiveByte   sim.Interval `yaml:"receive_byte" default:"0" min:"0" max:"1000" doc:"Further, cycles for each byte of payload that a request brings, or, up to one packet of wire.mtu, asks for."`
	ReceiveCell   sim.Interval `yaml:"receive_cell" default:"0" min:"0" max:"100000" doc:"Further, for each 256 bytes of payload behind the first, of packets received and, up to one packet of wire.mtu, of READs asked for."`
}

// TurnParams are the weights of the adapter's units where they ask for memory.
type TurnParams struct {
	Place  uint32 `yaml:"place" default:"2" min:"1" max:"1024" doc:"Turns of what comes in: payload, receives, answers."`
	Gather uint32 `yaml:"gather" default:"2" min:"1" max:"1024" doc:"Turns of what goes out: requests and READ responses."`
	Atomic uint32 `yaml:"atomic" default:"1" min:"1" max:"1024" doc:"Turns of atomics."`
}
