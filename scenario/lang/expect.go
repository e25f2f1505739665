package lang

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// An Expect is what must come of a step, or of the whole run. All that it says
// must hold. "unchanged", "none" and counts compare with the state when the
// step began.
type Expect struct {
	Pos Pos `yaml:"-"`

	// WC are the completions of the step's requests, in order.
	WC *Completions `yaml:"wc"`
	// Recv are the completions of receive requests at the peer, in order.
	Recv *Completions `yaml:"recv"`
	// Errno that the verb returned; several mean one of them.
	Errno []ib.Errno `yaml:"errno"`
	// BadWR is the request of the list that was refused, from 1.
	BadWR *uint32 `yaml:"bad_wr" min:"1"`
	// Rereg is the result of ibv_rereg_mr.
	Rereg *ib.ReregResult `yaml:"rereg"`
	// Event are the asynchronous events raised, on all hosts.
	Event *Events `yaml:"event"`
	// Fault is the refused access.
	Fault *FaultExpect `yaml:"fault"`
	// Memory by name of buffer or region.
	Memory MemoryExpects `yaml:"memory"`
	// QP states by name.
	QP StateExpects `yaml:"qp"`
	// At has the state of objects, by host.
	At Map[HostExpect] `yaml:"at"`
	// Key has relations between keys.
	Key KeyExpects `yaml:"key"`
	// NAK that went over the wire.
	NAK *NAKExpect `yaml:"nak"`
	// Packets that went over the wire.
	Packets *Packets `yaml:"packets"`
	// Latency of the step.
	Latency Bounds `yaml:"latency"`
	// NoBytesAfter: no byte that this step's object opens changes after the
	// step of this id has completed.
	NoBytesAfter string `yaml:"no_bytes_after"`
	// Pending: the step need not have settled at the end.
	Pending bool `yaml:"pending"`
	// Coherence is broken where a what-if takes the invalidation away on
	// purpose: since the step began a copy out of date was at work. Where it is
	// not said, that ends the run as a failure of the model.
	Coherence string `yaml:"coherence" enum:"unbroken,broken"`
	// Stats are figures of this step's time.
	Stats []Threshold `yaml:"stats"`

	// Any: at least one of these holds.
	Any []Expect `yaml:"any"`
	// Not: this does not hold.
	Not *Expect `yaml:"not"`
	// Under other variants this is expected instead; a member that is said
	// there replaces the one said here.
	Under Map[Expect] `yaml:"under"`
}

// Completions are what a poller would see, in order. None means exactly none.
type Completions struct {
	Pos  Pos
	None bool
	List []WC // repeated ones are written out
}

// A WC is one completion. What is left out is not looked at. Written as a bare
// name it is the status; SUCCESS*4 is four of them.
type WC struct {
	Pos Pos `yaml:"-"`

	// Status; several mean one of them.
	Status []ib.WCStatus `yaml:"status"`
	// Any is another word for Status.
	Any []ib.WCStatus `yaml:"any"`
	// Times repeats it.
	Times *uint32 `yaml:"times" min:"1" max:"1000000"`

	// ID of the request that completes.
	ID string `yaml:"id"`
	// QP that it is of.
	QP Ref `yaml:"qp" kind:"qp"`
	// Opcode of the completion.
	Opcode *ib.WCOpcode `yaml:"opcode"`
	// ByteLen is how many bytes arrived.
	ByteLen *uint32 `yaml:"byte_len"`
	// Flags are wc_flags: WITH_IMM, WITH_INV, GRH.
	Flags *ib.WCFlags `yaml:"wc_flags"`
	// Imm is the immediate that arrived.
	Imm *uint32 `yaml:"imm"`
	// InvalidatedKey is the key that the peer's SEND_WITH_INV killed.
	InvalidatedKey *KeyExpr `yaml:"invalidated_rkey"`
}

// Events are the asynchronous events of a step. None means exactly none.
type Events struct {
	Pos  Pos
	None bool
	List []EventExpect
}

// An EventExpect is one event: a name, or {B: NAME}, or {on, event, qp}.
type EventExpect struct {
	Pos Pos `yaml:"-"`

	// On is the host that raises it; any if empty.
	On Name `yaml:"on"`
	// Event is its name, or IOMMU_FAULT.
	Event *ib.EventType `yaml:"event"`
	// IOMMU is an IOMMU fault, which is not an event of the adapter.
	IOMMU bool `yaml:"-"`
	// QP that it is about.
	QP Ref `yaml:"qp" kind:"qp"`
}

// A FaultExpect is a refused access: a cause, none, or {at, cause, rule}.
type FaultExpect struct {
	Pos Pos `yaml:"-"`

	None bool `yaml:"-"`
	// At is the host that refused it; any if empty.
	At Name `yaml:"at"`
	// Cause of the refusal.
	Cause *tpt.Fault `yaml:"cause" short:"true"`
	// Rule is the id of the rule that refused it, such as MW-9.
	Rule string `yaml:"rule"`
}

// MemoryExpects is a mapping from names to what their bytes must be: the word
// unchanged, the data that they equal, a mapping, or a list of these.
type MemoryExpects []MemoryExpect

// A MemoryExpect is what some bytes must be.
type MemoryExpect struct {
	Pos Pos `yaml:"-"`

	// Of is the buffer or region.
	Of Ref `yaml:"-"`
	// Unchanged since the step began: all bytes, or Length of them from At.
	Unchanged bool `yaml:"unchanged"`
	// At is the offset of the first byte.
	At Offset `yaml:"at"`
	// Length in bytes; First is another word for it. By default what the
	// step's one request moves; else what Equals has; else all that is left.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// First is another word for Length.
	First *sim.Bytes `yaml:"first" bare:"true"`
	// Equals: the bytes are these.
	Equals *Data `yaml:"equals"`
	// Prefix: only a beginning of the bytes is what Equals says, of a length that is
	// a multiple of this and may be 0 or all; the rest is unchanged.
	Prefix *sim.Bytes `yaml:"prefix" bare:"true"`
	// Changed: exactly so many bytes changed.
	Changed *sim.Bytes `yaml:"changed" bare:"true"`
	// Rest: all other bytes are unchanged.
	Rest string `yaml:"rest" enum:"unchanged"`
}

// StateExpects is a mapping from queue pairs to states.
type StateExpects []StateExpect

// A StateExpect is the state of a queue pair; several mean one of them.
type StateExpect struct {
	Pos   Pos
	QP    Ref
	State []ib.QPState
}
