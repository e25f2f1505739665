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
	AllocPD    *AllocPD   `yaml:"alloc_pd"`
	DeallocPD  *DeallocPD `yaml:"dealloc_pd"`
	RegMR      *RegMR     `yaml:"reg_mr"`
	ReregMR    *ReregMR   `yaml:"rereg_mr"`
	DeregMR    *DeregMR   `yaml:"dereg_mr"`
	AllocMR    *AllocMR   `yaml:"alloc_mr"`
	RegShared  *RegShared `yaml:"reg_shared_mr"`
	AdviseMR   *AdviseMR  `yaml:"advise_mr"`
	AllocMW    *AllocMW   `yaml:"alloc_mw"`
	DeallocMW  *DeallocMW `yaml:"dealloc_mw"`
	BindMW     *BindMW    `yaml:"bind_mw"`
	CreateQP   *CreateQP  `yaml:"create_qp"`
	ModifyQP   *ModifyQP  `yaml:"modify_qp"`
	DestroyQP  *DestroyQP `yaml:"destroy_qp"`
	CreateSRQ  *CreateSRQ `yaml:"create_srq"`
	ModifySRQ  *ModifySRQ `yaml:"modify_srq"`
	DestroySRQ *Destroy   `yaml:"destroy_srq" kind:"srq"`
	CreateCQ   *CreateCQ  `yaml:"create_cq"`
	DestroyCQ  *Destroy   `yaml:"destroy_cq" kind:"cq"`
	CreateAH   *CreateAH  `yaml:"create_ah"`
	DestroyAH  *Destroy   `yaml:"destroy_ah" kind:"ah"`

	QueryDevice *Query     `yaml:"query_device"`
	QueryPort   *Query     `yaml:"query_port"`
	QueryQP     *Query     `yaml:"query_qp" kind:"qp"`
	QuerySRQ    *Query     `yaml:"query_srq" kind:"srq"`
	QueryMR     *Query     `yaml:"query_mr" kind:"mr"`
	QueryMW     *Query     `yaml:"query_mw" kind:"mw"`
	ReqNotifyCQ *ReqNotify `yaml:"req_notify_cq"`
	GetEvent    *GetEvent  `yaml:"get_event"`
	PostSend    *PostSend  `yaml:"post_send"`
	PostRecv    *PostRecv  `yaml:"post_recv"`
	PostSRQRecv *PostRecv  `yaml:"post_srq_recv"`
	PollCQ      *PollCQ    `yaml:"poll_cq"`
	IncRKey     *IncRKey   `yaml:"inc_rkey"`

	WRWrite    *WR     `yaml:"wr_rdma_write"`
	WRWriteImm *WR     `yaml:"wr_rdma_write_imm"`
	WRRead     *WR     `yaml:"wr_rdma_read"`
	WRSend     *WR     `yaml:"wr_send"`
	WRSendImm  *WR     `yaml:"wr_send_imm"`
	WRSendInv  *WR     `yaml:"wr_send_inv"`
	WRFetchAdd *WR     `yaml:"wr_atomic_fetch_add"`
	WRCmpSwp   *WR     `yaml:"wr_atomic_cmp_swp"`
	WRLocalInv *WR     `yaml:"wr_local_inv"`
	WRBind     *BindWR `yaml:"wr_bind_mw"`
	WRReg      *RegWR  `yaml:"wr_reg_mr"`

	Store      *HostAct `yaml:"store"`
	Load       *HostAct `yaml:"load"`
	Mprotect   *HostAct `yaml:"mprotect"`
	Munmap     *HostAct `yaml:"munmap"`
	PageOut    *HostAct `yaml:"page_out"`
	PageIn     *HostAct `yaml:"page_in"`
	IOMMUUnmap *HostAct `yaml:"iommu_unmap"`

	Wait     *Wait     `yaml:"wait"`
	Loop     *Loop     `yaml:"loop"`
	Parallel *Parallel `yaml:"parallel"`
	Traffic  *Traffic  `yaml:"traffic"`
	DMA      *DMA      `yaml:"dma"`
	Fault    *Fault    `yaml:"fault"`
	Packet   *Packet   `yaml:"packet"`
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
	// Stage of the way of a request that the step has reached: see Stages.
	Stage string `yaml:"at"`
	// Event that has been raised, on host On or on any.
	Event *ib.EventType `yaml:"event"`
	On    Name          `yaml:"on"`
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
