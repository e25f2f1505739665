package lang

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hcasim/ib"
	"hcasim/tpt"
)

// An enumeration is a type whose values are written as words.
type enumeration struct {
	what  string // for messages: access, wc status
	flags bool   // a list of words is their union
	parse func(s string) (uint64, bool)
	names func() []string
}

// words are the names to suggest for s: short ones to one who wrote a short one.
func (e *enumeration) words(s string) []string {
	if strings.HasPrefix(s, "IBV_") {
		return e.names()
	}
	return slices.DeleteFunc(slices.Clone(e.names()), func(w string) bool { return strings.HasPrefix(w, "IBV_") })
}

// words makes an enumeration of a type of package ib. A number is always
// understood.
func words[T ~uint8 | ~uint16 | ~uint32 | ~int8](what string, flags bool, parse func(string) (T, bool), names func() []string) *enumeration {
	return &enumeration{what: what, flags: flags, names: names, parse: func(s string) (uint64, bool) {
		if v, ok := parse(s); ok {
			return uint64(v), true
		}
		return number[T](s)
	}}
}

// number reads s if it fits into a T.
func number[T ~uint8 | ~uint16 | ~uint32 | ~int8](s string) (uint64, bool) {
	v, err := strconv.ParseInt(s, 0, 64)
	if err != nil || int64(T(v)) != v {
		return 0, false
	}
	return uint64(v), true
}

var enums = map[reflect.Type]*enumeration{
	reflect.TypeFor[ib.AccessFlags](): words("access", true, ib.ParseAccessFlags, ib.AccessFlagsNames),
	reflect.TypeFor[ib.SendFlags]():   words("send flag", true, ib.ParseSendFlags, ib.SendFlagsNames),
	reflect.TypeFor[ib.WCFlags]():     words("completion flag", true, ib.ParseWCFlags, ib.WCFlagsNames),
	reflect.TypeFor[ib.ReregFlags]():  words("rereg flag", true, ib.ParseReregFlags, ib.ReregFlagsNames),
	reflect.TypeFor[ib.WROpcode]():    words("opcode", false, ib.ParseWROpcode, ib.WROpcodeNames),
	reflect.TypeFor[ib.WCOpcode]():    words("completion opcode", false, ib.ParseWCOpcode, ib.WCOpcodeNames),
	reflect.TypeFor[ib.WCStatus]():    words("completion status", false, ib.ParseWCStatus, ib.WCStatusNames),
	reflect.TypeFor[ib.QPState]():     words("queue pair state", false, ib.ParseQPState, ib.QPStateNames),
	reflect.TypeFor[ib.QPType]():      words("queue pair type", false, ib.ParseQPType, ib.QPTypeNames),
	reflect.TypeFor[ib.EventType]():   words("event", false, ib.ParseEventType, ib.EventTypeNames),
	reflect.TypeFor[ib.Errno]():       words("errno", false, ib.ParseErrno, ib.ErrnoNames),
	reflect.TypeFor[ib.ReregResult](): words("rereg result", false, parseReregResult, reregResultNames),
	reflect.TypeFor[ib.Opcode]():      words("packet opcode", false, parsePacketOpcode, packetOpcodeNames),
	reflect.TypeFor[tpt.Fault]():      listed("cause", tpt.FaultNames()),
	reflect.TypeFor[tpt.State]():      words("state", false, parseState, stateNames),
}

func enumOf(t reflect.Type) *enumeration { return enums[t] }

// listed makes an enumeration of the words at the index of their value.
func listed(what string, list []string) *enumeration {
	return &enumeration{what: what, names: func() []string { return list }, parse: func(s string) (uint64, bool) {
		for i, w := range list {
			if w == s {
				return uint64(i), true
			}
		}
		return 0, false
	}}
}

// The ERR_ of a rereg result may be left out.
func parseReregResult(s string) (ib.ReregResult, bool) {
	if r, ok := ib.ParseReregResult(s); ok {
		return r, true
	}
	return ib.ParseReregResult("ERR_" + s)
}

func reregResultNames() []string {
	names := ib.ReregResultNames()
	for _, full := range names {
		if short, ok := strings.CutPrefix(full, "ERR_"); ok {
			names = append(names, short)
		}
	}
	return names
}

// The transport before a packet's opcode may be left out where it is RC.
func parsePacketOpcode(s string) (ib.Opcode, bool) {
	if o, ok := ib.ParseOpcode(s); ok {
		return o, true
	}
	if short, ok := shortOpcodes[s]; ok {
		s = short
	}
	return ib.ParseOpcode("RC_" + s)
}

// shortOpcodes are words in common use.
var shortOpcodes = map[string]string{
	"ACK": "ACKNOWLEDGE", "ATOMIC_ACK": "ATOMIC_ACKNOWLEDGE",
	"WRITE_FIRST": "RDMA_WRITE_FIRST", "WRITE_MIDDLE": "RDMA_WRITE_MIDDLE",
	"WRITE_LAST": "RDMA_WRITE_LAST", "WRITE_ONLY": "RDMA_WRITE_ONLY",
	"READ_REQUEST": "RDMA_READ_REQUEST", "READ_RESPONSE_FIRST": "RDMA_READ_RESPONSE_FIRST",
	"READ_RESPONSE_MIDDLE": "RDMA_READ_RESPONSE_MIDDLE", "READ_RESPONSE_LAST": "RDMA_READ_RESPONSE_LAST",
	"READ_RESPONSE_ONLY": "RDMA_READ_RESPONSE_ONLY", "SEND_LAST_INV": "SEND_LAST_WITH_INVALIDATE",
	"SEND_ONLY_INV": "SEND_ONLY_WITH_INVALIDATE", "SEND_ONLY_IMM": "SEND_ONLY_WITH_IMMEDIATE",
	"SEND_LAST_IMM": "SEND_LAST_WITH_IMMEDIATE", "WRITE_ONLY_IMM": "RDMA_WRITE_ONLY_WITH_IMMEDIATE",
	"WRITE_LAST_IMM": "RDMA_WRITE_LAST_WITH_IMMEDIATE", "CMP_SWAP": "COMPARE_SWAP",
}

func packetOpcodeNames() []string {
	names := slices.Sorted(maps.Keys(shortOpcodes))
	for _, full := range ib.OpcodeNames() {
		if short, ok := strings.CutPrefix(full, "RC_"); ok {
			names = append(names, short)
		}
	}
	return append(names, ib.OpcodeNames()...)
}

func parseState(s string) (tpt.State, bool) {
	switch s {
	case "ABSENT":
		return tpt.Absent, true
	case "FREE", "UNBOUND":
		return tpt.Free, true
	case "VALID", "BOUND":
		return tpt.Valid, true
	case "UNUSABLE":
		return tpt.Unusable, true
	}
	return 0, false
}

func stateNames() []string {
	return []string{"ABSENT", "FREE", "VALID", "BOUND", "UNBOUND", "UNUSABLE"}
}
