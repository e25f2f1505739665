package replay

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"hcasim/ib"
)

// ng writes frames as pcapng, in so many blocks; each block may be spoilt.
func ng(order binary.AppendByteOrder, link uint16, frames []*frame, spoil func(kind uint32, block []byte) []byte) []byte {
	var file []byte
	block := func(kind uint32, body []byte) {
		n := uint32(12 + (len(body)+3)/4*4)
		b := order.AppendUint32(order.AppendUint32(nil, kind), n)
		b = append(append(b, body...), make([]byte, int(n)-12-len(body))...)
		b = order.AppendUint32(b, n)
		if spoil != nil {
			b = spoil(kind, b)
		}
		file = append(file, b...)
	}
	half, word := order.AppendUint16, order.AppendUint32
	block(0x0A0D0D0A, append(half(half(word(nil, 0x1A2B3C4D), 1), 0), bytes.Repeat([]byte{0xff}, 8)...))
	block(1, append(half(half(word(half(half(nil, link), 0), 256<<10), 9), 1), 9, 0, 0, 0)) // times in ns
	for _, f := range frames {
		t := uint64(f.at)
		head := word(word(word(word(word(nil, 0), uint32(t>>32)), uint32(t)), uint32(len(f.data))), uint32(max(f.length, len(f.data))))
		block(6, append(head, f.data...))
	}
	return file
}

// tagged puts frames into a VLAN within a provider's.
func tagged(frames []*frame) (list []*frame) {
	for _, f := range frames {
		d := append(bytes.Clone(f.data[:12]), 0x88, 0xA8, 0, 7, 0x81, 0, 0, 9)
		list = append(list, &frame{at: f.at, data: append(d, f.data[12:]...)})
	}
	return list
}

// TestForms: a capture says the same in each form that a tool writes.
func TestForms(t *testing.T) {
	frames := synthetic(t)
	want := body(read(t, pcap(t, frames, true)))
	little := pcap(t, frames, true)
	big := bytes.Clone(little)
	for at := 0; at < len(big); {
		words, skip := []int{4, 2, 2, 4, 4, 4, 4}, 0
		if at > 0 {
			words, skip = []int{4, 4, 4, 4}, int(binary.LittleEndian.Uint32(little[at+8:]))
		}
		for _, n := range words {
			for i := range n {
				big[at+i] = little[at+n-1-i]
			}
			at += n
		}
		at += skip
	}
	for form, file := range map[string][]byte{
		"big-endian pcap": big, "pcapng": ng(binary.LittleEndian, 1, frames, nil), "big-endian pcapng": ng(binary.BigEndian, 1, frames, nil),
		"two VLAN tags": pcap(t, tagged(frames), true),
	} {
		if got := body(read(t, file)); got != want {
			t.Errorf("%s is read as\n%s", form, got)
		}
	}
}

// TestBroken: of a file that is broken it is said where, and what may be done.
func TestBroken(t *testing.T) {
	frames := synthetic(t)[:2]
	good := pcap(t, frames, true)
	spoilt := func(kind uint32, change func([]byte) []byte) []byte {
		return ng(binary.LittleEndian, 1, frames, func(k uint32, b []byte) []byte {
			if k == kind {
				return change(b)
			}
			return b
		})
	}
	size := func(n uint32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[4:], n); return b }
	}
	put := func(at int, n uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], n)
		return b
	}
	const anew = "; copy it again, or capture anew"
	for _, c := range []struct {
		what string
		file []byte
		want string
	}{
		{"zstd", []byte("\x28\xb5\x2f\xfdxxxx"), "the file is compressed: unzstd it first"},
		{"xz", []byte("\xfd7zXZ\x00xx"), "the file is compressed: unxz it first"},
		{"bzip2", []byte("BZh91AY"), "the file is compressed: bunzip2 it first"},
		{"snoop", []byte("snoop\x00\x00\x00"), "neither pcap nor pcapng: it begins with 73 6e 6f 6f; if it is another tool's capture, editcap -F pcapng makes one of it"},
		{"link type", put(20, 113), "no packet of RoCEv2 or InfiniBand to use among its 2 frames: 2 of link type 113"},
		{"head cut", good[:12], "the head of this pcap file is broken: the file ends inside it" + anew},
		{"version", put(4, 9), "the head of this pcap file is broken: "},
		{"frame's head cut", good[:30], "frame 1: the file ends inside it" + anew},
		{"more captured than sent", put(36, 5), "frame 1: capture length exceeds original packet length: 138 > 5" + anew},
		{"frame longer than its bytes", put(32, 137), "frame 2: "},
		{"pcapng: head cut", ng(binary.LittleEndian, 1, nil, nil)[:20], "the head of this pcapng file is broken: the file ends inside it" + anew},
		{"pcapng: magic", spoilt(0x0A0D0D0A, func(b []byte) []byte { b[8] = 7; return b }), "the head of this pcapng file is broken: "},
		{"pcapng: section of 0", spoilt(0x0A0D0D0A, size(0)), "the head of this pcapng file is broken: the block at byte 0 says that it has 0 bytes" + anew},
		{"pcapng: interface of 0", spoilt(1, size(0)), "frame 1: the block at byte 28 says that it has 0 bytes" + anew},
		{"pcapng: block of 0", spoilt(6, size(0)), "frame 1: the block at byte 56 says that it has 0 bytes" + anew},
		{"pcapng: odd block", spoilt(6, size(33)), "frame 1: the block at byte 56 says that it has 33 bytes" + anew},
		{"pcapng: huge block", spoilt(6, size(1<<32-4)), "frame 1: the block at byte 56 says that it has 4294967292 bytes" + anew},
		{"pcapng: frame beyond its block", spoilt(6, func(b []byte) []byte { b[23] = 0x40; return b }), "frame 1: the block at byte 56 has 172 bytes, and a frame of 1073741962 in it" + anew},
		{"pcapng: no interface", spoilt(1, func([]byte) []byte { return nil }), "frame 1: Interface id 0 not present"},
		{"pcapng: another interface", spoilt(6, func(b []byte) []byte { b[8] = 7; return b }), "frame 1: Interface id 7 not present"},
		{"pcapng: clock", spoilt(1, func(b []byte) []byte { b[20] = 0xff; return b }), "frame 1: Timestamp resolution 2^-127 is too high"},
		{"pcapng: cut", ng(binary.LittleEndian, 1, frames, nil)[:100], "frame 1: the file ends inside it" + anew},
		{"pcapng: no frame", ng(binary.LittleEndian, 1, nil, nil), "the capture has no frame"},
	} {
		if _, err := Read(bytes.NewReader(c.file), options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.what, err, c.want)
		}
	}
	for at, want := range map[int]string{0: "the file cannot be read: a bad disk", 60: "frame 1: a bad disk"} {
		file := io.MultiReader(bytes.NewReader(good[:at]), iotest.ErrReader(&fs.PathError{Err: errors.New("a bad disk")}))
		if _, err := Read(file, options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("at byte %d: error %v, want %q", at, err, want)
		}
	}
}

// TestSpoilt: a frame whose lengths, sums or headers are wrong is told as that.
func TestSpoilt(t *testing.T) {
	from := synthetic(t)[0] // a WRITE over IPv4
	v6 := append(bytes.Clone(from.data[:12]), 0x86, 0xDD, 0x60, 0, 0, 0, 0, 0, 17, 64)
	v6 = append(append(v6, make([]byte, 32)...), from.data[34:]...)
	binary.BigEndian.PutUint16(v6[18:], uint16(len(v6)-54))
	v6[37], v6[53] = 1, 2
	sum, _ := ib.ICRC(v6[14 : len(v6)-4])
	binary.LittleEndian.PutUint32(v6[len(v6)-4:], sum)
	const bth = 14 + 20 + 8
	short := func(n int) func([]byte) []byte { return func(d []byte) []byte { return d[:n] } }
	set := func(at int, b ...byte) func([]byte) []byte { // and the sums right
		return func(d []byte) []byte {
			copy(d[at:], b)
			d[24], d[25] = 0, 0
			binary.BigEndian.PutUint16(d[24:], ib.IPv4Checksum(d[14:34]))
			if sum, err := ib.ICRC(d[14 : len(d)-4]); err == nil {
				binary.LittleEndian.PutUint32(d[len(d)-4:], sum)
			}
			return d
		}
	}
	plain := func(at int, b ...byte) func([]byte) []byte {
		return func(d []byte) []byte { copy(d[at:], b); return d }
	}
	for _, c := range []struct {
		frame  []byte
		change func([]byte) []byte
		want   string
	}{
		{from.data, short(13), "malformed: 13 bytes are no Ethernet frame"},
		{from.data, plain(12, 0x12, 0x34), "1 EtherType 0x1234"},
		{from.data, func(d []byte) []byte { return append(d[:12], 0x81, 0, 0) }, "malformed: it ends inside a VLAN tag"},
		{from.data, short(30), "malformed: no IPv4 header"},
		{from.data, plain(14, 0x44), "malformed: no IPv4 header"},
		{from.data, set(16, 0xff, 0xff), "malformed: IPv4 says 65535 bytes, and there are 124"},
		{from.data, set(16, 0, 19), "malformed: IPv4 says 19 bytes, and there are 124"},
		{from.data, plain(24, 1, 2), "malformed: the checksum of its IPv4 header is wrong"},
		{from.data, set(23, 47), "1 tunnels"},         // GRE
		{from.data, set(36, 0x17, 0xC1), "1 tunnels"}, // GENEVE
		{from.data, set(23, 132), "1 SCTP"},
		{from.data, set(20, 0, 100), "1 fragments of IP"},
		{from.data, set(38, 0xff, 0xff), "malformed: UDP says 65535 bytes, IP leaves it 104"},
		{from.data, set(38, 0, 0), "malformed: UDP says 0 bytes, IP leaves it 104"},
		{from.data, plain(len(from.data)-1, from.data[len(from.data)-1]^1), "1 ICRC wrong"},
		{from.data, set(bth, 0xff), "malformed: "},
		{from.data, set(bth+1, 0x0f), "malformed: "},
		{v6, plain(18, 0xff, 0xff), "malformed: IPv6 says 65575 bytes, and there are "},
		{v6, plain(14, 0x40), "malformed: no IPv6 header"},
		{v6, plain(20, 44), "1 fragments of IP"},
		{v6, plain(20, 0), "1 IPv6 with extension headers"},
		{v6, plain(20, 60), "1 IPv6 with extension headers"},
		{v6, plain(20, 41), "1 tunnels"},
		{v6, plain(20, 58), "1 ICMPv6"},
		{v6, plain(len(v6)-1, v6[len(v6)-1]^1), "1 ICRC wrong"},
	} {
		d := c.change(bytes.Clone(c.frame))
		_, err := Read(bytes.NewReader(pcap(t, []*frame{{at: 1, data: d}}, true)), options)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if m, err := Read(bytes.NewReader(pcap(t, []*frame{{at: 1, data: v6}}, true)), options); err != nil || len(m.talk.Packets) != 1 {
		t.Errorf("over IPv6 it is not used: %v", err)
	}
}
