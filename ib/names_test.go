package ib

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// enumeration is one type's names, for tests over all of them.
type enumeration struct {
	name   string
	prefix string
	values []int
	words  []string
	long   func(v int) string
	short  func(v int) string
	parse  func(s string) (int, bool)
}

type enum interface {
	~uint8 | ~int8 | ~uint32
	fmt.Stringer
	Short() string
}

func enumerate[T enum](name, prefix string, words []string, parse func(string) (T, bool), values ...T) enumeration {
	e := enumeration{
		name: name, prefix: prefix, words: words,
		long:  func(v int) string { return T(v).String() },
		short: func(v int) string { return T(v).Short() },
		parse: func(s string) (int, bool) { v, ok := parse(s); return int(v), ok },
	}
	for _, v := range values {
		e.values = append(e.values, int(v))
	}
	return e
}

func upTo[T ~uint8 | ~int8](first, last T) (all []T) {
	for v := first; v <= last; v++ {
		all = append(all, v)
	}
	return all
}

// enumerations lists every type of this package that has names, with every
// value that must have one.
func enumerations() []enumeration {
	wr := append(upTo(WRRDMAWrite, WRSendWithInv), WRRegMR)
	wc := append(upTo(WCSend, WCLocalInv), WCRegMR, WCRecv, WCRecvRDMAWithImm)
	return []enumeration{
		enumerate("WROpcode", "IBV_WR_", WROpcodeNames(), ParseWROpcode, wr...),
		enumerate("WCOpcode", "IBV_WC_", WCOpcodeNames(), ParseWCOpcode, wc...),
		enumerate("WCStatus", "IBV_WC_", WCStatusNames(), ParseWCStatus, upTo(Success, TMRndvIncomplete)...),
		enumerate("QPState", "IBV_QPS_", QPStateNames(), ParseQPState, upTo(Reset, Err)...),
		enumerate("QPType", "IBV_QPT_", QPTypeNames(), ParseQPType, RC, UC, UD),
		enumerate("EventType", "IBV_EVENT_", EventTypeNames(), ParseEventType, upTo(EventCQErr, EventQPLastWQEReached)...),
		enumerate("Errno", "", ErrnoNames(), ParseErrno, OK, EPERM, ENOENT, ENOMEM, EACCES, EFAULT, EBUSY, EINVAL, EOPNOTSUPP),
		enumerate("ReregResult", "IBV_REREG_MR_", ReregResultNames(), ParseReregResult, upTo(ReregErrCmdAndForkNew, ReregOK)...),
		enumerate("AccessFlags", "IBV_ACCESS_", AccessFlagsNames(), ParseAccessFlags, LocalWrite, RemoteWrite, RemoteRead,
			RemoteAtomic, MWBind, ZeroBased, OnDemand, HugeTLB, FlushGlobal, FlushPersistent, RelaxedOrdering),
		enumerate("SendFlags", "IBV_SEND_", SendFlagsNames(), ParseSendFlags, Fence, Signaled, Solicited, Inline),
		enumerate("WCFlags", "IBV_WC_", WCFlagsNames(), ParseWCFlags, WithImm, WithInv),
		enumerate("ReregFlags", "IBV_REREG_MR_CHANGE_", ReregFlagsNames(), ParseReregFlags, ReregTranslation, ReregPD, ReregAccess),
		enumerate("Opcode", "", OpcodeNames(), ParseOpcode, knownOpcodes()...),
		enumerate("Syndrome", "", SyndromeNames(), ParseSyndrome, ACKNoCredit, RNRNAK(0), NAKPSNSequence,
			NAKInvalidRequest, NAKRemoteAccess, NAKRemoteOperational, NAKInvalidRDRequest),
	}
}

// TestNames: every value has a full and a short name, both are read back, and
// the list of words is just these.
func TestNames(t *testing.T) {
	for _, e := range enumerations() {
		var words []string
		for _, v := range e.values {
			long, short := e.long(v), e.short(v)
			if strings.Contains(long, "(") || !strings.HasPrefix(long, e.prefix) {
				t.Errorf("%s %d: name %q", e.name, v, long)
			}
			if e.prefix != "" && long != e.prefix+short {
				t.Errorf("%s %d: short name %q of %q", e.name, v, short, long)
			}
			for _, s := range []string{long, short} {
				if got, ok := e.parse(s); !ok || got != v {
					t.Errorf("Parse%s(%q) = %d, %v, want %d", e.name, s, got, ok, v)
				}
			}
			words = append(words, long, short)
		}
		slices.Sort(words)
		words = slices.Compact(words)
		if got := slices.Sorted(slices.Values(e.words)); !slices.Equal(got, words) {
			t.Errorf("%sNames:\n got %v\nwant %v", e.name, got, words)
		}
		for _, s := range []string{"", " ", "NO_SUCH", e.prefix, strings.ToLower(e.words[0])} {
			if v, ok := e.parse(s); ok {
				t.Errorf("Parse%s(%q) = %d, want refusal", e.name, s, v)
			}
		}
	}
}

// TestSpelling pins names that scenario files and results depend on.
func TestSpelling(t *testing.T) {
	for _, test := range []struct {
		got  fmt.Stringer
		want string
	}{
		{RemAccessErr, "IBV_WC_REM_ACCESS_ERR"}, {LocQPOpErr, "IBV_WC_LOC_QP_OP_ERR"},
		{TMRndvIncomplete, "IBV_WC_TM_RNDV_INCOMPLETE"}, {WRRDMAWrite, "IBV_WR_RDMA_WRITE"},
		{WRAtomicCmpAndSwp, "IBV_WR_ATOMIC_CMP_AND_SWP"}, {WRRegMR, "IBV_WR_REG_MR"},
		{WCRecvRDMAWithImm, "IBV_WC_RECV_RDMA_WITH_IMM"}, {RTS, "IBV_QPS_RTS"}, {Err, "IBV_QPS_ERR"},
		{EventQPAccessErr, "IBV_EVENT_QP_ACCESS_ERR"}, {EINVAL, "EINVAL"}, {OK, "OK"},
		{ReregErrCmdAndForkNew, "IBV_REREG_MR_ERR_CMD_AND_DO_FORK_NEW"}, {RCWriteOnly, "RC_RDMA_WRITE_ONLY"},
		{LocalWrite | RemoteRead, "IBV_ACCESS_LOCAL_WRITE|IBV_ACCESS_REMOTE_READ"},
		{AccessFlags(0), "0"}, {RelaxedOrdering | 1<<21, "IBV_ACCESS_RELAXED_ORDERING|0x200000"},
		{SendFlags(Signaled | Inline), "IBV_SEND_SIGNALED|IBV_SEND_INLINE"},
		{WCStatus(77), "WCStatus(77)"}, {ReregResult(3), "ReregResult(3)"}, {ReregResult(-9), "ReregResult(-9)"},
		{Opcode(0x15), "Opcode(21)"}, {Syndrome(0x45), "Syndrome(0x45)"}, {Syndrome(3), "ACK"}, {RNRNAK(12), "RNR_NAK"},
		{NAKRemoteAccess, "NAK_REMOTE_ACCESS_ERROR"}, {RoCEv4, "roce_v4"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("%T: %q, want %q", test.got, got, test.want)
		}
	}
}

func TestParseFlags(t *testing.T) {
	for _, test := range []struct {
		in   string
		want AccessFlags
		ok   bool
	}{
		{"LOCAL_WRITE|REMOTE_READ", LocalWrite | RemoteRead, true},
		{" IBV_ACCESS_MW_BIND | ZERO_BASED ", MWBind | ZeroBased, true},
		{"0", 0, true},
		{"LOCAL_WRITE|", 0, false},
		{"LOCAL_WRITE,REMOTE_READ", 0, false},
	} {
		if got, ok := ParseAccessFlags(test.in); got != test.want || ok != test.ok {
			t.Errorf("ParseAccessFlags(%q) = %v, %v, want %v, %v", test.in, got, ok, test.want, test.ok)
		}
	}
	if o, ok := ParseOpcode("IBV_OPCODE_RC_ACKNOWLEDGE"); !ok || o != RCAck {
		t.Errorf("ParseOpcode with prefix = %v, %v", o, ok)
	}
}
