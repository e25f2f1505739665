package suite

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hcasim/ib"
	"hcasim/scenario/lang"
)

// headers are the headers of a packet: what the codec writes with them, and
// without; of a frame's, what it writes into its fields of length.
var headers = map[string]func() int{
	"LRH":          func() int { return native() - ib.RCSendOnly.Bytes() - ib.ICRCBytes },
	"BTH":          func() int { return transport(ib.RCSendOnly) },
	"DETH":         func() int { return transport(ib.UDSendOnly) - transport(ib.RCSendOnly) },
	"RETH":         func() int { return transport(ib.RCWriteOnly) - transport(ib.RCSendOnly) },
	"AETH":         func() int { return transport(ib.RCAck) - transport(ib.RCSendOnly) },
	"AtomicETH":    func() int { return transport(ib.RCFetchAdd) - transport(ib.RCSendOnly) },
	"AtomicAckETH": func() int { return transport(ib.RCAtomicAck) - transport(ib.RCAck) },
	"ImmDt":        func() int { return transport(ib.RCSendOnlyImm) - transport(ib.RCSendOnly) },
	"IETH":         func() int { return transport(ib.RCSendOnlyInv) - transport(ib.RCSendOnly) },
	"ICRC":         func() int { return native() - ib.LRHBytes - ib.RCSendOnly.Bytes() },
	"VCRC":         func() int { return len(frame(ib.InfiniBand, ib.RCSendOnly, 0)) - native() },
	"Ethernet":     ethernet,
	"IPv4":         func() int { return int(frame(ib.RoCEv4, ib.RCSendOnly, 0)[ethernet()]&15) * 4 },
	"IPv6":         func() int { return len(frame(ib.RoCEv6, ib.RCSendOnly, 0)) - ethernet() - datagram() },
	"UDP":          func() int { return datagram() - ib.RCSendOnly.Bytes() - ib.ICRCBytes },
	"FCS":          func() int { return ib.FCSBytes },
	"preamble":     func() int { return ib.PreambleBytes },
	"gap":          func() int { return ib.GapBytes },
}

// native is the length that an LRH states, in words of 4 bytes: all but the VCRC.
func native() int {
	return int(binary.BigEndian.Uint16(frame(ib.InfiniBand, ib.RCSendOnly, 0)[4:])) * 4
}

// ethernet is what stands before the length that an IPv4 header states.
func ethernet() int {
	f := frame(ib.RoCEv4, ib.RCSendOnly, 0)
	return len(f) - int(binary.BigEndian.Uint16(f[ib.EthernetBytes+2:]))
}

// datagram is the length that an IPv6 header states: UDP and all behind it.
func datagram() int {
	return int(binary.BigEndian.Uint16(frame(ib.RoCEv6, ib.RCSendOnly, 0)[ib.EthernetBytes+4:]))
}

// transport returns how many bytes of headers the codec writes from the BTH on.
func transport(o ib.Opcode) int {
	h := ib.Headers{BTH: ib.BTH{Opcode: o}}
	return len(h.Append(nil))
}

// frame writes a whole packet, as a capture has it.
func frame(e ib.Encap, o ib.Opcode, payload int) []byte {
	return e.AppendFrame(nil, &ib.Path{}, &ib.Headers{BTH: ib.BTH{Opcode: o}}, make([]byte, payload))
}

// mostPayload bounds the payload of a packet that is written.
const mostPayload = 4096

// encoded returns the bytes that the codec writes for a header (RETH), for all
// transport headers of a packet (RC_RDMA_WRITE_ONLY), or for a whole packet with
// so many bytes of payload (RC_RDMA_WRITE_ONLY/roce_v4/1024): from LRH to VCRC;
// or from the Ethernet header to the ICRC, and then what a capture leaves out,
// preamble, FCS and gap.
func encoded(text string) (n int, err error) {
	if h := headers[text]; h != nil {
		return h(), nil
	}
	words := strings.Split(text, "/")
	o, known := ib.ParseOpcode(words[0])
	if !known {
		return 0, fmt.Errorf("no header and no packet is called %q; %s", words[0], lang.DidYouMean(words[0], append(headerNames(), ib.OpcodeNames()...)))
	}
	switch len(words) {
	case 1:
		return transport(o), nil
	case 3:
		e, known := ib.ParseEncap(words[1])
		if !known {
			return 0, fmt.Errorf("%q is no wrapping; %s", words[1], lang.DidYouMean(words[1], ib.EncapNames()))
		}
		payload, err := strconv.Atoi(words[2])
		if err != nil || payload < 0 || payload > mostPayload {
			return 0, fmt.Errorf("%q is no payload of a packet; 0 to %d bytes", words[2], mostPayload)
		}
		n = len(frame(e, o, payload))
		if e != ib.InfiniBand {
			n += ib.PreambleBytes + ib.FCSBytes + ib.GapBytes
		}
		return n, nil
	}
	return 0, fmt.Errorf("%q is neither a header, nor a packet; such as RETH, RC_RDMA_WRITE_ONLY or RC_RDMA_WRITE_ONLY/ib/64", text)
}

func headerNames() (names []string) {
	for name := range headers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
