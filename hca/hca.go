package hca

import (
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// Memory is the host's memory as DMA moves bytes in it.
type Memory interface {
	Read(addr uint64, dst []byte)
	Write(addr uint64, src []byte)
}

// Software is told what becomes visible to the CPU.
type Software interface {
	// Completed is called when a completion has been written to the ring of cqn.
	Completed(now sim.Time, cqn ib.CQN)
	// CommandDone is called when the answer to a command has been written.
	CommandDone(now sim.Time, counter uint32)
	// Event is called when an asynchronous event has been written.
	Event(now sim.Time, e ib.EQE)
	// PageRequest is called when the adapter needs a page of an on-demand
	// region; the driver answers with set-pages, or with FailPages.
	PageRequest(now sim.Time, r ib.PageRequest)
}

// Config is what an adapter is made of and connected to.
type Config struct {
	Name     string
	Params   Params
	Variant  tpt.Variant
	Layout   mtp.Layout // QPCBytes is filled in
	Events   uint64     // address of the event ring
	Commands *tpt.CommandRing
	Memory   Memory
	Software Software
	Bus      *pcie.Bus
	Link     *wire.Link
	End      wire.End
	Packets  *wire.Pool
	Seed     uint64
}

// An HCA is one adapter.
type HCA struct {
	Config
	Table *tpt.Table
	Unit  *mtp.Unit

	// Retired reports every work request as it ends. What is shown is the
	// adapter's: a watcher copies what it keeps.
	Retired sim.Probe[*Retirement]
	// Refused reports every refusal, on the side that refused.
	Refused sim.Probe[Refusal]
	// Executed reports every request packet as its execution begins on the
	// responder, and every packet of an answer with data on the requester.
	Executed sim.Probe[Execution]
	// Reached reports requests at the points of their way.
	Reached sim.Probe[Stage]
	// Landed reports bytes of packets as they reach memory, as Retired does.
	Landed sim.Probe[*Landing]
	// Visible reports an entry as the completion of its change can be seen by
	// the CPU.
	Visible sim.Probe[ib.Index]
	// Raised reports every asynchronous event as the adapter decides on it.
	Raised sim.Probe[ib.EQE]
	// Stalls reports those who begin and end to wait.
	Stalls sim.Probe[sim.Stall]
	// Worked reports what keeps the packet engines.
	Worked sim.Probe[Work]
	// Followed, if set, says of a request that begins whether its trail is to
	// keep its legs.
	Followed func(op uint32) bool
	// Moved reports every queue pair as it comes into another state.
	Moved sim.Probe[Move]

	engine *sim.Engine
	clock  sim.Clock
	qps    tpt.ByIndex[seat] // by number
	births uint32            // queue pairs made so far
	cqs    []*cq             // by number
	srqs   []*recvQueue

	sched    scheduler
	engines  [2]packetEngine
	sends    *packetEngine // what is sent
	takes    *packetEngine // what is received
	timing   timing
	granted  sim.Interval // how long the turn that was just used keeps the engine
	doorbell *sim.Pipe
	rungs    sim.Ring[rung] // what is in it
	context  uint8          // who we are to the context store, for the send side
	inbound  uint8          // and for the receive side
	wrs      sim.Pool[wr]
	jobs     sim.Pool[job]
	buffers  *sim.Credits

	gatherer  gather
	placer    place
	fetcher   wqeFetch
	lists     pageLists
	receives  recvFetch
	tx        [2]transmit // by wire class
	rx        [2]*sim.Pipe
	arrivals  sim.Pool[arrival]
	taken     uint32  // receive buffers that hold a request
	full      bool    // all do, and another waits
	crowded   [2]bool // by wire class: a packet waits for room in rx
	answers   sim.Pool[answer]
	responses *sim.Credits
	atomics   atomicUnit
	commands  commandUnit
	completer completer
	quiet     Retirement // of a request without a completion, while it is reported
	pager     pager
	crafted   sim.Ring[uint32] // packets made by hand, not sent yet
	crafting  bool             // the oldest waits for a buffer
	craft     sim.HandlerID
	timers    *sim.Timers
	timedBy   []ib.QPN    // of each pair of timers
	notices   *sim.Timers // moderation of completion queues, by number
}

// New returns an adapter. The bus must have been made with a Device that hands
// its calls to MMIO.
func New(e *sim.Engine, c Config) *HCA {
	h := &HCA{Config: c, engine: e, clock: sim.NewClock(c.Params.Clock)}
	p := &h.Params
	h.Layout.QPCBytes = uint32(p.QPCBytes)
	h.Table = tpt.NewTable(p.Limit, c.Variant, c.Seed)
	h.Unit = mtp.New(e, c.Name+".mtp", h.clock, p.MTP, p.Cache, h.Layout, c.Bus, h.Table, c.Seed)
	h.cqs = make([]*cq, 1)
	h.srqs = make([]*recvQueue, 1)

	h.doorbell = sim.NewPipe(e, c.Name+".doorbell", h.clock, sim.PipeParams{Latency: p.Doorbell, Interval: 1, Depth: 1 << 20}, h.ring)
	h.timing.init(p)
	h.sched.init(h)
	h.sends, h.takes = &h.engines[0], &h.engines[0]
	shared := p.Engine == "shared"
	h.sends.init(h, c.Name+".engine", shared)
	if !shared {
		h.takes = &h.engines[1]
		h.takes.init(h, c.Name+".receive-engine", false)
	}
	h.Unit.Hold = h.missed
	h.context = h.Unit.ContextClient(sendContext{h}, false)
	h.inbound = h.Unit.ContextClient(receiveContext{h}, true)
	h.buffers = sim.NewCredits(e, c.Name+".send_buffers", p.SendBuffers)
	h.responses = sim.NewCredits(e, c.Name+".answer_buffers", p.AnswerBuffers)
	h.placer.init(h)
	h.gatherer.init(h)
	h.fetcher.init(h)
	h.lists.init(h)
	h.receives.init(h)
	h.atomics.init(h)
	h.commands.init(h)
	h.pager.init(h)
	h.completer.init(h)
	h.notices = sim.NewTimers(e, c.Name+".moderation", h.notify)
	h.notices.Add()
	h.timers = sim.NewTimers(e, c.Name+".ack-timer", h.timeout)
	h.craft = e.Register(c.Name+".crafted", craftGrant{h})
	h.connect()
	return h
}

// firstQPN is the first number given to a queue pair; those before it are
// the management ones.
const firstQPN = 0x10

// MMIO takes a doorbell. A doorbell that names nothing is dropped.
func (h *HCA) MMIO(now sim.Time, addr uint64, value uint32) {
	qpn, register := ib.DoorbellOf(addr)
	if qpn == 0 {
		switch register {
		case ib.DoorbellCommand:
			h.commands.ring(now, value)
		case ib.DoorbellArm:
			h.arm(now, value)
		}
		return
	}
	h.rungs.Push(rung{qpn, register, value})
	h.doorbell.Send(now, 0)
}

// A Retirement is the end of a work request.
type Retirement struct {
	At     sim.Time
	QPN    ib.QPN
	Op     uint32 // the poster's number
	Recv   bool
	Status ib.WCStatus
	CQE    bool // a completion was written
	Trail  sim.Trail
}

// A Move is a change of a queue pair's state.
type Move struct {
	At  sim.Time
	QPN ib.QPN
	To  ib.QPState
}

// An Execution is a packet that was let through.
type Execution struct {
	At     sim.Time
	QPN    ib.QPN
	Op     uint32 // the sender's number of the request; on the requester its own
	Answer bool
	PSN    ib.PSN
}

// A Refusal is a fault and its circumstances.
type Refusal struct {
	At     sim.Time
	QPN    ib.QPN      // that refused
	Op     uint32      // the request at fault: on the responder the sender's number
	Remote bool        // refused by the responder
	Status ib.WCStatus // the requester's status, of a local refusal
	NAK    ib.Syndrome // the answer, of a remote one
	Fault  tpt.Fault   // why the entry refused, or OK when the reason is another
	Rule   string      // the rule that refused
	Access tpt.Access  // what was asked, if Fault is set
	Entry  tpt.Entry   // the copy that was judged, if Fault is set
}
