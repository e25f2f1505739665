package pcie

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// seen runs one request and returns its TLPs as text.
func seen(t *testing.T, h HostParams, d DeviceParams, write bool, addr uint64, n uint32) (up, down []string) {
	w, c := newWorld(t, h, d), &note{}
	w.Taps.TLPs.Watch(func(tlp TLP) {
		s := fmt.Sprintf("%#x+%d", tlp.Addr, tlp.Len)
		if tlp.Kind.Down() {
			down = append(down, s)
		} else {
			up = append(up, s)
		}
	})
	r := Request{Addr: addr, Len: n, Client: w.Client("c", c)}
	if write {
		w.Write(0, r)
	} else {
		w.Read(0, r)
	}
	w.finish()
	return up, down
}

// P2, case by case.
func TestCuts(t *testing.T) {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	h.MRRS = 512
	packed, byRCB := d, h
	packed.Cut = Packed
	byRCB.Cut = CutRCB
	for _, c := range []struct {
		name  string
		h     HostParams
		d     DeviceParams
		write bool
		addr  uint64
		n     uint32
		up    string
		down  string
	}{
		{"write of MPS, aligned", h, d, true, 0x1000, 256, "[0x1000+256]", "[]"},
		{"write of MPS, unaligned, is a TLP more", h, d, true, 0x1010, 256, "[0x1010+240 0x1100+16]", "[]"},
		{"the same, packed", h, packed, true, 0x1010, 256, "[0x1010+256]", "[]"},
		{"packed stops at 4 KiB", h, packed, true, 0x1ff0, 256, "[0x1ff0+16 0x2000+240]", "[]"},
		{"nothing to write is a TLP", h, d, true, 0x1000, 0, "[0x1000+0]", "[]"},
		{"a read is cut at MRRS, its completions at MPS", h, d, false, 0x1000, 600,
			"[0x1000+512 0x1200+88]", "[0x1000+256 0x1100+256 0x1200+88]"},
		{"first completion ends on RCB", h, d, false, 0x1068, 300, "[0x1068+300]", "[0x1068+216 0x1140+84]"},
		{"cut at RCB", byRCB, d, false, 0x1068, 100, "[0x1068+100]", "[0x1068+24 0x1080+64 0x10c0+12]"},
		{"read across 4 KiB", h, packed, false, 0x1fff, 2, "[0x1fff+1 0x2000+1]", "[0x1fff+1 0x2000+1]"},
		{"nothing to read is a Cpl", h, d, false, 0x1000, 0, "[0x1000+0]", "[0x1000+0]"},
		{"the last byte there is", h, d, false, 1<<64 - 3, 3, "[0xfffffffffffffffd+3]", "[0xfffffffffffffffd+3]"},
	} {
		up, down := seen(t, c.h, c.d, c.write, c.addr, c.n)
		if fmt.Sprint(up) != c.up || fmt.Sprint(down) != c.down {
			t.Errorf("%s: %v, %v; want %s, %s", c.name, up, down, c.up, c.down)
		}
	}
}

// The closed count of completions agrees with cutting them one by one.
func TestCompletionsAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rcb := uint32(64) << rapid.Uint32Range(0, 1).Draw(t, "rcb")
		limit := rcb << rapid.Uint32Range(0, 4).Draw(t, "limit")
		addr := rapid.Uint64().Draw(t, "addr")
		n := rapid.Uint32Range(1, 4096).Draw(t, "n")
		count := uint32(0)
		for at, left := addr, n; left > 0; count++ {
			cut := completionEnd(at, left, limit, rcb)
			if cut == 0 || cut > limit || (cut < left && (at+uint64(cut))%uint64(rcb) != 0) {
				t.Fatalf("completion of %d bytes at %#x, %d left", cut, at, left)
			}
			at, left = at+uint64(cut), left-cut
		}
		if got := completions(addr, n, limit, rcb); got != count {
			t.Fatalf("%d completions, cut one by one %d", got, count)
		}
	})
}
