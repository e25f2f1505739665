package ib

// The rings below are the contract between the software that posts work and
// the adapter that does it: typed slices standing for host memory, each with
// the address and the size in bytes that its DMA is charged for. All depths
// are powers of two; a producer or consumer counter runs freely and is masked
// into a slot.

// An SGE is one piece of local memory of a work request (ibv_sge, 16 bytes).
type SGE struct {
	Addr   uint64
	Length uint32
	LKey   LKey
}

// SGEBytes is the size of one SGE in a WQE.
const SGEBytes = 16

// A WQE is a send work request as it stands in the send queue.
type WQE struct {
	ID     uint64 // wr_id
	Opcode WROpcode
	Flags  SendFlags
	NumSGE uint8
	Slots  uint8  // 64-byte basic blocks that the request occupies in the ring
	Length uint64 // bytes of the whole message: sum of the SGEs, or inline
	Imm    uint32 // immediate data
	RKey   RKey   // remote key; for SEND_WITH_INV and LOCAL_INV the key to invalidate

	DestQP QPN    // UD: as the address handle and the request say
	QKey   uint32 // UD: as sent
	AHPD   PDN    // UD: the domain of the address handle

	RemoteAddr uint64
	Compare    uint64 // CMP_SWAP: compare; unused otherwise
	Swap       uint64 // CMP_SWAP: swap; FETCH_ADD: the addend

	Bind Bind // BIND_MW and REG_MR

	// Stamp is the instant, in picoseconds, at which the doorbell that covers
	// this request left the CPU. The adapter does not look at it; records do.
	Stamp uint64
	// Op is the number under which the poster keeps its own record of the
	// request. It comes back in the CQE; no wire carries it.
	Op uint32
}

// Bind is the part of a WQE that changes the protection table: a window to
// bind (BIND_MW) or a fast-register region to make valid (REG_MR).
type Bind struct {
	Window    Index // BIND_MW: the window's entry
	Type      MWType
	Region    LKey // BIND_MW: the region bound to; REG_MR: the region's current key
	NewKey    RKey // the key wanted; its low byte counts (KEY-4, KEY-6)
	Addr      uint64
	Length    uint64
	Access    AccessFlags
	NoRegion  bool   // BIND_MW of type 1 with no region: unbind
	PageShift uint8  // REG_MR: log2 of the page size
	Pages     uint32 // REG_MR: number of pages in the slot's page list
}

// A PageList is the page addresses of a REG_MR, beside the ring in host memory.
type PageList struct {
	Addr  uint64 // of the first, as the adapter addresses host memory
	Room  int    // pages that there is memory for
	Pages []uint64
}

// A SendRing is a send queue in host memory.
type SendRing struct {
	Base      uint64 // address of slot 0, as the adapter addresses host memory
	Stride    uint32 // bytes per slot
	MaxSGE    int
	MaxInline int
	WQEs      []WQE
	SGEs      []SGE      // MaxSGE per slot
	Inline    []byte     // MaxInline per slot
	PageLists []PageList // REG_MR: one per slot, empty until used
}

// NewSendRing returns an empty ring of depth slots (a power of two).
func NewSendRing(base uint64, stride uint32, depth, maxSGE, maxInline int) *SendRing {
	return &SendRing{
		Base: base, Stride: stride, MaxSGE: maxSGE, MaxInline: maxInline,
		WQEs: make([]WQE, depth), SGEs: make([]SGE, depth*maxSGE),
		Inline: make([]byte, depth*maxInline), PageLists: make([]PageList, depth),
	}
}

// Slot returns the slot that counter n stands for.
func (r *SendRing) Slot(n uint32) int { return int(n) & (len(r.WQEs) - 1) }

// SGE returns the scatter/gather list of the request in slot.
func (r *SendRing) SGE(slot int) []SGE {
	return r.SGEs[slot*r.MaxSGE:][:r.WQEs[slot].NumSGE]
}

// InlineData returns the inline bytes of the request in slot.
func (r *SendRing) InlineData(slot int) []byte {
	return r.Inline[slot*r.MaxInline:][:r.WQEs[slot].Length]
}

// An RWQE is a receive work request as it stands in a receive queue.
type RWQE struct {
	ID     uint64
	NumSGE uint8
	Op     uint32 // the poster's record, as in WQE
}

// A RecvRing is a receive queue, or a shared receive queue, in host memory.
// The consumer is the adapter; the doorbell moves the producer.
type RecvRing struct {
	Base   uint64
	Stride uint32
	MaxSGE int
	WQEs   []RWQE
	SGEs   []SGE // MaxSGE per slot
}

// NewRecvRing returns an empty ring of depth slots (a power of two).
func NewRecvRing(base uint64, stride uint32, depth, maxSGE int) *RecvRing {
	return &RecvRing{
		Base: base, Stride: stride, MaxSGE: maxSGE,
		WQEs: make([]RWQE, depth), SGEs: make([]SGE, depth*maxSGE),
	}
}

// Slot returns the slot that counter n stands for.
func (r *RecvRing) Slot(n uint32) int { return int(n) & (len(r.WQEs) - 1) }

// SGE returns the scatter list of the request in slot.
func (r *RecvRing) SGE(slot int) []SGE {
	return r.SGEs[slot*r.MaxSGE:][:r.WQEs[slot].NumSGE]
}

// A CQE is a completion (ibv_wc). In an error completion only ID, Status and
// QPN mean something (QP-5).
type CQE struct {
	ID             uint64
	QPN            QPN
	Status         WCStatus
	Opcode         WCOpcode
	Flags          WCFlags
	Recv           bool // of the receive queue
	Solicited      bool // the sender wants an event for it
	ByteLen        uint32
	SrcQP          QPN // UD receives
	Imm            uint32
	InvalidatedKey RKey
	Op             uint32 // WQE.Op or RWQE.Op of the request that completed
	Retired        uint32 // send queue: counter of the slot after the request: all before it are free
}

// A CQRing is a completion queue in host memory. The adapter produces, the
// software consumes.
type CQRing struct {
	Base     uint64
	Stride   uint32 // bytes of one CQE
	CQEs     []CQE
	Producer uint32 // moved by the adapter as its write is committed
	Consumer uint32 // moved by the software
}

// NewCQRing returns an empty ring of depth entries (a power of two).
func NewCQRing(base uint64, stride uint32, depth int) *CQRing {
	return &CQRing{Base: base, Stride: stride, CQEs: make([]CQE, depth)}
}

// Push writes c behind the last entry. The ring must not be full.
func (r *CQRing) Push(c *CQE) {
	r.CQEs[int(r.Producer)&(len(r.CQEs)-1)] = *c
	r.Producer++
}

// Pop takes the oldest entry, nil if there is none. It stays as it is until the
// adapter produces again.
func (r *CQRing) Pop() *CQE {
	if r.Consumer == r.Producer {
		return nil
	}
	c := &r.CQEs[int(r.Consumer)&(len(r.CQEs)-1)]
	r.Consumer++
	return c
}

// An EQE is an asynchronous event, or the event of a completion queue.
type EQE struct {
	Completion bool // of CQN; Event means nothing then
	Event      EventType
	QPN        QPN
	CQN        CQN
	SRQN       SRQN
}

// EQEBytes is the size of one event in the event ring.
const EQEBytes = 64

// A PageRequest asks the driver for pages of an on-demand region. It stands in
// the event ring.
type PageRequest struct {
	Index  Index
	Addr   uint64 // as the key's holder names it
	Length uint64
	Write  bool
}

// QPAttr is what create and modify set on a queue pair (ibv_qp_attr and
// ibv_qp_init_attr together).
type QPAttr struct {
	Wanted          QPN // create: the number to have; 0 for any
	Type            QPType
	State           QPState
	PD              PDN
	SendCQ          CQN
	RecvCQ          CQN
	SRQ             SRQN        // zero: the queue pair has a receive queue of its own
	Access          AccessFlags // second gate in front of the key check (QP-11)
	Dest            QPN
	PathMTU         uint32 // bytes: 256, 512, 1024, 2048, 4096
	SQPSN           PSN
	RQPSN           PSN
	QKey            uint32 // UD: of the queue pair
	MaxRdAtomic     uint8  // READs and atomics this side may have outstanding
	MaxDestRdAtomic uint8  // and may be asked for
	Timeout         uint8  // 4.096 us * 2^Timeout; 0 waits for ever
	RetryCnt        uint8  // 0..7
	RNRRetry        uint8  // 0..6; 7 retries for ever
	MinRNRTimer     uint8  // code of 5.4
	SigAll          bool   // every send request is signaled
	SQ              *SendRing
	RQ              *RecvRing
}

// A QPOp is a command on a queue.
type QPOp uint8

// The commands on queues. Those on regions, windows and domains are
// tpt.Command.
const (
	NoQPOp QPOp = iota
	CreateQP
	ModifyQP
	DestroyQP
	CreateCQ
	DestroyCQ
	CreateSRQ
	ModifySRQ
	DestroySRQ
	FailPages // no page can be had for a request of the adapter
)

// QPAttrMask says which attributes a modification sets (ibv_qp_attr_mask,
// grouped).
type QPAttrMask uint8

// The groups of attributes.
const (
	MaskState  QPAttrMask = 1 << iota
	MaskAccess            // Access
	MaskPath              // Dest, PathMTU
	MaskPSN               // SQPSN, RQPSN
	MaskRetry             // Timeout, RetryCnt, RNRRetry, MinRNRTimer
	MaskReads             // MaxRdAtomic, MaxDestRdAtomic
	MaskQKey              // QKey
)

// A QPCommand is a command on a queue pair or completion queue.
type QPCommand struct {
	Op     QPOp
	QPN    QPN // modify, destroy
	Mask   QPAttrMask
	Attr   QPAttr
	CQN    CQN // destroy
	CQ     *CQRing
	Count  uint32      // CreateCQ: moderation, an event after so many completions
	Period uint64      // CreateCQ: moderation, or so many picoseconds
	SRQN   SRQN        // modify, destroy
	PD     PDN         // CreateSRQ
	RQ     *RecvRing   // CreateSRQ
	Limit  uint32      // CreateSRQ, ModifySRQ
	Pages  PageRequest // FailPages
}
