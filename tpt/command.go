package tpt

import "hcasim/ib"

// An Op is a change to the tables.
type Op uint8

// The changes. Those of the first group come from the driver as device
// commands, those of the second as work requests or from the peer.
const (
	NoOp Op = iota
	AllocPD
	DeallocPD
	RegMR     // ibv_reg_mr
	RegShared // shared region from another
	AllocMR   // fast-register region, FREE
	ReregMR
	DeregMR
	AllocMW
	DeallocMW
	CreateQP // counts the QP in its PD
	DestroyQP
	CreateSRQ
	DestroySRQ

	BindMW     // type 1 (ibv_bind_mw) or type 2 (BIND_MW work request)
	FastRegMR  // REG_MR work request
	LocalInv   // LOCAL_INV work request
	RemoteInv  // SEND_WITH_INV executed by its receiver
)

// A Command is one change, from whatever side it comes. Only the fields that
// its Op names are read.
type Command struct {
	Op     Op
	PD     ib.PDN         // new object's PD; rereg: new PD; work request: PD of the QP that carries it
	QPN    ib.QPN         // work request: the QP that carries it; QP commands: the QP
	SRQN   ib.SRQN        // SRQ commands
	Index  ib.Index       // dereg, rereg, dealloc, shared: the object
	Key    ib.Key         // invalidate: the key to kill; fast-register: region's index and new byte
	Access ib.AccessFlags // rights asked for
	VA     uint64         // first address (IOVA) of the region, or of the range to bind
	Length uint64
	// First is the offset of the first byte within the first page.
	First     uint64
	PageShift uint8
	Pages     []uint64 // physical addresses of the pages, in order; read during Apply only
	MaxPages  uint32   // AllocMR: longest page list that may be registered
	Rereg     ib.ReregFlags
	MWType    ib.MWType
	Window    ib.Index // BindMW
	Region    ib.Key   // BindMW: L_Key of the region
	NoRegion  bool     // BindMW type 1: unbind
	NewByte   uint8    // BindMW type 2: key byte wanted
	Fail      bool     // a device failure injected on purpose (RER-7)
	Writable  bool     // rereg/reg: the pages are pinned writable (ACC-18)
}

// A Result is what a change came to. Errno is for commands of the driver,
// Status for work requests; both zero mean done. On a refusal the tables are
// as before, save where the rules say otherwise (RER-7).
type Result struct {
	Errno  ib.Errno
	Rereg  ib.ReregResult
	Status ib.WCStatus
	Rule   string   // id of the rule that refused, such as "BND-1"
	Fault  Fault    // cause, where one of the access faults names it
	Index  ib.Index // new object
	PD     ib.PDN   // AllocPD
	Key    ib.Key   // current key of the object after the change
	OldKey ib.Key   // key that died, 0 if none
	// Touched are the entries that changed: copies of them are stale.
	Touched [2]ib.Index
	// MTT is the run of translation entries that changed or were given back.
	MTT, MTTCount uint32
}
