package capture

import (
	"encoding/binary"
	"fmt"
	"strings"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// watchWire adds what enters the wire, as the sending port has it.
func (r *Recorder) watchWire(iface int) {
	v := r.view
	params := v.Link.Params()
	encap := params.Encap()
	refusals := map[uint32]string{} // by op: why the last packet of it was refused
	v.Link.Tap.Watch(func(p *wire.Packet) {
		fr := frame{at: p.Entered, iface: iface, op: p.Op, end: int(p.Src), request: !p.BTH.Opcode.IsResponse()}
		path := pathOf(p)
		fr.data = encap.AppendFrame(nil, &path, &p.Headers, p.Payload)
		spoil(encap, p, fr.data)
		if encap == ib.InfiniBand {
			fr.data = erf(p.Entered, fr.data)
		}
		fr.length = len(fr.data)
		fr.words = r.about(p.Op)
		fr.words = append(fr.words, exact(p.Entered))
		if p.Fate != wire.Sound {
			fr.words = append(fr.words, fates[p.Fate])
		}
		if p.BadICRC {
			fr.words = append(fr.words, "its ICRC is wrong on purpose")
		}
		if why := refusals[p.Op]; why != "" && p.AETH.Syndrome.IsNAK() && p.BTH.Opcode.IsResponse() {
			fr.words = append(fr.words, "answers: "+why)
		}
		r.file.add(fr)
	})
	for i := range v.Hosts {
		h := &v.Hosts[i]
		h.HCA.Refused.Watch(func(f hca.Refusal) {
			why := refusal(h, &f)
			if !f.Remote {
				return
			}
			refusals[f.Op] = why
			if fr := r.file.last(func(fr *frame) bool { return fr.op == f.Op && fr.request && fr.end != i && fr.iface == iface }); fr != nil {
				fr.words = append(fr.words, why)
			}
		})
	}
}

// fates says what became of a packet.
var fates = [...]string{
	wire.Lost: "lost on the wire", wire.Corrupted: "corrupted on the wire, discarded for its ICRC", wire.Duplicated: "a copy follows",
	wire.Copy: "a copy, made by the wire", wire.Late: "late: overtaken by packets sent after it", wire.Overrun: "discarded: no room",
}

// refusal says in words why a host refused.
func refusal(h *run.HostView, f *hca.Refusal) string {
	words := []string{"refused at " + h.Name}
	switch {
	case f.Fault != tpt.OK:
		words = append(words, "cause "+f.Fault.String())
	case f.NAK != 0:
		words = append(words, "NAK "+f.NAK.String())
	}
	if f.Rule != "" {
		words = append(words, "rule "+f.Rule)
	}
	return strings.Join(words, ", ") + ", " + exact(f.At)
}

// about says to which op a frame belongs.
func (r *Recorder) about(op uint32) []string {
	o, known := r.view.Op(op)
	if !known {
		return []string{"op unknown"}
	}
	words := []string{fmt.Sprintf("op %s", o.ID), fmt.Sprintf("line %d", o.Line), o.Host + " " + o.Request}
	if o.Object != "" {
		words = append(words, "on "+o.Object)
	}
	return words
}

// pathOf returns the addresses of a packet: the hosts are 10.0.0.1 and 10.0.0.2,
// or fd00::1 and fd00::2, or LID 1 and 2. The source port of UDP is the queue
// pair's, as drivers spread flows.
func pathOf(p *wire.Packet) ib.Path {
	a, b := byte(p.Src)+1, byte(p.Dst)+1
	path := ib.Path{
		SrcMAC: [6]byte{2, 0, 0, 0, 0, a}, DstMAC: [6]byte{2, 0, 0, 0, 0, b},
		SrcIP: [16]byte{0: 0xfd, 12: 10, 15: a}, DstIP: [16]byte{0: 0xfd, 12: 10, 15: b},
		SrcLID: uint16(a), DstLID: uint16(b), SrcPort: 0xC000 | uint16(p.BTH.DestQP)&0x3FFF,
	}
	return path
}

// spoil makes the ICRC of a packet wrong that was spoiled on purpose, or on its
// way.
func spoil(e ib.Encap, p *wire.Packet, data []byte) {
	if !p.BadICRC && p.Fate != wire.Corrupted {
		return
	}
	at := len(data) - ib.ICRCBytes
	if e == ib.InfiniBand {
		at -= ib.VCRCBytes
	}
	data[at] ^= 0xFF
	if e == ib.InfiniBand {
		binary.LittleEndian.PutUint16(data[len(data)-ib.VCRCBytes:], ib.VCRC(data[:len(data)-ib.VCRCBytes]))
	}
}

// erfInfiniBand is the type of a record of Endace's extensible record format
// that holds a native InfiniBand packet, from LRH to VCRC.
const erfInfiniBand = 21

// erf puts a native packet into a record of that format: time as 32.32 bits of
// seconds, type, flags, lengths.
func erf(at sim.Time, data []byte) []byte {
	const head = 16
	out := make([]byte, head, head+len(data))
	seconds, rest := uint64(at)/uint64(sim.Second), uint64(at)%uint64(sim.Second)
	binary.LittleEndian.PutUint64(out, seconds<<32|(rest<<20)/(uint64(sim.Second)>>12))
	out[8], out[9] = erfInfiniBand, 4 // varying lengths
	binary.BigEndian.PutUint16(out[10:], uint16(head+len(data)))
	binary.BigEndian.PutUint16(out[14:], uint16(len(data)))
	return append(out, data...)
}
