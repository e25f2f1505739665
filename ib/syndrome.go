package ib

// A Syndrome is the first byte of an AETH (IBA 9.7.5.2.2): bits 6..5 say which
// kind of acknowledge it is, bits 4..0 qualify it.
type Syndrome uint8

// The syndromes that are single values. RNR NAKs carry a timer code in their low
// five bits: see RNRNAK. An ACK carries how many receives its sender still has
// (IBA 9.7.7.2.4), or 31 where it does not say: adapters of this model do not.
const (
	ACKNoCredit          Syndrome = 0x1F // an ACK that says nothing of credits
	NAKPSNSequence       Syndrome = 0x60
	NAKInvalidRequest    Syndrome = 0x61
	NAKRemoteAccess      Syndrome = 0x62
	NAKRemoteOperational Syndrome = 0x63
	NAKInvalidRDRequest  Syndrome = 0x64
)

// RNRNAK returns the syndrome of a receiver-not-ready NAK with a timer code of
// 0..31.
func RNRNAK(timerCode uint8) Syndrome { return 0x20 | Syndrome(timerCode&0x1F) }

// IsACK reports whether s acknowledges.
func (s Syndrome) IsACK() bool { return s>>5 == 0 }

// IsRNR reports whether s says that no receive request was there.
func (s Syndrome) IsRNR() bool { return s>>5 == 1 }

// IsNAK reports whether s refuses a request: 0x60..0x64.
func (s Syndrome) IsNAK() bool { return s >= NAKPSNSequence && s <= NAKInvalidRDRequest }

// Status returns what a requester is told whose request was refused for good with
// s (IBA 10.7.3.3): BadRespErr if s is no such NAK.
func (s Syndrome) Status() WCStatus {
	switch s {
	case NAKInvalidRequest:
		return RemInvReqErr
	case NAKRemoteAccess:
		return RemAccessErr
	case NAKRemoteOperational:
		return RemOpErr
	case NAKInvalidRDRequest:
		return RemInvRDReqErr
	default:
		return BadRespErr
	}
}

// Code returns the low five bits: a credit code, a timer code, or the NAK code.
func (s Syndrome) Code() uint8 { return uint8(s & 0x1F) }

// rnrTimers holds the RNR timer codes in steps of 10 us (IBA 9.7.5.2.8).
var rnrTimers = [32]uint64{
	65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
	256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
}

// RNRTimer returns the nanoseconds that a requester waits at least before it
// sends again, for a timer code of 0..31: 10 us to 655.36 ms, which is code 0.
func RNRTimer(code uint8) (nanoseconds uint64) { return rnrTimers[code&0x1F] * 10_000 }

// ACKTimeout returns the nanoseconds of a local ACK timeout code of 1..31:
// 4.096 us * 2^code. Code 0 means that the requester waits for ever, and gives
// 0 (IBA 9.9.2.1).
func ACKTimeout(code uint8) (nanoseconds uint64) {
	if code &= 0x1F; code == 0 {
		return 0
	}
	return 4096 << code
}
