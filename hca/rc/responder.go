package rc

import "hcasim/ib"

// A Verdict is what the PSN of a request says about it.
type Verdict uint8

// The verdicts on a request's PSN.
const (
	Fresh     Verdict = iota // the one expected
	Duplicate                // executed before: acknowledge or replay
	Gap                      // one before it was lost: NAK 0x60
	Ignore                   // after a gap that was answered already
)

// A Message is the message that a responder is in the middle of.
type Message struct {
	Open   bool
	Write  bool // WRITE, else SEND
	VA     uint64
	RKey   ib.RKey
	Length uint32 // WRITE: of the whole message
	Done   uint32 // bytes received
}

// A Responder is what the responding side of a connection remembers between
// packets.
type Responder struct {
	Expected ib.PSN
	MSN      uint32 // messages completed, 24 bits
	Message  Message
	nacked   bool // a gap was answered; silence until it is closed
}

// Sequence judges the PSN of a request. A gap is answered once (3.2 step 2).
func (r *Responder) Sequence(psn ib.PSN) Verdict {
	switch d := psn.Sub(r.Expected); {
	case d == 0:
		return Fresh
	case d < 0:
		return Duplicate
	case r.nacked:
		return Ignore
	default:
		r.nacked = true
		return Gap
	}
}

// NotReady notes that the request expected was answered with an RNR NAK: those
// behind it are dropped in silence until it comes again.
func (r *Responder) NotReady() { r.nacked = true }

// Supported reports whether the responder knows a request of this opcode
// (3.2 step 4). The rest of the codes of the service are reserved.
func Supported(o ib.Opcode) bool { return o.IsRequest() }

// InOrder reports whether the opcode may follow what came before
// (3.2 step 3).
func (r *Responder) InOrder(o ib.Opcode) bool {
	begins := !o.Middle() && !o.Last()
	if !r.Message.Open {
		return begins
	}
	return !begins && r.Message.Write == IsWrite(o)
}

// LengthFits judges the payload of a request against the path MTU and the
// length that its message announced (3.2 step 6, C9-92 and C9-94).
func (r *Responder) LengthFits(h *ib.Headers, payload, mtu uint32) bool {
	o := h.BTH.Opcode
	switch {
	case o == ib.RCWriteOnly: // as what follows says
		return payload <= mtu && payload == h.RETH.Length
	case o == ib.RCReadRequest:
		return h.RETH.Length <= MaxMessage
	case !o.HasPayload():
		return true
	case (o.First() || o.Middle()) && payload != mtu:
		return false
	case payload > mtu, o.Last() && payload == 0:
		return false
	}
	if !IsWrite(o) {
		return true
	}
	length, done := r.Message.Length, r.Message.Done
	if o.HasRETH() {
		length, done = h.RETH.Length, 0
	}
	if length > MaxMessage {
		return false
	}
	if ends := !o.First() && !o.Middle(); ends {
		return done+payload == length
	}
	return done+payload < length
}

// Accept advances past a request that is in order and well formed.
func (r *Responder) Accept(h *ib.Headers, payload, mtu uint32) {
	o := h.BTH.Opcode
	r.nacked = false
	r.Expected = r.Expected.Add(Packets(o, h.RETH.Length, mtu))
	m := &r.Message
	if o.HasPayload() && o.Starts() {
		m.Open, m.Write, m.Done = true, IsWrite(o), 0
		m.VA, m.RKey, m.Length = h.RETH.VA, h.RETH.RKey, h.RETH.Length
	}
	m.Done += payload
	if o.Ends() {
		m.Open = false
		r.MSN = (r.MSN + 1) & 0xFFFFFF
	}
}

// Back returns to before a request that was a message by itself: its PSN is
// expected again, and msn was counted with it.
func (r *Responder) Back(psn ib.PSN, msn uint32) {
	*r = Responder{Expected: psn, MSN: (msn - 1) & 0xFFFFFF}
}

// MaxMessage is the longest message, in bytes (2^31).
const MaxMessage = 1 << 31

// Packets returns how many PSNs a request takes: a READ one for each packet
// of its response.
func Packets(o ib.Opcode, length, mtu uint32) uint32 {
	if o != ib.RCReadRequest || length <= mtu {
		return 1
	}
	return (length + mtu - 1) / mtu
}

// IsWrite reports whether o belongs to an RDMA WRITE.
func IsWrite(o ib.Opcode) bool {
	return o >= ib.RCWriteFirst && o <= ib.RCWriteOnlyImm || o >= ib.UCWriteFirst && o <= ib.UCWriteOnlyImm
}

// Need returns the right that the remote key of a request must carry, and
// the queue pair's flag with it (2.3).
func Need(o ib.Opcode) ib.AccessFlags {
	switch {
	case IsWrite(o):
		return ib.RemoteWrite
	case o == ib.RCReadRequest:
		return ib.RemoteRead
	case o == ib.RCCompareSwap || o == ib.RCFetchAdd:
		return ib.RemoteAtomic
	default:
		return 0
	}
}

// TakesReceive reports whether a request consumes a receive work request when
// it ends: SENDs, and WRITEs with immediate data.
func TakesReceive(o ib.Opcode) bool {
	return o.HasPayload() && (!IsWrite(o) || o.HasImm())
}
