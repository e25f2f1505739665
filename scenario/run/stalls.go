package run

import (
	"hcasim/hca"
	"hcasim/host"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/wire"
)

// The stalls that a run counts, room by room.
const (
	pcieStalls = 0
	mtpStalls  = pcieStalls + int(pcie.Stalls)
	hcaStalls  = mtpStalls + int(mtp.Stalls)
	wireStalls = hcaStalls + int(hca.Stalls)
	hostStalls = wireStalls + 4
	numStalls  = hostStalls + 4
)

// Those of the wire and of the host.
const (
	wireCredits = wireStalls     // + class
	wireQueue   = wireStalls + 2 // + class
)

const (
	sendSlots = hostStalls + iota
	postingCPU
	iommuWalkers
	iommuQueue
)

// stallNames are the words for stalls, and what is waited for by whom.
var stallNames = [numStalls]struct{ name, doc string }{
	pcieStalls + int(pcie.StallPosted):      {"pcie_posted_credits", "posted credits of the root complex: the adapter's writes, as one"},
	pcieStalls + int(pcie.StallNonPosted):   {"pcie_nonposted_credits", "non-posted credits of the root complex: the adapter's reads, as one"},
	pcieStalls + int(pcie.StallCompletions): {"pcie_completion_credits", "room for completions in the adapter: its reads, as one"},
	pcieStalls + int(pcie.StallTags):        {"pcie_tags", "a tag: the adapter's reads, as one"},
	pcieStalls + int(pcie.StallOrder):       {"pcie_order", "writes issued before to leave: the adapter's reads, as one"},
	pcieStalls + int(pcie.StallWriteGap):    {"pcie_write_gap", "the DMA engine, between two TLPs or requests: the adapter's writes, as one"},
	pcieStalls + int(pcie.StallReadGap):     {"pcie_read_gap", "the DMA engine, between two TLPs or requests: the adapter's reads, as one"},
	pcieStalls + int(pcie.StallReadEngine):  {"pcie_read_engine", "a place among the reads that the DMA engine works on: the adapter's reads, as one"},
	pcieStalls + int(pcie.StallStores):      {"pcie_store_credits", "posted credits of the adapter: stores of the CPU, as one"},

	mtpStalls + int(mtp.StallMPT):          {"mpt_fill", "a protection entry that is not on chip, or not near: accesses"},
	mtpStalls + int(mtp.StallMTT):          {"mtt_fill", "translation entries that are not on chip, or not near: accesses"},
	mtpStalls + int(mtp.StallQPC):          {"qpc_fill", "a context that is not on chip, or not near: queue pairs and packets"},
	mtpStalls + int(mtp.StallFills):        {"fills", "a DMA read for tables, of which a number is under way: fills"},
	mtpStalls + int(mtp.StallContextFills): {"context_fills", "a DMA read for contexts, of which a number is under way: fills"},
	mtpStalls + int(mtp.StallEntrance):     {"mpt_stage", "room in the stage that looks up protection entries: accesses"},
	mtpStalls + int(mtp.StallPages):        {"mtt_stage", "room in the stage that looks up translations: accesses"},
	mtpStalls + int(mtp.StallChanges):      {"table_unit", "changes of the tables that came before: changes"},

	hcaStalls + int(hca.StallWQE):            {"wqe_fetch", "the fetch of a work request: send queues"},
	hcaStalls + int(hca.StallWQERoom):        {"wqe_room", "room for a work request on chip: send queues"},
	hcaStalls + int(hca.StallFence):          {"fence", "READs and atomics, at a fence: send queues"},
	hcaStalls + int(hca.StallReads):          {"outstanding_reads", "one of the READs and atomics that may be outstanding: send queues"},
	hcaStalls + int(hca.StallEarlier):        {"earlier_requests", "all earlier requests, at a strict local invalidate: send queues"},
	hcaStalls + int(hca.StallLocal):          {"local_changes", "a bind, invalidate or registration to be in force: send queues"},
	hcaStalls + int(hca.StallSendBuffers):    {"send_buffers", "a send buffer: send queues"},
	hcaStalls + int(hca.StallRNR):            {"rnr_timer", "the RNR timer: send queues"},
	hcaStalls + int(hca.StallAnswerBuffers):  {"answer_buffers", "a buffer for a packet of a READ response: queue pairs"},
	hcaStalls + int(hca.StallRWQE):           {"rwqe_fetch", "the fetch of a receive request: queue pairs"},
	hcaStalls + int(hca.StallReceiveBuffers): {"receive_buffers", "a buffer for a request that came in: the pipeline"},
	hcaStalls + int(hca.StallReceive):        {"receive_engine", "the packet engine: pipelines of what came in, as one"},
	hcaStalls + int(hca.StallTxRequests):     {"tx_requests", "room in the pipeline of requests to the wire: queue pairs"},
	hcaStalls + int(hca.StallTxAnswers):      {"tx_answers", "room in the pipeline of answers to the wire: queue pairs"},
	hcaStalls + int(hca.StallRxRequests):     {"rx_requests", "room in the pipeline of requests from the wire: its buffer"},
	hcaStalls + int(hca.StallRxAnswers):      {"rx_answers", "room in the pipeline of answers from the wire: its buffer"},
	hcaStalls + int(hca.StallAtomics):        {"atomic_bucket", "an atomic in front whose address shares the bucket: atomics"},

	wireCredits + int(wire.Requests): {"wire_request_credits", "credits of the other end, or the end of a pause: requests, as one"},
	wireCredits + int(wire.Answers):  {"wire_answer_credits", "credits of the other end, or the end of a pause: answers, as one"},
	wireQueue + int(wire.Requests):   {"wire_request_queue", "room in the wire's queue of requests: their pipeline"},
	wireQueue + int(wire.Answers):    {"wire_answer_queue", "room in the wire's queue of answers: their pipeline"},

	sendSlots:    {"sq_slots", "a place in a send queue, or among those that a traffic keeps in flight: requests of an offered load; queues of a closed one"},
	postingCPU:   {"cpu", "the thread that posts: requests of a traffic"},
	iommuWalkers: {"iommu_walkers", "a walker of the IOMMU: pages"},
	iommuQueue:   {"iommu_queue", "a place in the IOMMU's queue: accesses"},
}

// A stall is how often something finite was waited for, and how long in all.
type stall struct {
	count uint64
	time  sim.Duration // of all who waited, added up
}

// A line is those who wait now.
type line struct {
	n     uint32
	since sim.Time // up to which their time is booked
}

// book books the time of those who wait.
func (s *stall) book(l *line, now sim.Time) {
	s.time += now.Sub(l.since) * sim.Duration(l.n)
	l.since = now
}

// stall counts one who begins or ends to wait.
func (c *recorder) stall(end wire.End, i int, now sim.Time, ends bool) {
	s, l := &c.counts.hosts[end].stalls[i], &c.lines[end][i]
	s.book(l, now)
	if ends {
		l.n--
		return
	}
	l.n++
	s.count++
}

// stalled counts some whose wait is known beforehand.
func (c *recorder) stalled(end wire.End, i int, n uint64, each sim.Duration) {
	s := &c.counts.hosts[end].stalls[i]
	s.count += n
	s.time += each * sim.Duration(n)
}

// settle books the time of those who wait, in a copy of the counters.
func (c *recorder) settle(all *counters, now sim.Time) {
	for end := range c.lines {
		for i := range c.lines[end] {
			if l := c.lines[end][i]; l.n > 0 {
				all.hosts[end].stalls[i].book(&l, now)
			}
		}
	}
}

// watchStalls counts who waits for what on one side.
func (c *recorder) watchStalls(x *side) {
	room := func(p *sim.Probe[sim.Stall], first int) {
		p.Watch(func(s sim.Stall) { c.stall(x.end, first+int(s.For), s.At, s.Ends) })
	}
	room(&x.host.Bus.Taps.Stalls, pcieStalls)
	room(&x.hca.Unit.Stalls, mtpStalls)
	room(&x.hca.Stalls, hcaStalls)
	if u := x.host.Root.IOMMU; u != nil {
		u.Waited.Watch(func(w host.IOMMUWait) {
			i := iommuWalkers
			if w.Queue {
				i = iommuQueue
			}
			c.stalled(x.end, i, 1, w.For)
		})
	}
}

// watchWire counts who waits for the wire.
func (c *recorder) watchWire(l *wire.Link) {
	l.Stalls.Watch(func(s wire.Stall) {
		i := wireCredits
		if s.Queue {
			i = wireQueue
		}
		c.stall(s.From, i+int(s.Class), s.At, s.Ends)
	})
}
