package figure

import (
	"strconv"
	"testing"
)

func TestUnits(t *testing.T) {
	for text, want := range map[string]string{
		"write.p50": "ns", "write.p9999": "ns", "write.bytes_per_s": "B/s", "write.offered": "op/s", "client.stall.pcie_tags.time": "ps", "client.stall.pcie_tags.count": "", "client.mpt.busy": "ps",
		"client.pcie.read_bytes_per_op": "B", "client.wire.utilisation": "", "write.count": "", "send.rate": "op/s", "read.bandwidth": "bit/s", "time": "ps", "measured.time": "ps",
		"client.pcie.read_bytes": "B", "measured.wire.bytes.RC_SEND_ONLY": "B", "server.mtt.misses": "", "keys.exposure_max": "ps", "no.such": "",
		"write.p99 - write.p50": "ns", "measured.client.pcie.read_bytes / measured.ops": "B", "write.p99 / write.p50": "",
		"write.p50 / 1000": "", "time / write.p50": "", "max(write.p50, read.p50)": "ns", "write.p50 + time": "", "-write.p50": "ns", "7": "",
	} {
		m, _, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Unit(); got != want {
			t.Errorf("%s is in %q, want %q", text, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		v          float64
		unit, want string
	}{
		{1234.4, "ns", "1,234 ns"}, {12345, "ns", "12.35 us"}, {0.012346, "", "0.01235"}, {4096, "B", "4KiB"}, {100, "B", "100 B"},
		{98.5e9, "bit/s", "98.50 Gbit/s"}, {3, "", "3"}, {2.5, "op/s", "2.500 op/s"}, {-1234567, "", "-1,234,567"}, {0, "ns", "0 ns"},
		{1e18, "", "1e+18"}, {5e6, "ps", "5 us"},
	} {
		if got := Text(c.v, c.unit); got != c.want {
			t.Errorf("%v %s is written %q, want %q", c.v, c.unit, got, c.want)
		}
	}
	for _, c := range [][3]string{{"p50", "ns", "p50_ns"}, {"r", "op/s", "r_op_per_s"}, {"page", "B", "page_bytes"}, {"n", "", "n"}, {"wait_ns", "ns", "wait_ns"}, {"write_bytes_per_s", "B/s", "write_bytes_per_s"}} {
		if got := Column(c[0], c[1]); got != c[2] {
			t.Errorf("column %q, want %q", got, c[2])
		}
	}
}

func size(text string) (float64, bool) {
	if text == "4KiB" {
		return 4096, true
	}
	return 0, false
}

func TestCondition(t *testing.T) {
	env := Env(Value{Name: "n", Number: 8}, Value{Name: "page", Number: 4096}, Value{Name: "way", Word: "lru"}, Value{Name: "write.p50", Number: 900})
	names := []string{"n", "page", "way", "write.p50"}
	for text, want := range map[string]bool{
		`n >= 8`: true, `n > 8 / 2 and way == "lru"`: true, `page == "4KiB"`: true, `way in ["direct"]`: false, `write.p50 < 800`: false,
		`int(n) % 2 == 0`: true, `way != "lru" or n == 8`: true,
	} {
		c, _, err := CompileCondition(text, names, size)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := c.Holds(env); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "n >", "m > 1", "n + 1", "'x'", "n > 1 1", "writ.p50 > 1"} {
		c, _, err := CompileCondition(text, names, size)
		if err != nil {
			continue
		}
		if _, err := c.Holds(env); err == nil {
			t.Error(strconv.Quote(text) + " is taken")
		}
	}
	if b, _, err := CompileBound("n / 2", names, size); err != nil {
		t.Error(err)
	} else if v, err := b.Number(env); err != nil || v != 4 {
		t.Errorf("n / 2 is %v, %v", v, err)
	}
}

// Whatever the vocabulary has is known.
func TestVocabulary(t *testing.T) {
	hosts := []string{"client", "server"}
	for _, name := range Vocabulary(hosts) {
		if !Known(name, hosts) {
			t.Errorf("%s is not known", name)
		}
	}
	for name, unit := range map[string]string{
		"server.mtt.hit_rate": "", "measured.client.pcie.read_bytes_per_op": "B", "client.stall.pcie_tags.time": "ps", "write.p9999": "ns", "read.offered": "op/s",
		"send.bytes_per_s": "B/s", "measured.server.pcie.up.utilisation": "",
	} {
		if !Known(name, hosts) || Unit(name) != unit {
			t.Errorf("%s: known %v, unit %q", name, Known(name, hosts), Unit(name))
		}
	}
	for _, name := range []string{"measured.write.p50", "third.mtt.hits", "writ.p50", "write.p95"} {
		if Known(name, hosts) {
			t.Errorf("%s is known", name)
		}
	}
}
