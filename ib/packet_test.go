package ib

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestDecodeFrames decodes real frames and encodes them again.
func TestDecodeFrames(t *testing.T) {
	for _, f := range frames(t) {
		p := f.bth(t)
		h, payload, err := Decode(p)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		again := append(h.Append(nil), payload...)
		again = append(again, p[len(p)-int(h.BTH.Pad):]...)
		if !bytes.Equal(again, p) {
			t.Errorf("%s:\n got %x\nwant %x", f.name, again, p)
		}
	}
}

// TestGoldenHeaders reads the fields of the four frames seen on real adapters.
func TestGoldenHeaders(t *testing.T) {
	want := map[string]Headers{
		"v1-write": {
			BTH:  BTH{Opcode: RCWriteOnly, Pad: 3, MigReq: true, PKey: 0xffff, DestQP: 0x10a, AckReq: true, PSN: 0xa788bc},
			RETH: RETH{VA: 0x55d4c0726000, RKey: 0x47b3, Length: 5},
		},
		"v1-ack": {
			BTH:  BTH{Opcode: RCAck, MigReq: true, PKey: 0xffff, DestQP: 0x109, PSN: 0xa788c0},
			AETH: AETH{Syndrome: 0, MSN: 5},
		},
		"cnp": {
			BTH: BTH{Opcode: CongestionNotified, BECN: true, PKey: 0xffff, DestQP: 0x118},
		},
		"v2-read-rxe": {
			BTH:  BTH{Opcode: RCReadRequest, PKey: 0xffff, DestQP: 0x11, AckReq: true, PSN: 0x54cb63},
			RETH: RETH{VA: 0x7fee260fb000, RKey: 0x2b8, Length: 65536},
		},
	}
	for _, f := range frames(t) {
		w, golden := want[f.name]
		if !golden {
			continue
		}
		delete(want, f.name)
		if got, _, err := Decode(f.bth(t)); err != nil || got != w {
			t.Errorf("%s:\n got %+v, %v\nwant %+v", f.name, got, err, w)
		}
	}
	if len(want) != 0 {
		t.Errorf("not in testdata: %v", want)
	}
}

// knownOpcodes returns every opcode that has a name.
func knownOpcodes() (all []Opcode) {
	for o := range 256 {
		if Opcode(o).Known() {
			all = append(all, Opcode(o))
		}
	}
	return all
}

// drawHeaders draws headers that opcode o can have.
func drawHeaders(t *rapid.T, o Opcode, pad uint8) Headers {
	u8, u16, u32 := rapid.Uint8(), rapid.Uint16(), rapid.Uint32()
	u64, u24 := rapid.Uint64(), rapid.Uint32Range(0, psnMask)
	yes := rapid.Bool()
	h := Headers{BTH: BTH{
		Opcode: o, Solicited: yes.Draw(t, "se"), MigReq: yes.Draw(t, "m"), FECN: yes.Draw(t, "fecn"),
		BECN: yes.Draw(t, "becn"), Pad: pad, PKey: u16.Draw(t, "pkey"), DestQP: QPN(u24.Draw(t, "qp")),
		AckReq: yes.Draw(t, "a"), PSN: PSN(u24.Draw(t, "psn")),
	}}
	if o.HasDETH() {
		h.DETH = DETH{u32.Draw(t, "qkey"), QPN(u24.Draw(t, "src"))}
	}
	if o.HasRETH() {
		h.RETH = RETH{u64.Draw(t, "va"), RKey(u32.Draw(t, "rkey")), u32.Draw(t, "length")}
	}
	if o.HasAtomicETH() {
		h.Atomic = AtomicETH{u64.Draw(t, "va"), RKey(u32.Draw(t, "rkey")), u64.Draw(t, "swap"), u64.Draw(t, "compare")}
	}
	if o.HasAETH() {
		h.AETH = AETH{Syndrome(u8.Draw(t, "syndrome")), u24.Draw(t, "msn")}
	}
	if o.HasAtomicAckETH() {
		h.AtomicAck.Original = u64.Draw(t, "original")
	}
	if o.HasImm() {
		h.Imm.Data = u32.Draw(t, "imm")
	}
	if o.HasIETH() {
		h.IETH.RKey = RKey(u32.Draw(t, "inv"))
	}
	return h
}

// TestRoundTrip: decoding what was encoded gives back the same, and the headers
// are as long as the opcode says.
func TestRoundTrip(t *testing.T) {
	opcodes := knownOpcodes()
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(opcodes).Draw(t, "opcode")
		var payload []byte
		if o.HasPayload() {
			payload = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "payload")
		}
		h := drawHeaders(t, o, PadFor(len(payload)))
		p := h.Append([]byte{1, 2, 3})[3:]
		if len(p) != o.Bytes() {
			t.Fatalf("%v: %d bytes of headers, want %d", o, len(p), o.Bytes())
		}
		p = append(append(p, payload...), make([]byte, h.BTH.Pad)...)
		if len(p)%4 != 0 {
			t.Fatalf("%d bytes: no multiple of 4", len(p))
		}
		got, rest, err := Decode(p)
		if err != nil || got != h || !bytes.Equal(rest, payload) {
			t.Fatalf("%+v\n became %+v, payload %x, %v", h, got, rest, err)
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	read := Headers{BTH: BTH{Opcode: RCReadRequest}}
	whole := read.Append(nil)
	change := func(i int, b byte) []byte {
		p := bytes.Clone(whole)
		p[i] = b
		return p
	}
	for name, p := range map[string][]byte{
		"nothing":        nil,
		"half a BTH":     whole[:BTHBytes-1],
		"half a RETH":    whole[:len(whole)-1],
		"no such opcode": change(0, 0x15),
		"version 1":      change(1, 0x01),
		"only padding":   change(1, 0x10),
		"a payload":      append(bytes.Clone(whole), 0, 0, 0, 0),
	} {
		if _, _, err := Decode(p); err == nil {
			t.Errorf("%s: decoded", name)
		}
	}
}

// FuzzDecode: whatever the bytes, Decode does not panic, and what it accepts
// says the same when encoded and decoded again.
func FuzzDecode(f *testing.F) {
	for _, frame := range frames(f) {
		if n, err := transportOffset(frame.l3()); err == nil {
			f.Add(frame.l3()[n:])
		}
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		h, payload, err := Decode(p)
		if err != nil {
			return
		}
		again := append(h.Append(nil), payload...)
		again = append(again, make([]byte, h.BTH.Pad)...)
		got, rest, err := Decode(again)
		if err != nil || got != h || !bytes.Equal(rest, payload) {
			t.Fatalf("%+v became %+v, %v", h, got, err)
		}
	})
}

// TestAppendAllocates nothing when there is room.
func TestAppendAllocates(t *testing.T) {
	h := Headers{BTH: BTH{Opcode: RCWriteOnlyImm}}
	buf := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		p := h.Append(buf)
		if _, _, err := Decode(p); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a packet", n)
	}
}
