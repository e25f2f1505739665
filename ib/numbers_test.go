package ib

import (
	"testing"

	"pgregory.net/rapid"
)

// TestWireBytes holds the sizes to the table worked out from the headers'
// sizes, and to the efficiency of a message's middle packets.
func TestWireBytes(t *testing.T) {
	encaps := [...]Encap{InfiniBand, RoCEv4, RoCEv6}
	for _, test := range []struct {
		o    Opcode
		n    uint32
		want [3]uint32
	}{
		{RCWriteOnly, 0, [3]uint32{42, 98, 118}},
		{RCWriteOnly, 1, [3]uint32{46, 102, 122}},
		{RCWriteOnly, 64, [3]uint32{106, 162, 182}},
		{RCWriteOnly, 4096, [3]uint32{4138, 4194, 4214}},
		{RCReadRespOnly, 0, [3]uint32{30, 86, 106}},
		{RCReadRespOnly, 1, [3]uint32{34, 90, 110}},
		{RCReadRespOnly, 64, [3]uint32{94, 150, 170}},
		{RCReadRespOnly, 4096, [3]uint32{4126, 4182, 4202}},
		{RCReadRequest, 0, [3]uint32{42, 98, 118}},
		{RCAck, 0, [3]uint32{30, 86, 106}},
		{RCCompareSwap, 0, [3]uint32{54, 110, 130}},
		{RCFetchAdd, 0, [3]uint32{54, 110, 130}},
		{RCAtomicAck, 0, [3]uint32{38, 94, 114}},
	} {
		for i, e := range encaps {
			if got := e.WireBytes(test.o, test.n); got != test.want[i] {
				t.Errorf("%v of %d bytes over %v: %d on the wire, want %d", test.o, test.n, e, got, test.want[i])
			}
		}
	}
	mtus := [...]uint32{256, 512, 1024, 2048, 4096}
	for i, want := range [...][5]uint32{ // millionths
		{907801, 951673, 975238, 987464, 993692},
		{757396, 861953, 925859, 961502, 980373},
		{715084, 833876, 909414, 952558, 975703},
	} {
		for j, mtu := range mtus {
			bytes := uint64(encaps[i].WireBytes(RCWriteMiddle, mtu))
			if got := (uint64(mtu)*2_000_000 + bytes) / (2 * bytes); got != uint64(want[j]) {
				t.Errorf("%v, mtu %d: %d millionths are payload, want %d", encaps[i], mtu, got, want[j])
			}
		}
	}
}

func TestEncapNames(t *testing.T) {
	for _, name := range EncapNames() {
		if e, ok := ParseEncap(name); !ok || e.String() != name {
			t.Errorf("ParseEncap(%q) = %v, %v", name, e, ok)
		}
	}
}

func TestRNRTimer(t *testing.T) {
	for code, want := range map[uint8]uint64{
		0: 655_360_000, 1: 10_000, 5: 60_000, 12: 640_000, 20: 10_240_000, 31: 491_520_000,
	} {
		if got := RNRTimer(code); got != want {
			t.Errorf("RNRTimer(%d) = %d ns, want %d", code, got, want)
		}
	}
	for code := uint8(2); code < 32; code++ {
		if RNRTimer(code) <= RNRTimer(code-1) {
			t.Errorf("RNR timer code %d waits no longer than %d", code, code-1)
		}
	}
}

func TestACKTimeout(t *testing.T) {
	if got := ACKTimeout(0); got != 0 {
		t.Errorf("code 0: %d ns, want 0, for ever", got)
	}
	for code := uint8(1); code < 32; code++ {
		if got, want := ACKTimeout(code), uint64(4096)<<code; got != want {
			t.Errorf("code %d: %d ns, want %d", code, got, want)
		}
	}
}

func TestSyndromeKinds(t *testing.T) {
	for s := range 256 {
		s := Syndrome(s)
		ack, rnr, nak := s < 0x20, s >= 0x20 && s < 0x40, s >= 0x60 && s <= 0x64
		if s.IsACK() != ack || s.IsRNR() != rnr || s.IsNAK() != nak {
			t.Errorf("%#02x: ACK %v, RNR %v, NAK %v", uint8(s), s.IsACK(), s.IsRNR(), s.IsNAK())
		}
	}
	if s := RNRNAK(12); s != 0x2C || s.Code() != 12 {
		t.Errorf("RNRNAK(12) = %#02x", uint8(s))
	}
}

// TestPSN: numbers wrap at 2^24, and compare by the shorter way round.
func TestPSN(t *testing.T) {
	const top = PSN(1<<24 - 1)
	if got := top.Add(1); got != 0 {
		t.Errorf("after %#x comes %#x", top, got)
	}
	if !top.Less(0) || PSN(0).Less(top) || top.Less(top) {
		t.Error("order around the wrap is wrong")
	}
	if d := PSN(2).Sub(top); d != 3 {
		t.Errorf("2 is %d ahead of %#x, want 3", d, top)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := PSN(rapid.Uint32Range(0, psnMask).Draw(t, "p"))
		n := rapid.Uint32Range(0, 1<<23-1).Draw(t, "n")
		q := p.Add(n)
		if q > psnMask || q.Sub(p) != int32(n) || p.Sub(q) != -int32(n) || p.Less(q) != (n > 0) {
			t.Fatalf("p %#x, n %d, q %#x: %d, %d, %v", p, n, q, q.Sub(p), p.Sub(q), p.Less(q))
		}
	})
}

// TestKey: the key byte wraps without touching the index (KEY-8).
func TestKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := Index(rapid.Uint32Range(0, 1<<24-1).Draw(t, "index"))
		b := rapid.Uint8().Draw(t, "byte")
		k := MakeKey(i, b)
		if k.Index() != i || k.Byte() != b {
			t.Fatalf("key %#x of %#x and %#x", k, i, b)
		}
		if n := k.Next(); n.Index() != i || n.Byte() != b+1 {
			t.Fatalf("after %#x comes %#x", k, n)
		}
		for range 256 {
			k = k.Next()
		}
		if k != MakeKey(i, b) {
			t.Fatalf("256 increments of %#x lead to %#x", MakeKey(i, b), k)
		}
	})
}

// TestPlaces: an opcode that carries data has one place in its message.
func TestPlaces(t *testing.T) {
	for _, o := range knownOpcodes() {
		n := 0
		for _, is := range []bool{o.First(), o.Middle(), o.Last(), o.Only()} {
			if is {
				n++
			}
		}
		if n != 1 || o.IsRequest() == o.IsResponse() || o.Starts() != (o.First() || o.Only()) || o.Ends() != (o.Last() || o.Only()) {
			t.Errorf("%v: first %v middle %v last %v only %v request %v response %v", o,
				o.First(), o.Middle(), o.Last(), o.Only(), o.IsRequest(), o.IsResponse())
		}
		if o.IsSend() && o.IsWrite() || o.IsReadResponse() && o.IsRequest() || o.IsAtomic() != o.HasAtomicETH() {
			t.Errorf("%v: send %v write %v read response %v atomic %v", o, o.IsSend(), o.IsWrite(), o.IsReadResponse(), o.IsAtomic())
		}
	}
}
