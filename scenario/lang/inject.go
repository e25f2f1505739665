package lang

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A Fault is a failure on purpose. Wire or Command is said. It
// arms when its step runs and hits the next Count things that match.
type Fault struct {
	Pos Pos `yaml:"-"`

	// Wire does something to packets.
	Wire string `yaml:"wire" enum:"drop,corrupt,duplicate,delay,reorder"`
	// Command makes a command of the device fail.
	Command string `yaml:"command" enum:"rereg_mr"`

	// From is the sending host; by default the step's.
	From Name `yaml:"from"`
	// Count is how many are hit; by default 1, unless a probability is given.
	Count *Count `yaml:"count"`
	// Skip lets so many that match pass first.
	Skip uint32 `yaml:"skip"`
	// Probability that one is hit.
	Probability *Probability `yaml:"probability"`
	// Delay of delayed and reordered ones.
	Delay sim.Duration `yaml:"delay"`

	// QP that sends the packet that is hit.
	QP Ref `yaml:"qp" kind:"qp"`
	// Opcode of the packet that is hit.
	Opcode *ib.Opcode `yaml:"opcode"`
	// PSN of the packet that is hit.
	PSN *PSN `yaml:"psn"`
	// Of is the id of the step that the packet belongs to.
	Of string `yaml:"of"`
}

// A Probability is a share, written 0.001, 0.1 % or 1/1000; kept in millionths.
type Probability uint32

// A PSN is a packet number: absolute, or counted from the next the queue pair
// would send (+0).
type PSN struct {
	Relative bool
	Value    int32
}

// A Packet is sent by hand, past the requester, to test a responder. What is
// left out is as the queue pair would have it.
type Packet struct {
	Pos Pos `yaml:"-"`

	// QP whose connection it pretends to belong to.
	QP Ref `yaml:"qp" kind:"qp"`
	// Opcode of the base header; a number may be one that does not exist.
	Opcode PacketOpcode `yaml:"opcode" required:"true"`
	// PSN; by default the next, which it then uses up.
	PSN *PSN `yaml:"psn"`
	// DestQP is the number in the header; by default the peer's.
	DestQP *uint32 `yaml:"dest_qp" max:"16777215"`
	// AckReq is the bit that asks for an acknowledge.
	AckReq *bool `yaml:"ack_req"`
	// Solicited is the solicited-event bit.
	Solicited bool `yaml:"solicited"`
	// PKey of the base header.
	PKey *uint16 `yaml:"pkey"`
	// Remote is the address and key of the RETH or the AtomicETH.
	Remote *Remote `yaml:"remote"`
	// DMALength is the length in the RETH.
	DMALength *sim.Bytes `yaml:"dma_length" bare:"true"`
	// Add is the value that the AtomicETH adds.
	Add *uint64 `yaml:"add"`
	// Compare is the value that the AtomicETH compares with.
	Compare *uint64 `yaml:"compare"`
	// Swap is the value that the AtomicETH would write.
	Swap *uint64 `yaml:"swap"`
	// Imm is the immediate of the ImmDt.
	Imm *uint32 `yaml:"imm"`
	// Invalidate is the key in the IETH.
	Invalidate *KeyExpr `yaml:"invalidate"`
	// Syndrome of the AETH, by name or number.
	Syndrome *Syndrome `yaml:"syndrome"`
	// MSN is the message sequence number of the AETH.
	MSN *uint32 `yaml:"msn" max:"16777215"`
	// Payload is the length of the payload in bytes.
	Payload *sim.Bytes `yaml:"payload" bare:"true" max:"4096"`
	// Data are the bytes of the payload.
	Data *Data `yaml:"data"`
	// BadICRC spoils the invariant CRC.
	BadICRC bool `yaml:"bad_icrc"`
}

// A PacketOpcode is the opcode of a base header, known or not.
type PacketOpcode struct {
	Given bool
	Value ib.Opcode
}

// A Syndrome is that of an AETH, by name or number.
type Syndrome struct {
	Value ib.Syndrome
	// Class compares by kind only: an ACK with any credits, an RNR NAK with
	// any timer.
	Class bool
}
