package ib

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

// TestNativeFrame writes the specification's sample packet from its fields. Its
// virtual lane is 7 there and 0 here; neither the ICRC nor anything but the
// first byte depends on that.
func TestNativeFrame(t *testing.T) {
	want, err := hex.DecodeString(sample + "9625b75a")
	if err != nil {
		t.Fatal(err)
	}
	want[0] = 0
	h := Headers{
		BTH:  BTH{Opcode: RCWriteOnly, PKey: 0x2487, DestQP: 0x87b1b3, PSN: 0x0dec2a},
		RETH: RETH{VA: 0x01710a1c015d4002, RKey: 0x38f27a05, Length: 14},
	}
	path := Path{DstLID: 0x375c, SrcLID: 0x17d2, SL: 1}
	got := InfiniBand.AppendFrame(nil, &path, &h, want[36:50])
	if n := len(got) - VCRCBytes; !bytes.Equal(got[:n], want) {
		t.Errorf("\n got %x\nwant %x", got[:n], want)
	}
	if n := len(got) - VCRCBytes; binary.LittleEndian.Uint16(got[n:]) != VCRC(got[:n]) {
		t.Error("VCRC does not follow the packet")
	}
}

// TestRoCEFrame writes one of the frames of testdata from its fields. That one
// carries an identification and ECN bits that AppendFrame leaves zero.
func TestRoCEFrame(t *testing.T) {
	for _, f := range frames(t) {
		if f.name != "write-last" {
			continue
		}
		want := bytes.Clone(f.b)
		copy(want[EthernetBytes+1:], []byte{0})
		copy(want[EthernetBytes+4:], []byte{0, 0})
		copy(want[EthernetBytes+10:], []byte{0, 0})
		binary.BigEndian.PutUint16(want[EthernetBytes+10:], IPv4Checksum(want[EthernetBytes:][:IPv4Bytes]))
		sum, err := ICRC(want[EthernetBytes : len(want)-ICRCBytes])
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(want[len(want)-ICRCBytes:], sum)

		h, payload, err := Decode(f.bth(t))
		if err != nil {
			t.Fatal(err)
		}
		path := Path{
			SrcMAC: [6]byte{2, 0, 0, 0, 0, 1}, DstMAC: [6]byte{2, 0, 0, 0, 0, 2},
			SrcIP: [16]byte{12: 10, 15: 1}, DstIP: [16]byte{12: 10, 15: 2}, SrcPort: 0xC000,
		}
		h.BTH.Pad = 0 // AppendFrame knows better
		if got := RoCEv4.AppendFrame(nil, &path, &h, payload); !bytes.Equal(got, want) {
			t.Errorf("\n got %x\nwant %x", got, want)
		}
		return
	}
	t.Error("no write-last in testdata")
}

// TestFrames: every frame is as long as the wire is charged for, carries the
// CRC of its bytes, and says the same when read back.
func TestFrames(t *testing.T) {
	opcodes := knownOpcodes()
	uncaptured := map[Encap]int{InfiniBand: 0, RoCEv4: PreambleBytes + FCSBytes + GapBytes, RoCEv6: PreambleBytes + FCSBytes + GapBytes}
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom([]Encap{InfiniBand, RoCEv4, RoCEv6}).Draw(t, "encap")
		o := rapid.SampledFrom(opcodes).Draw(t, "opcode")
		var payload []byte
		if o.HasPayload() {
			payload = rapid.SliceOfN(rapid.Byte(), 0, 70).Draw(t, "payload")
		}
		h := drawHeaders(t, o, PadFor(len(payload)))
		path := Path{SrcPort: rapid.Uint16().Draw(t, "port"), SrcLID: 1, DstLID: 2}
		f := e.AppendFrame([]byte("before"), &path, &h, payload)[len("before"):]
		if got, want := len(f)+uncaptured[e], int(e.WireBytes(o, uint32(len(payload)))); got != want {
			t.Fatalf("%d bytes on the wire, charged %d", got, want)
		}
		var bth []byte
		var sum uint32
		if e == InfiniBand {
			f = f[:len(f)-VCRCBytes]
			bth = f[LRHBytes : len(f)-ICRCBytes]
			sum, _ = NativeICRC(f[:len(f)-ICRCBytes])
		} else {
			l3 := f[EthernetBytes : len(f)-ICRCBytes]
			n, err := transportOffset(l3)
			if err != nil {
				t.Fatal(err)
			}
			bth = l3[n:]
			sum, _ = ICRC(l3)
			if h := l3[:IPv4Bytes]; e == RoCEv4 && IPv4Checksum(h) != 0 {
				t.Fatalf("IPv4 header %x does not add up", h)
			}
		}
		if got := binary.LittleEndian.Uint32(f[len(f)-ICRCBytes:]); got != sum {
			t.Fatalf("ICRC %08x, want %08x", got, sum)
		}
		if got, rest, err := Decode(bth); err != nil || got != h || !bytes.Equal(rest, payload) {
			t.Fatalf("%+v\n became %+v, %x, %v", h, got, rest, err)
		}
	})
}
