package ib

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// frame is a whole RoCE frame of testdata, from Ethernet header to ICRC.
type frame struct {
	name string
	b    []byte
}

func (f frame) l3() []byte { return f.b[EthernetBytes : len(f.b)-ICRCBytes] }

// bth returns the frame's packet from its BTH to its last byte of padding.
func (f frame) bth(t *testing.T) []byte {
	t.Helper()
	n, err := transportOffset(f.l3())
	if err != nil {
		t.Fatal(err)
	}
	return f.l3()[n:]
}

func frames(t testing.TB) (all []frame) {
	t.Helper()
	file, err := os.Open("testdata/frames.hex")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, digits, ok := strings.Cut(lines.Text(), " ")
		if name == "#" || !ok {
			continue
		}
		b, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, frame{name, b})
	}
	if len(all) < 4 {
		t.Fatalf("%d frames in testdata", len(all))
	}
	return all
}

// TestICRC holds the CRC to what the senders of real frames computed.
func TestICRC(t *testing.T) {
	for _, f := range frames(t) {
		got, err := ICRC(f.l3())
		want := binary.LittleEndian.Uint32(f.b[len(f.b)-ICRCBytes:])
		if err != nil || got != want {
			t.Errorf("%s: ICRC %08x, %v, want %08x", f.name, got, err, want)
		}
	}
}

// TestICRCVariant changes every bit of a frame. Those that a router may change
// leave the CRC as it is, all others do not.
func TestICRCVariant(t *testing.T) {
	all := frames(t)
	v6 := toIPv6(all[3].l3())
	tests := []struct {
		name    string
		p       []byte
		variant []int // bytes; -1-n means the low four bits of byte n
	}{
		{"v1", all[0].l3(), []int{-1, 1, 2, 3, 7, GRHBytes + 4}},
		{"v4", all[3].l3(), []int{1, 8, 10, 11, 26, 27, 28 + 4}},
		{"v6", v6, []int{-1, 1, 2, 3, 7, 46, 47, 48 + 4}},
	}
	for _, test := range tests {
		before, err := ICRC(test.p)
		if err != nil {
			t.Fatal(test.name, err)
		}
		mask := make([]byte, len(test.p))
		for _, n := range test.variant {
			if n < 0 {
				mask[-1-n] = 0x0f
			} else {
				mask[n] = 0xff
			}
		}
		for i := range len(test.p) * 8 {
			bit := byte(1) << (i % 8)
			p := bytes.Clone(test.p)
			p[i/8] ^= bit
			after, err := ICRC(p)
			if err != nil {
				continue // no longer a header that could be read
			}
			if invariant := mask[i/8]&bit == 0; invariant == (after == before) {
				t.Errorf("%s: byte %d bit %d: ICRC changed: %v", test.name, i/8, i%8, after != before)
			}
		}
	}
}

// toIPv6 puts the UDP part of an IPv4 packet behind an IPv6 header.
func toIPv6(p []byte) []byte {
	h := make([]byte, IPv6Bytes)
	h[0], h[6], h[7] = 0x60, nextUDP, 64
	binary.BigEndian.PutUint16(h[4:], uint16(len(p)-IPv4Bytes+ICRCBytes))
	h[8], h[24] = 0xfe, 0xfe
	return append(h, p[IPv4Bytes:]...)
}

// sample is the packet whose CRC the specification works out (IBA 7.8), from
// LRH to padding: a WRITE Only of 14 bytes with two bytes of padding.
const sample = "7012375c000e17d20a20248700" + "87b1b3000dec2a01710a1c015d400238f27a05000000" +
	"0ebb884d85fd5cfba4728bc0690ed40000"

func TestNativeICRC(t *testing.T) {
	p, err := hex.DecodeString(sample)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := NativeICRC(p); !ok || got != 0x5AB72596 { // printed there as 0x9625B75A, in the order of the wire
		t.Errorf("NativeICRC = %08x, %v, want 5ab72596", got, ok)
	}
	before, _ := NativeICRC(p)
	p[0] ^= 0xf0 // virtual lane
	p[LRHBytes+4] ^= 0xff
	if got, _ := NativeICRC(p); got != before {
		t.Errorf("the ICRC depends on virtual lane or reserved byte")
	}
	if _, ok := NativeICRC(p[:19]); ok {
		t.Error("an ICRC of a packet without a whole BTH")
	}
}

// TestNativeICRCGlobal uses that RoCEv1 is InfiniBand with its LRH taken for
// ones.
func TestNativeICRCGlobal(t *testing.T) {
	v1 := frames(t)[0]
	p := append(bytes.Repeat([]byte{0xff}, LRHBytes), v1.l3()...) // LNH 3: a GRH follows
	want, _ := ICRC(v1.l3())
	if got, ok := NativeICRC(p); !ok || got != want {
		t.Errorf("NativeICRC = %08x, %v, want that of RoCEv1, %08x", got, ok, want)
	}
}

// TestVCRC checks what every CRC of this kind obeys, and its value on the
// digits against one worked out bit by bit.
func TestVCRC(t *testing.T) {
	digits := []byte("123456789")
	slow := uint16(0xffff)
	for _, b := range digits {
		for i := range 8 {
			if in := uint16(b>>i) & 1; slow&1^in == 1 {
				slow = slow>>1 ^ 0xD008
			} else {
				slow >>= 1
			}
		}
	}
	sum := VCRC(digits)
	if sum != ^slow {
		t.Errorf("VCRC = %04x, want %04x", sum, ^slow)
	}
	whole := binary.LittleEndian.AppendUint16(digits, sum)
	other := binary.LittleEndian.AppendUint16([]byte("x"), VCRC([]byte("x")))
	if VCRC(whole) != VCRC(other) {
		t.Error("the residue of a packet with its VCRC depends on the packet")
	}
}
