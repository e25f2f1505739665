package ib

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The sizes in bytes of the headers of a packet (IBA 9.2, 9.3).
const (
	BTHBytes          = 12
	RETHBytes         = 16
	AETHBytes         = 4
	AtomicETHBytes    = 28
	AtomicAckETHBytes = 8
	DETHBytes         = 8
	ImmBytes          = 4
	IETHBytes         = 4
)

// DefaultPKey is the partition key of a full member of the default partition
// (IBA 10.9.1.2), the only one that adapters of this model are in.
const DefaultPKey = 0xFFFF

// BTH is the base transport header that every packet has.
type BTH struct {
	Opcode    Opcode
	Solicited bool // SE: the receiver wants an event for this message
	MigReq    bool // path migration state; carried, not acted upon
	FECN      bool // RoCEv2 congestion marks in the reserved byte
	BECN      bool
	Pad       uint8 // 0..3 bytes of padding behind the payload
	PKey      uint16
	DestQP    QPN
	AckReq    bool
	PSN       PSN
}

// RETH is where an RDMA operation goes and how long it is.
type RETH struct {
	VA     uint64
	RKey   RKey
	Length uint32 // bytes of the whole message
}

// AETH is a responder's word: ACK or NAK, and how many messages it has done.
type AETH struct {
	Syndrome Syndrome
	MSN      uint32 // 24 bits
}

// AtomicETH is an atomic operation. Swap is the addend of a FETCH_ADD.
type AtomicETH struct {
	VA      uint64
	RKey    RKey
	Swap    uint64
	Compare uint64
}

// AtomicAckETH is what an atomic operation found.
type AtomicAckETH struct {
	Original uint64
}

// DETH goes with a datagram.
type DETH struct {
	QKey  uint32
	SrcQP QPN
}

// IETH is the key that the receiver is asked to invalidate.
type IETH struct {
	RKey RKey
}

// ImmDt is immediate data.
type ImmDt struct {
	Data uint32
}

// Headers are all headers of one packet from the BTH on. Which of them stand
// on the wire, BTH.Opcode says; the others are zero.
type Headers struct {
	BTH       BTH
	DETH      DETH
	RETH      RETH
	Atomic    AtomicETH
	AETH      AETH
	AtomicAck AtomicAckETH
	Imm       ImmDt
	IETH      IETH
}

// Bytes returns the size of the headers that o has, BTH included.
func (o Opcode) Bytes() int {
	n := BTHBytes
	for _, h := range headerOrder {
		if o.is(h.has) {
			n += h.bytes
		}
	}
	return n
}

// headerOrder is the order in which headers follow the BTH (IBA 9.2, figure
// "IBA packet transport headers").
var headerOrder = [...]struct {
	has   trait
	bytes int
}{
	{hasDETH, DETHBytes}, {hasRETH, RETHBytes}, {hasAtomicETH, AtomicETHBytes},
	{hasAETH, AETHBytes}, {hasAtomicAckETH, AtomicAckETHBytes},
	{hasImm, ImmBytes}, {hasIETH, IETHBytes},
}

// PadFor returns how many bytes bring a payload of n bytes to a multiple of 4.
func PadFor(n int) uint8 { return uint8(-n & 3) }

// Append writes the headers behind dst as they stand on the wire. Payload and
// BTH.Pad bytes of padding follow them.
func (h *Headers) Append(dst []byte) []byte {
	o := h.BTH.Opcode
	dst = h.BTH.append(dst)
	be := binary.BigEndian
	if o.HasDETH() {
		dst = be.AppendUint32(dst, h.DETH.QKey)
		dst = be.AppendUint32(dst, uint32(h.DETH.SrcQP)&psnMask)
	}
	if o.HasRETH() {
		dst = be.AppendUint64(dst, h.RETH.VA)
		dst = be.AppendUint32(dst, uint32(h.RETH.RKey))
		dst = be.AppendUint32(dst, h.RETH.Length)
	}
	if o.HasAtomicETH() {
		dst = be.AppendUint64(dst, h.Atomic.VA)
		dst = be.AppendUint32(dst, uint32(h.Atomic.RKey))
		dst = be.AppendUint64(dst, h.Atomic.Swap)
		dst = be.AppendUint64(dst, h.Atomic.Compare)
	}
	if o.HasAETH() {
		dst = be.AppendUint32(dst, uint32(h.AETH.Syndrome)<<24|h.AETH.MSN&psnMask)
	}
	if o.HasAtomicAckETH() {
		dst = be.AppendUint64(dst, h.AtomicAck.Original)
	}
	if o.HasImm() {
		dst = be.AppendUint32(dst, h.Imm.Data)
	}
	if o.HasIETH() {
		dst = be.AppendUint32(dst, uint32(h.IETH.RKey))
	}
	return dst
}

func (b *BTH) append(dst []byte) []byte {
	dst = append(dst, byte(b.Opcode), bit(b.Solicited, 7)|bit(b.MigReq, 6)|b.Pad&3<<4)
	dst = binary.BigEndian.AppendUint16(dst, b.PKey)
	marks := bit(b.FECN, 7) | bit(b.BECN, 6)
	dst = binary.BigEndian.AppendUint32(dst, uint32(marks)<<24|uint32(b.DestQP)&psnMask)
	return binary.BigEndian.AppendUint32(dst, uint32(bit(b.AckReq, 7))<<24|uint32(b.PSN)&psnMask)
}

func bit(set bool, n uint) uint8 {
	if set {
		return 1 << n
	}
	return 0
}

// errTruncated is what Decode says of a packet that ends inside its headers or
// its padding.
var errTruncated = errors.New("ib: packet ends inside its headers")

// Decode reads a packet from its BTH to its last byte of padding, without
// ICRC. The payload it returns is a part of p. Bits that the specification
// reserves are ignored.
func Decode(p []byte) (h Headers, payload []byte, err error) {
	if len(p) < BTHBytes {
		return Headers{}, nil, errTruncated
	}
	h.BTH.decode(p)
	o := h.BTH.Opcode
	switch {
	case !o.Known():
		return Headers{}, nil, fmt.Errorf("ib: unknown packet opcode %#02x", uint8(o))
	case p[1]&0x0F != 0:
		return Headers{}, nil, fmt.Errorf("ib: transport header version %d", p[1]&0x0F)
	case len(p) < o.Bytes()+int(h.BTH.Pad):
		return Headers{}, nil, errTruncated
	}
	h.extended(o, p[BTHBytes:])
	payload = p[o.Bytes() : len(p)-int(h.BTH.Pad)]
	if len(payload) > 0 && !o.HasPayload() {
		return Headers{}, nil, fmt.Errorf("ib: %d bytes behind the headers of %v", len(payload), o)
	}
	return h, payload, nil
}

func (b *BTH) decode(p []byte) {
	*b = BTH{
		Opcode: Opcode(p[0]), Solicited: p[1]&0x80 != 0, MigReq: p[1]&0x40 != 0, Pad: p[1] >> 4 & 3,
		PKey: binary.BigEndian.Uint16(p[2:]), FECN: p[4]&0x80 != 0, BECN: p[4]&0x40 != 0,
		DestQP: QPN(binary.BigEndian.Uint32(p[4:]) & psnMask), AckReq: p[8]&0x80 != 0,
		PSN: PSN(binary.BigEndian.Uint32(p[8:]) & psnMask),
	}
}

// extended reads the headers behind the BTH; p is long enough for those of o.
func (h *Headers) extended(o Opcode, p []byte) {
	u32 := func() (v uint32) { v, p = binary.BigEndian.Uint32(p), p[4:]; return v }
	u64 := func() (v uint64) { v, p = binary.BigEndian.Uint64(p), p[8:]; return v }
	if o.HasDETH() {
		h.DETH = DETH{QKey: u32(), SrcQP: QPN(u32() & psnMask)}
	}
	if o.HasRETH() {
		h.RETH = RETH{VA: u64(), RKey: RKey(u32()), Length: u32()}
	}
	if o.HasAtomicETH() {
		h.Atomic = AtomicETH{VA: u64(), RKey: RKey(u32()), Swap: u64(), Compare: u64()}
	}
	if o.HasAETH() {
		v := u32()
		h.AETH = AETH{Syndrome: Syndrome(v >> 24), MSN: v & psnMask}
	}
	if o.HasAtomicAckETH() {
		h.AtomicAck.Original = u64()
	}
	if o.HasImm() {
		h.Imm.Data = u32()
	}
	if o.HasIETH() {
		h.IETH.RKey = RKey(u32())
	}
}
