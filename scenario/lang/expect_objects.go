package lang

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// A HostExpect is what stands on one host.
type HostExpect struct {
	Pos Pos
	// Objects by name.
	Objects []ObjectExpect
	// Counts of things: mr, mw, pd, qp, mtt, pinned (pages).
	Counts []CountExpect
}

// An ObjectExpect is the state of a region, window, queue pair or buffer. A
// bare word is State. What is left out is not looked at.
type ObjectExpect struct {
	Pos Pos `yaml:"-"`

	Of Ref `yaml:"-"`
	// State: ABSENT, FREE, VALID (BOUND of a window) or UNUSABLE; of a queue
	// pair QPState.
	State   *tpt.State  `yaml:"-"`
	QPState *ib.QPState `yaml:"-"`
	// Rights as the table has them.
	Access *ib.AccessFlags `yaml:"access"`
	// PD as the table has it.
	PD Ref `yaml:"pd" kind:"pd"`
	// QP that a type 2 window is bound to.
	QP Ref `yaml:"qp" kind:"qp"`
	// MR behind a window.
	MR Ref `yaml:"mr" kind:"mr"`
	// Addr is the first address that the key grants.
	Addr *Address `yaml:"addr"`
	// Length in bytes that the key grants.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// Windows bound to a region.
	Windows *uint32 `yaml:"windows"`
	// Posted receives, of a queue pair or shared receive queue.
	Posted *uint32 `yaml:"posted"`
	// StillSince is of buffers: since the step of this id began every page has
	// stayed at its physical address.
	StillSince string `yaml:"still_since"`
	// MovedSince: since the step of this id began every page has another physical
	// address.
	MovedSince string `yaml:"moved_since"`
}

// A CountExpect is how many there are: a number, or as before.
type CountExpect struct {
	Pos       Pos
	What      string
	Unchanged bool
	N         uint64
}

// KeyExpects is a mapping from objects to what their keys must be, or, of
// inc_rkey, one key.
type KeyExpects []KeyExpect

// A KeyExpect relates the present key of Of to another.
type KeyExpect struct {
	Pos Pos `yaml:"-"`

	// Of is the object; of inc_rkey, and of Distinct, there is none.
	Of Ref `yaml:"-"`
	// New is true for another key than when the step began, false for the
	// same.
	New *bool `yaml:"new"`
	// Equals: it is this other key.
	Equals *KeyExpr `yaml:"equals"`
	// Differs: it is not this other key.
	Differs *KeyExpr `yaml:"differs"`
	// Byte is its low byte: a number, or a change of the one before.
	Byte Delta `yaml:"byte"`
	// SameIndex as when the step began.
	SameIndex *bool `yaml:"same_index"`
	// Distinct: no two of these objects have the same index, and none has 0.
	Distinct []Ref `yaml:"-" kind:"mr,mw"`
}

// A NAKExpect is a negative acknowledgement, or none. A bare name or number.
type NAKExpect struct {
	Pos Pos `yaml:"-"`

	None bool `yaml:"-"`
	// Syndrome is its name, such as REM_ACCESS_ERR, or the number in the AETH.
	Syndrome Syndrome `yaml:"syndrome" short:"true" required:"true"`
	// PSN of the request that is refused.
	PSN *PSN `yaml:"psn"`
}

// Packets are what a tap on the wire would see during the step.
type Packets struct {
	Pos Pos
	// None: not one. Count: so many, requests and answers.
	None  bool
	Count *uint32
	// List in order; repeated ones are written out.
	List []PacketExpect
}

// A PacketExpect is one packet; a bare word is its opcode. What is left out is
// not looked at.
type PacketExpect struct {
	Pos Pos `yaml:"-"`

	// From is the host that sends it.
	From Name `yaml:"from"`
	// Opcode of the base header.
	Opcode *ib.Opcode `yaml:"opcode"`
	// QP that sends it.
	QP Ref `yaml:"qp" kind:"qp"`
	// PSN is its packet number, or how far it is from the first of the step.
	PSN *PSN `yaml:"psn"`
	// Length of the payload in bytes.
	Length *sim.Bytes `yaml:"length" bare:"true"`
	// DMALength is what the RETH says that the whole message moves.
	DMALength *sim.Bytes `yaml:"dma_length" bare:"true"`
	// Syndrome of the AETH.
	Syndrome *Syndrome `yaml:"syndrome"`
	// Times repeats it.
	Times *uint32 `yaml:"times" min:"1"`
}
