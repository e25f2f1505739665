package lang

import (
	"hcasim/ib"
	"hcasim/sim"
)

// AllocPD is ibv_alloc_pd.
type AllocPD struct {
	// As is the domain's name.
	As Name `yaml:"as"`
}

// DeallocPD is ibv_dealloc_pd.
type DeallocPD struct {
	// PD is the domain to give back.
	PD Ref `yaml:"pd" kind:"pd" short:"true"`
}

// RegMR is ibv_reg_mr (with Iova ibv_reg_mr_iova). It registers a part of a
// buffer of mem:, or raw addresses, or else makes a buffer of the region's own
// name first.
type RegMR struct {
	Pos Pos `yaml:"-"`

	// As is the region's name.
	As Name `yaml:"as"`
	// Count makes an array of so many alike, under hosts: only. In a buffer they
	// lie one behind the other.
	Count *uint32 `yaml:"count" min:"1" max:"4194304"`
	// PD of the region; by default the host's first.
	PD Ref `yaml:"pd" kind:"pd"`
	// Buf is the buffer; Offset and Length choose a part of it.
	Buf Ref `yaml:"buf" kind:"mem"`
	// Offset of the part from the first byte of the buffer.
	Offset Offset `yaml:"offset"`
	// Length of the part; by default all that is left of Buf.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Addr registers this virtual address, whatever is there.
	Addr *Address `yaml:"addr"`
	// Iova is the first address that the keys of the region understand.
	Iova *Address `yaml:"iova"`
	// Access are the rights.
	Access ib.AccessFlags `yaml:"access"`
	// Key asks for this key, of an index that is not in use, under hosts: only; by
	// default the device chooses.
	Key *uint32 `yaml:"key" min:"256"`
	// At is the address of the buffer to be made when there is no Buf and no Addr.
	At *Address `yaml:"at"`
	// Page is the size of the pages of the buffer to be made; 4KiB.
	Page *sim.Bytes `yaml:"page" pow2:"true"`
	// Fill is what the buffer to be made holds; 0.
	Fill *Data `yaml:"fill"`
	// Prot is what the CPU may do with the buffer to be made; rw.
	Prot Prot `yaml:"prot"`
	// Proc is the address space; by default the host's first.
	Proc Ref `yaml:"proc" kind:"proc"`
}

// ReregMR is ibv_rereg_mr.
type ReregMR struct {
	// MR is the region to change.
	MR Ref `yaml:"mr" kind:"mr"`
	// Flags say what changes; left out, what is given decides.
	Flags *ib.ReregFlags `yaml:"flags"`
	// PD it goes to.
	PD Ref `yaml:"pd" kind:"pd"`
	// Buf is the buffer it has from now on.
	Buf Ref `yaml:"buf" kind:"mem"`
	// Offset of the part from the first byte of the buffer.
	Offset Offset `yaml:"offset"`
	// Length of the part; by default all that is left.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Addr is the virtual address it begins at, whatever is there.
	Addr *Address `yaml:"addr"`
	// Access are the rights it has from now on.
	Access *ib.AccessFlags `yaml:"access"`
}

// DeregMR is ibv_dereg_mr.
type DeregMR struct {
	// MR is the region to take away.
	MR Ref `yaml:"mr" kind:"mr" short:"true"`
}

// AllocMR allocates a fast-register region (the kernel's ib_alloc_mr).
type AllocMR struct {
	Pos Pos `yaml:"-"`

	// As is the region's name, in alloc_mr; under hosts: the key is the name.
	As Name `yaml:"as"`
	// Count makes an array of so many alike, under hosts: only.
	Count *uint32 `yaml:"count" min:"1" max:"4194304"`
	// PD of the region; by default the host's first.
	PD Ref `yaml:"pd" kind:"pd"`
	// Pages is the longest page list it takes; 16.
	Pages *uint32 `yaml:"pages" min:"1" max:"16777216"`
	// Key asks for this key, of an index that is not in use, under hosts: only; by
	// default the device chooses.
	Key *uint32 `yaml:"key" min:"256"`
}

// RegShared is a region that shares the pages of another (register shared).
type RegShared struct {
	// As is the name of the new region.
	As Name `yaml:"as"`
	// Of is the region whose pages are shared.
	Of Ref `yaml:"of" kind:"mr"`
	// PD of the new region; by default the host's first.
	PD Ref `yaml:"pd" kind:"pd"`
	// Access are the rights of the new region.
	Access ib.AccessFlags `yaml:"access"`
	// Iova is the first address that its keys understand; by default that of Of.
	Iova *Address `yaml:"iova"`
}

// AdviseMR is ibv_advise_mr.
type AdviseMR struct {
	// MR is the region to fetch pages of.
	MR Ref `yaml:"mr" kind:"mr"`
	// Advice is ibv_advise_mr's: fetch for reading, for writing, or only what
	// needs no fault.
	Advice string `yaml:"advice" enum:"prefetch,prefetch_write,prefetch_no_fault"`
	// Offset of the part from the first byte of the region.
	Offset Offset `yaml:"offset"`
	// Length of the part; by default all that is left.
	Length *sim.Bytes `yaml:"length" bare:"true"`
}

// AllocMW is ibv_alloc_mw.
type AllocMW struct {
	Pos Pos `yaml:"-"`

	// As is the window's name, in alloc_mw; under hosts: the key is the name.
	As Name `yaml:"as"`
	// Count makes an array of so many alike, under hosts: only.
	Count *uint32 `yaml:"count" min:"1" max:"4194304"`
	// PD of the window; by default the host's first.
	PD Ref `yaml:"pd" kind:"pd"`
	// Type is 1 or 2; another number is allowed where errno is expected.
	Type uint8 `yaml:"type" required:"true"`
}

// DeallocMW is ibv_dealloc_mw.
type DeallocMW struct {
	// MW is the window to give back.
	MW Ref `yaml:"mw" kind:"mw" short:"true"`
}

// BindMW is ibv_bind_mw, the verb for windows of type 1.
type BindMW struct {
	// QP to post the bind on; by default the host's first.
	QP Ref `yaml:"qp" kind:"qp"`
	// Signaled is false for a bind without a completion.
	Signaled *bool `yaml:"signaled"`
	// Flags are send_flags besides SIGNALED, such as FENCE.
	Flags ib.SendFlags `yaml:"send_flags"`
	Bind  `yaml:",inline"`
}

// Bind is what is bound to what (ibv_mw_bind_info).
type Bind struct {
	// MW is the window to bind; by default the host's first.
	MW Ref `yaml:"mw" kind:"mw"`
	// MR is the region behind; none unbinds a window of type 1, or is the
	// mistake that is tested. By default the host's first.
	MR Ref `yaml:"mr" kind:"mr" none:"true"`
	// Offset is counted from the first byte of the region; Addr is absolute.
	Offset Offset `yaml:"offset"`
	// Addr is the absolute address of the window's first byte, in the place of
	// Offset.
	Addr *Address `yaml:"addr"`
	// Length of the window; by default all that is left of the region.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Access are the rights of the window.
	Access ib.AccessFlags `yaml:"access"`
	// KeyByte is the low byte of the new key of type 2: a number, or a change
	// of the present one; by default +1.
	KeyByte Delta `yaml:"key_byte"`
	// Key is the whole key of type 2 (rkey of the work request).
	Key *KeyExpr `yaml:"key"`
	// MRKey names the region by another L_Key than its own.
	MRKey *KeyExpr `yaml:"mr_key"`
}

// CreateQP is ibv_create_qp.
type CreateQP struct {
	QP `yaml:",inline"`
}

// ModifyQP is ibv_modify_qp, once for each state.
type ModifyQP struct {
	// QP is the queue pair to change.
	QP Ref `yaml:"qp" kind:"qp"`
	// State or states to go to, one after another; none changes attributes
	// only.
	State []ib.QPState `yaml:"state"`
	// Peer is the queue pair at the other end, HOST.NAME.
	Peer Ref `yaml:"peer" kind:"qp"`

	QPAttr `yaml:",inline"`
}

// DestroyQP is ibv_destroy_qp.
type DestroyQP struct {
	// QP is the queue pair to destroy.
	QP Ref `yaml:"qp" kind:"qp" short:"true"`
}

// CreateSRQ is ibv_create_srq.
type CreateSRQ struct {
	Pos Pos `yaml:"-"`

	// As is the name of the queue, in create_srq; under hosts: the key is the
	// name.
	As Name `yaml:"as"`
	// PD of the queue; by default the host's first.
	PD Ref `yaml:"pd" kind:"pd"`
	// MaxWR is how many receives it holds.
	MaxWR *uint32 `yaml:"max_wr" min:"1" max:"32768"`
	// MaxSGE bounds the pieces of a receive.
	MaxSGE *uint32 `yaml:"max_sge" min:"1" max:"64"`
	// Limit of receives below which SRQ_LIMIT_REACHED is raised.
	Limit *uint32 `yaml:"limit"`
}

// ModifySRQ is ibv_modify_srq.
type ModifySRQ struct {
	// SRQ is the queue to change.
	SRQ Ref `yaml:"srq" kind:"srq"`
	// MaxWR is how many receives it holds from now on.
	MaxWR *uint32 `yaml:"max_wr"`
	// Limit of receives below which SRQ_LIMIT_REACHED is raised.
	Limit *uint32 `yaml:"limit"`
}

// CreateCQ is ibv_create_cq.
type CreateCQ struct {
	Pos Pos `yaml:"-"`

	// As is the name of the queue, in create_cq; under hosts: the key is the name.
	As Name `yaml:"as"`
	// Depth is the number of completions it holds; 256.
	Depth *uint32 `yaml:"depth" min:"1" max:"4194304"`
	// Count of completions after which an event is raised.
	Count *uint32 `yaml:"moderate_count" max:"65535"`
	// Period after which an event is raised, however few there are.
	Period *sim.Duration `yaml:"moderate_period"`
}

// CreateAH is ibv_create_ah.
type CreateAH struct {
	// As is the name of the address handle.
	As Name `yaml:"as"`
	// PD of the handle; by default the host's first.
	PD Ref `yaml:"pd" kind:"pd"`
	// Peer is the queue pair that datagrams go to, HOST.NAME.
	Peer Ref `yaml:"peer" kind:"qp"`
}

// Destroy is ibv_destroy_cq, ibv_destroy_srq or ibv_destroy_ah, by the kind of
// Of.
type Destroy struct {
	Of Ref
}

// Query is one of ibv_query_*, which Verb names; Of is the object, if any.
type Query struct {
	Verb string
	Of   Ref
}

// ReqNotify is ibv_req_notify_cq.
type ReqNotify struct {
	// CQ whose next completion raises an event.
	CQ Ref `yaml:"cq" kind:"cq" short:"true"`
	// SolicitedOnly waits for a solicited or failed completion.
	SolicitedOnly bool `yaml:"solicited_only"`
}

// GetEvent waits for a completion event of CQ (ibv_get_cq_event), or without
// one for an asynchronous event (ibv_get_async_event).
type GetEvent struct {
	// CQ whose event is waited for; without it, an asynchronous event.
	CQ Ref `yaml:"cq" kind:"cq" short:"true"`
	// Ack acknowledges the event at once.
	Ack bool `yaml:"ack"`
}

// PollCQ is ibv_poll_cq by hand.
type PollCQ struct {
	// CQ to poll.
	CQ Ref `yaml:"cq" kind:"cq"`
	// QP: poll its send completion queue.
	QP Ref `yaml:"qp" kind:"qp"`
	// N is the most to take; 1.
	N uint32 `yaml:"n"`
}

// IncRKey is ibv_inc_rkey; expect: {key: …} judges the result.
type IncRKey struct {
	// Key whose low byte is to be counted up.
	Key KeyExpr `yaml:"key" required:"true" short:"true"`
}
