package capture

import (
	_ "embed"
	"encoding/binary"
	"fmt"

	"hcasim/pcie"
	"hcasim/scenario/run"
)

// Dissector is the script that shows TLPs in Wireshark and tshark:
// tshark -X lua_script:pcie_tlp.lua -r pcie.pcapng.
//
//go:embed pcie_tlp.lua
var Dissector []byte

// DissectorName is how the script is called in a result folder.
const DissectorName = "pcie_tlp.lua"

// watchPCIe adds the TLPs of a host, as their last bit arrives.
func (r *Recorder) watchPCIe(iface int, h *run.HostView) {
	h.Host.Bus.Taps.TLPs.Watch(func(t pcie.TLP) {
		data := upper(tlp(&t))
		fr := frame{at: t.At, iface: iface, data: data, length: len(data) + absent(&t)}
		q, dma := h.Host.Bus.Asked(&t)
		op, of := uint32(0), false
		unit := "doorbell"
		if dma {
			op, of = h.HCA.WhoseDMA(q.Client, q.Handle)
			unit = h.HCA.UnitOf(q.Client).String()
			if h.HCA.Unit.Serves(q.Client) {
				unit = h.HCA.Unit.Fetching(q.Client, q.Handle)
			}
		}
		if of {
			fr.words = r.about(op)
		}
		fr.words = append(fr.words, h.Name, unit, exact(t.At))
		if t.Refused {
			fr.words = append(fr.words, "the host does not let it through")
		}
		r.file.add(fr)
	})
}

// upper names the dissector in front of a packet, as tags of Wireshark's
// "upper PDU": no preference has to be set.
func upper(packet []byte) []byte {
	const dissectorName, end = 12, 0
	name := "pcie_tlp"
	out := binary.BigEndian.AppendUint16(nil, dissectorName)
	out = binary.BigEndian.AppendUint16(out, uint16(len(name)))
	out = append(out, name...)
	out = binary.BigEndian.AppendUint32(out, end)
	return append(out, packet...)
}

// The kinds of TLPs in the first byte: format and type (PCIe base specification
// 2.2.1, table 2-3).
const (
	fmtRead  = 0x00 // 3 DW, no data; 4 DW: | 0x20
	fmtWrite = 0x40
	fmt4DW   = 0x20
	fmtCpl   = 0x0A
	fmtCplD  = 0x4A
)

// Who speaks: the root complex is 00:00.0, the adapter 01:00.0.
const (
	hostID   = 0x0000
	deviceID = 0x0100
)

// tlp returns the header of a TLP, and of a store of the CPU its word: other
// data are the model's, which carries none over PCIe.
func tlp(t *pcie.TLP) []byte {
	switch t.Kind {
	case pcie.Cpl, pcie.CplD:
		return completion(t)
	case pcie.MRd:
		return request(fmtRead, deviceID, t)
	case pcie.MWr:
		return request(fmtWrite, deviceID, t)
	case pcie.MMIO:
		out := request(fmtWrite, hostID, t)
		if t.Len == 4 {
			out = binary.LittleEndian.AppendUint32(out, t.Stored())
		}
		return out
	}
	panic(fmt.Sprintf("capture: no TLP of kind %d", t.Kind))
}

// absent is how many bytes of its data a TLP has that the capture has not.
func absent(t *pcie.TLP) int {
	switch {
	case t.Kind == pcie.MRd, t.Kind == pcie.Cpl, t.Kind == pcie.MMIO && t.Len == 4:
		return 0
	}
	return int(words(t)) * 4
}

// words is the length in DW of what a TLP asks for or carries: whole words, of
// which byte enables say what counts.
func words(t *pcie.TLP) uint32 { return uint32((t.Addr%4 + uint64(t.Len) + 3) / 4) }

// request returns the header of a read or a write: 3 DW below 4 GiB, else 4.
func request(format byte, requester uint16, t *pcie.TLP) []byte {
	long := t.Addr>>32 != 0
	if long {
		format |= fmt4DW
	}
	n := words(t)
	out := head(format, t, n)
	out = binary.BigEndian.AppendUint16(out, requester)
	out = append(out, byte(t.Tag), enables(t, n))
	if long {
		out = binary.BigEndian.AppendUint32(out, uint32(t.Addr>>32))
	}
	return binary.BigEndian.AppendUint32(out, uint32(t.Addr)&^3)
}

// enables are the byte enables of the last and the first word.
func enables(t *pcie.TLP, n uint32) byte {
	if t.Len == 0 {
		return 0
	}
	first := byte(0xF) << (t.Addr % 4) & 0xF
	last := byte(0xF) >> (3 - (t.Addr+uint64(t.Len)-1)%4)
	if n == 1 {
		return first & last
	}
	return last<<4 | first
}

// head is the first word, with tag bits 9 and 8 (PCIe 4.0) and the attribute
// of relaxed ordering. A length of 1024 words is written as 0.
func head(format byte, t *pcie.TLP, n uint32) []byte {
	b1, b2 := byte(0), byte(0)
	if t.Tag&0x200 != 0 {
		b1 |= 0x80
	}
	if t.Tag&0x100 != 0 {
		b1 |= 0x08
	}
	if t.Relaxed {
		b2 |= 0x20
	}
	return []byte{format, b1, b2 | byte(n>>8)&3, byte(n)}
}

// completion returns the header of a completion. What is left of the read is
// not told by the tap: the byte count is that of this completion.
func completion(t *pcie.TLP) []byte {
	format, status, n := byte(fmtCplD), uint16(0), words(t)
	if t.Kind == pcie.Cpl {
		format, n = fmtCpl, 0
		if t.Refused {
			status = 1 // unsupported request
		}
	}
	out := head(format, t, n)
	out = binary.BigEndian.AppendUint16(out, hostID)
	out = binary.BigEndian.AppendUint16(out, status<<13|uint16(t.Len)&0xFFF)
	out = binary.BigEndian.AppendUint16(out, deviceID)
	return append(out, byte(t.Tag), byte(t.Addr)&0x7F)
}
