package tpt

import "fmt"

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
	CreateAH // counts an address handle in its PD
	DestroyAH
	SetPages // pages of an on-demand region that came or went

	BindMW    // type 1 (ibv_bind_mw) or type 2 (BIND_MW work request)
	FastRegMR // REG_MR work request
	LocalInv  // LOCAL_INV work request
	RemoteInv // SEND_WITH_INV executed by its receiver

	// Steps of a life that no command asks for by this name.
	Unbind // BindMW of type 1 with no bytes
	Orphan // what DeregMR does to the windows of its region where it may (DER-1)
	Break  // ReregMR whose device step failed (RER-7)

	numOps
)

var opNames = [numOps]string{
	NoOp: "no-op", AllocPD: "alloc-pd", DeallocPD: "dealloc-pd", RegMR: "reg-mr", RegShared: "reg-shared",
	AllocMR: "alloc-mr", ReregMR: "rereg-mr", DeregMR: "dereg-mr", AllocMW: "alloc-mw", DeallocMW: "dealloc-mw",
	CreateQP: "create-qp", DestroyQP: "destroy-qp", CreateSRQ: "create-srq", DestroySRQ: "destroy-srq",
	CreateAH: "create-ah", DestroyAH: "destroy-ah", SetPages: "set-pages", BindMW: "bind-mw",
	FastRegMR: "fast-reg-mr", LocalInv: "local-inv", RemoteInv: "remote-inv",
	Unbind: "unbind", Orphan: "orphan", Break: "break",
}

// String returns the operation's word, such as "bind-mw".
func (op Op) String() string {
	if op < numOps {
		return opNames[op]
	}
	return fmt.Sprintf("Op(%d)", uint8(op))
}

// IsWork reports whether op comes from a work request or a peer, so that its
// Result has a Status rather than an Errno.
func (op Op) IsWork() bool { return op >= BindMW && op <= RemoteInv }
