package ib

import "strconv"

// opcodeNames are the names of the packet opcodes as libibverbs' and the
// kernel's headers spell them, without their IBV_OPCODE_.
var opcodeNames = vocabulary{"Opcode", opcodePrefix, []string{
	RCSendFirst: "RC_SEND_FIRST", RCSendMiddle: "RC_SEND_MIDDLE", RCSendLast: "RC_SEND_LAST",
	RCSendLastImm: "RC_SEND_LAST_WITH_IMMEDIATE", RCSendOnly: "RC_SEND_ONLY",
	RCSendOnlyImm: "RC_SEND_ONLY_WITH_IMMEDIATE", RCWriteFirst: "RC_RDMA_WRITE_FIRST",
	RCWriteMiddle: "RC_RDMA_WRITE_MIDDLE", RCWriteLast: "RC_RDMA_WRITE_LAST",
	RCWriteLastImm: "RC_RDMA_WRITE_LAST_WITH_IMMEDIATE", RCWriteOnly: "RC_RDMA_WRITE_ONLY",
	RCWriteOnlyImm: "RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE", RCReadRequest: "RC_RDMA_READ_REQUEST",
	RCReadRespFirst: "RC_RDMA_READ_RESPONSE_FIRST", RCReadRespMiddle: "RC_RDMA_READ_RESPONSE_MIDDLE",
	RCReadRespLast: "RC_RDMA_READ_RESPONSE_LAST", RCReadRespOnly: "RC_RDMA_READ_RESPONSE_ONLY",
	RCAck: "RC_ACKNOWLEDGE", RCAtomicAck: "RC_ATOMIC_ACKNOWLEDGE", RCCompareSwap: "RC_COMPARE_SWAP",
	RCFetchAdd: "RC_FETCH_ADD", RCSendLastInv: "RC_SEND_LAST_WITH_INVALIDATE",
	RCSendOnlyInv: "RC_SEND_ONLY_WITH_INVALIDATE",
	UCSendFirst:   "UC_SEND_FIRST", UCSendMiddle: "UC_SEND_MIDDLE", UCSendLast: "UC_SEND_LAST",
	UCSendLastImm: "UC_SEND_LAST_WITH_IMMEDIATE", UCSendOnly: "UC_SEND_ONLY",
	UCSendOnlyImm: "UC_SEND_ONLY_WITH_IMMEDIATE", UCWriteFirst: "UC_RDMA_WRITE_FIRST",
	UCWriteMiddle: "UC_RDMA_WRITE_MIDDLE", UCWriteLast: "UC_RDMA_WRITE_LAST",
	UCWriteLastImm: "UC_RDMA_WRITE_LAST_WITH_IMMEDIATE", UCWriteOnly: "UC_RDMA_WRITE_ONLY",
	UCWriteOnlyImm: "UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE",
	UDSendOnly:     "UD_SEND_ONLY", UDSendOnlyImm: "UD_SEND_ONLY_WITH_IMMEDIATE",
	CongestionNotified: "CNP",
}}

const opcodePrefix = "IBV_OPCODE_"

// String returns the name that the headers of libibverbs use, without their
// IBV_OPCODE_: RC_RDMA_WRITE_ONLY.
func (o Opcode) String() string { return opcodeNames.name(int(o)) }

// Short is String: packet opcodes have one name.
func (o Opcode) Short() string { return o.String() }

// ParseOpcode returns the packet opcode that s names, with or without
// IBV_OPCODE_.
func ParseOpcode(s string) (Opcode, bool) {
	if len(s) > len(opcodePrefix) && s[:len(opcodePrefix)] == opcodePrefix {
		s = s[len(opcodePrefix):]
	}
	i, ok := opcodeNames.value(s)
	return Opcode(i), ok
}

// OpcodeNames returns the names of all packet opcodes.
func OpcodeNames() []string { return opcodeNames.words() }

// syndromeNames are the names of the kinds of ACK and NAK, at the index that
// kind gives them.
var syndromeNames = vocabulary{"Syndrome", "NAK_", []string{
	"ACK", "RNR_NAK", "NAK_PSN_SEQUENCE_ERROR", "NAK_INVALID_REQUEST", "NAK_REMOTE_ACCESS_ERROR",
	"NAK_REMOTE_OPERATIONAL_ERROR", "NAK_INVALID_RD_REQUEST",
}}

// syndromes is one syndrome of each kind.
var syndromes = [...]Syndrome{
	ACKNoCredit, RNRNAK(0), NAKPSNSequence, NAKInvalidRequest, NAKRemoteAccess,
	NAKRemoteOperational, NAKInvalidRDRequest,
}

// kind returns the index of s in the two tables above, -1 if it is reserved.
func (s Syndrome) kind() int {
	switch {
	case s.IsACK():
		return 0
	case s.IsRNR():
		return 1
	case s.IsNAK():
		return 2 + int(s-NAKPSNSequence)
	}
	return -1
}

// String returns ACK, RNR_NAK or the NAK's name; the code within an ACK or
// RNR NAK is not shown.
func (s Syndrome) String() string {
	if k := s.kind(); k >= 0 {
		return syndromeNames.name(k)
	}
	return "Syndrome(0x" + strconv.FormatUint(uint64(s), 16) + ")"
}

// Short returns the name without NAK_.
func (s Syndrome) Short() string {
	if k := s.kind(); k >= 0 {
		return syndromeNames.short(k)
	}
	return s.String()
}

// ParseSyndrome returns the syndrome that word names: an ACK without credits
// for ACK, timer code 0 for RNR_NAK.
func ParseSyndrome(word string) (Syndrome, bool) {
	i, ok := syndromeNames.value(word)
	if !ok {
		return 0, false
	}
	return syndromes[i], true
}

// SyndromeNames returns the names of the kinds of ACK and NAK.
func SyndromeNames() []string { return syndromeNames.words() }
