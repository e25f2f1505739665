package talk

import "hcasim/ib"

// An Op is a request that one side made of the other, put together from its
// packets. All but the last group is as its packets say.
type Op struct {
	Conn      *Conn
	Side      int   // of the requester
	Frame     int   // number of its first
	At        int64 // when its first packet was seen, ns as in the capture
	Last      int64 // when its last packet was seen first
	Opcode    ib.WROpcode
	Length    uint32 // bytes of the message; of a READ, those asked for
	VA        uint64
	Key       ib.RKey // of the remote memory, or the one to invalidate
	Imm       uint32
	Solicited bool
	Swap      uint64 // or what is added
	Compare   uint64
	Data      []byte // of a READ what came back, as far as it did; else what was sent

	begun, ended int64 // first and last packet number, beyond 24 bits
	got          int   // bytes of the answer to a READ

	Answered bool        // what came of it is seen; Done, Status and Found count only then
	Done     int64       // when that was, ns
	Status   ib.WCStatus // that its requester reads
	Found    uint64      // by an atomic
	NAK      ib.Syndrome // 0: none
	Refused  int64       // which of its packets was, from 0
	RNR      []int64     // when RNR NAKs were seen, ns
	Timer    uint8       // that they carried: a code (ib.RNRTimer)
}

// Remote reports whether the op reaches into memory of the other side, and
// with which right.
func (o *Op) Remote() (need ib.AccessFlags, yes bool) {
	switch {
	case o.Length == 0: // no key is looked at
		return 0, false
	case o.Opcode == ib.WRRDMAWrite || o.Opcode == ib.WRRDMAWriteWithImm:
		return ib.RemoteWrite, true
	case o.Opcode == ib.WRRDMARead:
		return ib.RemoteRead, true
	case o.Atomic():
		return ib.RemoteAtomic, true
	}
	return 0, false
}

// Atomic reports whether the op is one of the two that read and change a word.
func (o *Op) Atomic() bool {
	return o.Opcode == ib.WRAtomicFetchAndAdd || o.Opcode == ib.WRAtomicCmpAndSwp
}

// Brings reports whether the op carries bytes to the other side.
func (o *Op) Brings() bool { return o.Opcode != ib.WRRDMARead && !o.Atomic() }

// Receives reports whether the op takes a receive of the other side.
func (o *Op) Receives() bool {
	switch o.Opcode {
	case ib.WRSend, ib.WRSendWithImm, ib.WRSendWithInv, ib.WRRDMAWriteWithImm:
		return true
	default:
		return false
	}
}

// Granted reports whether the other side let it happen. Where no answer can be
// seen, all counts as granted.
func (o *Op) Granted() bool {
	return o.Answered && o.Status == ib.Success || !o.Answered && o.Conn.Mute(o.Side)
}
