package lang

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A Step is one entry of ops: when, what, and what must come of it. Steps run
// one after another across all hosts, each when the one before it has settled,
// unless At, After, Async, parallel or traffic say otherwise.
type Step struct {
	Pos Pos `yaml:"-"`

	// Number is the place among the ops, from 1; those of a parallel or loop
	// are numbered on through.
	Number int `yaml:"-"`
	// ID by which others refer to the step; its number is always good too.
	ID string `yaml:"id"`
	// Note is a remark that reports print.
	Note string `yaml:"note"`
	// On is the host that acts. It may be left out when the step names an
	// object that only one host has.
	On Name `yaml:"on"`

	// At starts the step at an instant, counted from the start of the run.
	At *sim.Duration `yaml:"at"`
	// After starts the step when something has happened.
	After *After `yaml:"after"`
	// Async lets the next step start without waiting for this one.
	Async bool `yaml:"async"`

	// Do is the one verb, as the runner reads it: a pointer to one of the
	// structs of Verbs, the short forms of post_send already made PostSend.
	Do Act `yaml:"-"`
	// Verb is the word that was written, such as reg_mr or wr_rdma_write.
	Verb string `yaml:"-"`

	Verbs `yaml:",inline"`

	// Expect is judged when the step has settled; that of a receive when its
	// completion arrives.
	Expect *Expect `yaml:"expect"`
}

// An Act is what a step does. The types that are one stand in Verbs.
type Act interface{ act() }

// Verbs has one member for each verb; exactly one is set by the decoder, and
// Step.Do is what it means.
type Verbs struct {
	// AllocPD makes a protection domain (ibv_alloc_pd).
	AllocPD *AllocPD `yaml:"alloc_pd"`
	// DeallocPD gives a protection domain back (ibv_dealloc_pd).
	DeallocPD *DeallocPD `yaml:"dealloc_pd"`
	// RegMR registers memory and gives it an L_Key and an R_Key (ibv_reg_mr).
	RegMR *RegMR `yaml:"reg_mr"`
	// ReregMR changes memory, domain or rights of a region (ibv_rereg_mr).
	ReregMR *ReregMR `yaml:"rereg_mr"`
	// DeregMR takes a region away: its keys open nothing any more (ibv_dereg_mr).
	DeregMR *DeregMR `yaml:"dereg_mr"`
	// AllocMR allocates a fast-register region, which wr_reg_mr makes valid
	// (ib_alloc_mr of the kernel).
	AllocMR *AllocMR `yaml:"alloc_mr"`
	// RegShared registers the pages of a region once more, under a key of their
	// own.
	RegShared *RegShared `yaml:"reg_shared_mr"`
	// AdviseMR fetches pages of a region with on-demand paging (ibv_advise_mr).
	AdviseMR *AdviseMR `yaml:"advise_mr"`
	// AllocMW allocates a memory window, which opens nothing until it is bound
	// (ibv_alloc_mw).
	AllocMW *AllocMW `yaml:"alloc_mw"`
	// DeallocMW gives a window back (ibv_dealloc_mw).
	DeallocMW *DeallocMW `yaml:"dealloc_mw"`
	// BindMW binds a window of type 1 to a part of a region, or with length 0
	// unbinds it (ibv_bind_mw).
	BindMW *BindMW `yaml:"bind_mw"`
	// CreateQP makes a queue pair, in RESET unless it says otherwise
	// (ibv_create_qp).
	CreateQP *CreateQP `yaml:"create_qp"`
	// ModifyQP changes state or attributes of a queue pair (ibv_modify_qp).
	ModifyQP *ModifyQP `yaml:"modify_qp"`
	// DestroyQP destroys a queue pair (ibv_destroy_qp).
	DestroyQP *DestroyQP `yaml:"destroy_qp"`
	// CreateSRQ makes a shared receive queue (ibv_create_srq).
	CreateSRQ *CreateSRQ `yaml:"create_srq"`
	// ModifySRQ changes a shared receive queue, or arms its limit
	// (ibv_modify_srq).
	ModifySRQ *ModifySRQ `yaml:"modify_srq"`
	// DestroySRQ destroys a shared receive queue (ibv_destroy_srq).
	DestroySRQ *Destroy `yaml:"destroy_srq" kind:"srq"`
	// CreateCQ makes a completion queue (ibv_create_cq).
	CreateCQ *CreateCQ `yaml:"create_cq"`
	// DestroyCQ destroys a completion queue (ibv_destroy_cq).
	DestroyCQ *Destroy `yaml:"destroy_cq" kind:"cq"`
	// CreateAH makes an address handle, where datagrams go (ibv_create_ah).
	CreateAH *CreateAH `yaml:"create_ah"`
	// DestroyAH destroys an address handle (ibv_destroy_ah).
	DestroyAH *Destroy `yaml:"destroy_ah" kind:"ah"`

	// QueryDevice asks for the attributes of the device (ibv_query_device).
	QueryDevice *Query `yaml:"query_device"`
	// QueryPort asks for the attributes of the port (ibv_query_port).
	QueryPort *Query `yaml:"query_port"`
	// QueryQP asks for the state of a queue pair (ibv_query_qp).
	QueryQP *Query `yaml:"query_qp" kind:"qp"`
	// QuerySRQ asks for the attributes of a shared receive queue (ibv_query_srq).
	QuerySRQ *Query `yaml:"query_srq" kind:"srq"`
	// QueryMR asks for the entry of a region.
	QueryMR *Query `yaml:"query_mr" kind:"mr"`
	// QueryMW asks for the entry of a window.
	QueryMW *Query `yaml:"query_mw" kind:"mw"`
	// ReqNotifyCQ arms the event of a completion queue (ibv_req_notify_cq).
	ReqNotifyCQ *ReqNotify `yaml:"req_notify_cq"`
	// GetEvent waits for an event of a completion queue, or for an asynchronous
	// one (ibv_get_cq_event, ibv_get_async_event).
	GetEvent *GetEvent `yaml:"get_event"`
	// PostSend posts one send work request, or a list of them (ibv_post_send).
	PostSend *PostSend `yaml:"post_send"`
	// PostRecv posts receives on a queue pair (ibv_post_recv).
	PostRecv *PostRecv `yaml:"post_recv"`
	// PostSRQRecv posts receives on a shared receive queue (ibv_post_srq_recv).
	PostSRQRecv *PostRecv `yaml:"post_srq_recv"`
	// PollCQ polls a completion queue by hand (ibv_poll_cq); completions of steps
	// are polled without it.
	PollCQ *PollCQ `yaml:"poll_cq"`
	// IncRKey counts up the low byte of a key (ibv_inc_rkey).
	IncRKey *IncRKey `yaml:"inc_rkey"`

	// WRWrite posts an RDMA WRITE: local bytes go to the peer's memory.
	WRWrite *WR `yaml:"wr_rdma_write"`
	// WRWriteImm posts an RDMA WRITE with immediate, which takes a receive of the
	// peer.
	WRWriteImm *WR `yaml:"wr_rdma_write_imm"`
	// WRRead posts an RDMA READ: bytes of the peer's memory come here.
	WRRead *WR `yaml:"wr_rdma_read"`
	// WRSend posts a SEND, whose bytes go where the peer's next receive says.
	WRSend *WR `yaml:"wr_send"`
	// WRSendImm posts a SEND with immediate.
	WRSendImm *WR `yaml:"wr_send_imm"`
	// WRSendInv posts a SEND that also invalidates a key of the peer.
	WRSendInv *WR `yaml:"wr_send_inv"`
	// WRFetchAdd posts an atomic FETCH_AND_ADD on 8 bytes of the peer.
	WRFetchAdd *WR `yaml:"wr_atomic_fetch_add"`
	// WRCmpSwp posts an atomic CMP_AND_SWP on 8 bytes of the peer.
	WRCmpSwp *WR `yaml:"wr_atomic_cmp_swp"`
	// WRLocalInv posts a LOCAL_INV: a key of this host is invalidated.
	WRLocalInv *WR `yaml:"wr_local_inv"`
	// WRBind posts a BIND_MW: a window of type 2 gets a range, rights and a key.
	WRBind *BindWR `yaml:"wr_bind_mw"`
	// WRReg posts a REG_MR: a fast-register region gets pages, rights and a key.
	WRReg *RegWR `yaml:"wr_reg_mr"`

	// Store has the CPU write bytes.
	Store *HostAct `yaml:"store"`
	// Load has the CPU read bytes.
	Load *HostAct `yaml:"load"`
	// Mprotect changes what the CPU may do with pages.
	Mprotect *HostAct `yaml:"mprotect"`
	// Munmap takes pages out of an address space.
	Munmap *HostAct `yaml:"munmap"`
	// PageOut has the operating system take pages out of memory, as it may with
	// on-demand paging.
	PageOut *HostAct `yaml:"page_out"`
	// PageIn brings pages back.
	PageIn *HostAct `yaml:"page_in"`
	// IOMMUUnmap takes pages out of the IOMMU, so that DMA to them faults.
	IOMMUUnmap *HostAct `yaml:"iommu_unmap"`

	// Wait holds the steps that follow: until some have settled, or for a time.
	Wait *Wait `yaml:"wait"`
	// Loop repeats steps.
	Loop *Loop `yaml:"loop"`
	// Parallel starts branches at one instant, and settles with the last.
	Parallel *Parallel `yaml:"parallel"`
	// Traffic is a load of many requests, whose latencies and rates become
	// figures.
	Traffic *Traffic `yaml:"traffic"`
	// DMA has the adapter read and write memory of its host without a key, as
	// pcie-bench does.
	DMA *DMA `yaml:"dma"`
	// Fault makes packets or a command fail on purpose.
	Fault *Fault `yaml:"fault"`
	// Packet sends one packet by hand, past the requester.
	Packet *Packet `yaml:"packet"`
}

// An After is a moment in the life of another step, or an event. Written as a
// bare id it is the moment that step has settled.
type After struct {
	Pos Pos `yaml:"-"`

	// ID of the step, or of an op within it: w1, 7.12, 7.12.3.
	ID string `yaml:"id"`
	// Packet counts the step's request packets, from 1: after that one has
	// been executed by the responder.
	Packet uint32 `yaml:"packet"`
	// Response counts the packets that came back, from 1: after that one has
	// been executed by the requester.
	Response uint32 `yaml:"response"`
	// Stage is how far the request has come on its way: post, doorbell, wqe-fetch,
	// mpt-lookup, mpt-check, mtt-lookup, dma, send, receive, responder-check,
	// responder-dma, answer, cqe or poll.
	Stage string `yaml:"at"`
	// Event that has been raised, on host On or on any.
	Event *ib.EventType `yaml:"event"`
	// On is the host that raised the event.
	On Name `yaml:"on"`
	// Delay from that moment.
	Delay sim.Duration `yaml:"delay"`
}

// Stages are the words of After.Stage, in the order of the way of a request.
var Stages = []string{
	"post", "doorbell", "wqe-fetch", "mpt-lookup", "mpt-check", "mtt-lookup", "dma",
	"send", "receive", "responder-check", "responder-dma", "answer", "cqe", "poll",
}

// A Wait holds the steps that follow: until some have settled, or for a time.
type Wait struct {
	// IDs of steps, or "all".
	IDs []Name
	// Time to let pass; nil when the wait is for steps.
	Time *sim.Duration
}

// A Loop repeats its steps. With Var the steps were written with ${var} and
// have been made once for each round; without it all rounds are the same.
type Loop struct {
	// Times is the number of rounds.
	Times uint64
	// Var names the counter, which runs from From.
	Var  string
	From int64
	// Rounds has one list of steps, or Times of them.
	Rounds [][]Step
}

// Round returns the steps of round i, from 0.
func (l *Loop) Round(i uint64) []Step {
	if len(l.Rounds) == 1 {
		return l.Rounds[0]
	}
	return l.Rounds[i]
}

// A Parallel starts its branches at one instant and settles with the last.
// Written as a list of steps, each is a branch; of lists of steps, each list.
type Parallel struct {
	Branches [][]Step
}

func (*AllocPD) act()   {}
func (*DeallocPD) act() {}
func (*RegMR) act()     {}
func (*ReregMR) act()   {}
func (*DeregMR) act()   {}
func (*AllocMR) act()   {}
func (*RegShared) act() {}
func (*AdviseMR) act()  {}
func (*AllocMW) act()   {}
func (*DeallocMW) act() {}
func (*BindMW) act()    {}
func (*CreateQP) act()  {}
func (*ModifyQP) act()  {}
func (*DestroyQP) act() {}
func (*CreateSRQ) act() {}
func (*ModifySRQ) act() {}
func (*CreateCQ) act()  {}
func (*CreateAH) act()  {}
func (*Destroy) act()   {}
func (*Query) act()     {}
func (*ReqNotify) act() {}
func (*GetEvent) act()  {}
func (*PostSend) act()  {}
func (*PostRecv) act()  {}
func (*PollCQ) act()    {}
func (*IncRKey) act()   {}
func (*HostAct) act()   {}
func (*Wait) act()      {}
func (*Loop) act()      {}
func (*Parallel) act()  {}
func (*Traffic) act()   {}
func (*DMA) act()       {}
func (*Fault) act()     {}
func (*Packet) act()    {}
