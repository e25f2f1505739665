package ib

// An Opcode is what a packet is: the first byte of its base transport header.
// The upper three bits name the transport service, the lower five the
// operation and the packet's place in its message.
type Opcode uint8

// The packet opcodes (IBA 9.2.1, table "OpCode field").
const (
	RCSendFirst        Opcode = 0x00
	RCSendMiddle       Opcode = 0x01
	RCSendLast         Opcode = 0x02
	RCSendLastImm      Opcode = 0x03
	RCSendOnly         Opcode = 0x04
	RCSendOnlyImm      Opcode = 0x05
	RCWriteFirst       Opcode = 0x06
	RCWriteMiddle      Opcode = 0x07
	RCWriteLast        Opcode = 0x08
	RCWriteLastImm     Opcode = 0x09
	RCWriteOnly        Opcode = 0x0A
	RCWriteOnlyImm     Opcode = 0x0B
	RCReadRequest      Opcode = 0x0C
	RCReadRespFirst    Opcode = 0x0D
	RCReadRespMiddle   Opcode = 0x0E
	RCReadRespLast     Opcode = 0x0F
	RCReadRespOnly     Opcode = 0x10
	RCAck              Opcode = 0x11
	RCAtomicAck        Opcode = 0x12
	RCCompareSwap      Opcode = 0x13
	RCFetchAdd         Opcode = 0x14
	RCSendLastInv      Opcode = 0x16
	RCSendOnlyInv      Opcode = 0x17
	UCSendFirst        Opcode = 0x20
	UCSendMiddle       Opcode = 0x21
	UCSendLast         Opcode = 0x22
	UCSendLastImm      Opcode = 0x23
	UCSendOnly         Opcode = 0x24
	UCSendOnlyImm      Opcode = 0x25
	UCWriteFirst       Opcode = 0x26
	UCWriteMiddle      Opcode = 0x27
	UCWriteLast        Opcode = 0x28
	UCWriteLastImm     Opcode = 0x29
	UCWriteOnly        Opcode = 0x2A
	UCWriteOnlyImm     Opcode = 0x2B
	UDSendOnly         Opcode = 0x64
	UDSendOnlyImm      Opcode = 0x65
	CongestionNotified Opcode = 0x81 // RoCEv2 CNP (IBA annex A17)
)

// trait is what one opcode says about its packet.
type trait uint16

const (
	request  trait = 1 << iota // from the requester
	response                   // from the responder
	first                      // a message begins here
	last                       // and ends here; an only packet does both
	hasRETH
	hasAETH
	hasImm
	hasIETH
	hasAtomicETH
	hasAtomicAckETH
	hasDETH
	hasPayload
	known // decodable
)

const (
	sendBits = known | request | hasPayload
	readBits = known | response | hasPayload
)

// traits holds the headers that IBA 9.2.1 lists behind the BTH of each opcode.
var traits = [256]trait{
	RCSendFirst:        sendBits | first,
	RCSendMiddle:       sendBits,
	RCSendLast:         sendBits | last,
	RCSendLastImm:      sendBits | last | hasImm,
	RCSendOnly:         sendBits | first | last,
	RCSendOnlyImm:      sendBits | first | last | hasImm,
	RCWriteFirst:       sendBits | first | hasRETH,
	RCWriteMiddle:      sendBits,
	RCWriteLast:        sendBits | last,
	RCWriteLastImm:     sendBits | last | hasImm,
	RCWriteOnly:        sendBits | first | last | hasRETH,
	RCWriteOnlyImm:     sendBits | first | last | hasRETH | hasImm,
	RCReadRequest:      known | request | first | last | hasRETH,
	RCReadRespFirst:    readBits | first | hasAETH,
	RCReadRespMiddle:   readBits,
	RCReadRespLast:     readBits | last | hasAETH,
	RCReadRespOnly:     readBits | first | last | hasAETH,
	RCAck:              known | response | first | last | hasAETH,
	RCAtomicAck:        known | response | first | last | hasAETH | hasAtomicAckETH,
	RCCompareSwap:      known | request | first | last | hasAtomicETH,
	RCFetchAdd:         known | request | first | last | hasAtomicETH,
	RCSendLastInv:      sendBits | last | hasIETH,
	RCSendOnlyInv:      sendBits | first | last | hasIETH,
	UCSendFirst:        sendBits | first,
	UCSendMiddle:       sendBits,
	UCSendLast:         sendBits | last,
	UCSendLastImm:      sendBits | last | hasImm,
	UCSendOnly:         sendBits | first | last,
	UCSendOnlyImm:      sendBits | first | last | hasImm,
	UCWriteFirst:       sendBits | first | hasRETH,
	UCWriteMiddle:      sendBits,
	UCWriteLast:        sendBits | last,
	UCWriteLastImm:     sendBits | last | hasImm,
	UCWriteOnly:        sendBits | first | last | hasRETH,
	UCWriteOnlyImm:     sendBits | first | last | hasRETH | hasImm,
	UDSendOnly:         sendBits | first | last | hasDETH,
	UDSendOnlyImm:      sendBits | first | last | hasDETH | hasImm,
	CongestionNotified: known | response | first | last | hasPayload,
}

func (o Opcode) is(t trait) bool { return traits[o]&t == t }

// Known reports whether o is an opcode of this package. Of any other nothing
// is known, not even where its headers end.
func (o Opcode) Known() bool { return o.is(known) }

// IsRequest reports whether a requester sends o.
func (o Opcode) IsRequest() bool { return o.is(request) }

// IsResponse reports whether o answers a request: ACK, NAK, read response,
// atomic acknowledge, congestion notification.
func (o Opcode) IsResponse() bool { return o.is(response) }

// First reports whether o begins a message of two packets or more.
func (o Opcode) First() bool { return o.is(first) && !o.is(last) }

// Middle reports whether o neither begins nor ends its message.
func (o Opcode) Middle() bool { return o.is(known) && traits[o]&(first|last) == 0 }

// Last reports whether o ends a message of two packets or more.
func (o Opcode) Last() bool { return o.is(last) && !o.is(first) }

// Only reports whether o is a message by itself.
func (o Opcode) Only() bool { return o.is(first | last) }

// Starts reports whether o is the first or the only packet of its message.
func (o Opcode) Starts() bool { return o.is(first) }

// Ends reports whether o is the last or the only packet of its message.
func (o Opcode) Ends() bool { return o.is(last) }

// HasRETH reports whether o carries address, key and length of an RDMA
// operation: the first packet of a WRITE, and every READ request.
func (o Opcode) HasRETH() bool { return o.is(hasRETH) }

// HasAETH reports whether o carries a syndrome and MSN.
func (o Opcode) HasAETH() bool { return o.is(hasAETH) }

// HasImm reports whether o carries immediate data.
func (o Opcode) HasImm() bool { return o.is(hasImm) }

// HasIETH reports whether o carries a key to invalidate.
func (o Opcode) HasIETH() bool { return o.is(hasIETH) }

// HasAtomicETH reports whether o asks for an atomic operation.
func (o Opcode) HasAtomicETH() bool { return o.is(hasAtomicETH) }

// HasAtomicAckETH reports whether o carries the value an atomic found.
func (o Opcode) HasAtomicAckETH() bool { return o.is(hasAtomicAckETH) }

// HasDETH reports whether o carries a queue key and a source queue pair.
func (o Opcode) HasDETH() bool { return o.is(hasDETH) }

// HasPayload reports whether bytes may stand behind the headers of o; a
// zero-length message has none all the same.
func (o Opcode) HasPayload() bool { return o.is(hasPayload) }

// IsSend reports whether o belongs to a SEND of RC, UC or UD.
func (o Opcode) IsSend() bool {
	return o.is(known|request|hasPayload) && !o.IsWrite()
}

// IsWrite reports whether o belongs to an RDMA WRITE of RC or UC.
func (o Opcode) IsWrite() bool {
	return o.is(known) && o&0x1F >= RCWriteFirst && o&0x1F <= RCWriteOnlyImm && o < 0x40
}

// IsReadResponse reports whether o answers a READ with bytes.
func (o Opcode) IsReadResponse() bool { return o >= RCReadRespFirst && o <= RCReadRespOnly }

// IsAtomic reports whether o asks for an atomic operation.
func (o Opcode) IsAtomic() bool { return o == RCCompareSwap || o == RCFetchAdd }
