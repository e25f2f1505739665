package suite

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func sample() Figures {
	f := Figures{}
	for name, v := range map[string]float64{"time": 2e6, "write.p50": 1500, "write.min": 1000, "write.count": 4, "client.mpt.hits": 3, "measured.time": 1e6} {
		f.Put(name, v)
	}
	return f
}

func TestMetric(t *testing.T) {
	for text, want := range map[string]float64{
		"write.p50 / 1000": 1.5, "time / write.count": 5e5, "write.p50 - write.min": 500, "client.mpt.hits": 3,
		"max(write.min, 2000)": 2000, "x * 2": 128, "measured.time / time": 0.5, "3": 3, "-write.min": -1000, "write.count": 4,
	} {
		m, _, err := compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := m.Of(sample(), 64); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestMetricNames(t *testing.T) {
	m, _, err := compile("write.p50 + time * client.mpt.hits / max(write.p50, x)")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"client.mpt.hits", "time", "write.p50"}; !slices.Equal(m.names, want) || !m.Watched() {
		t.Errorf("names %q, watched %v", m.names, m.Watched())
	}
	if m, _, _ = compile("write.p50"); m.Watched() {
		t.Error("a latency needs no watcher")
	}
}

func TestMetricRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"write.p5":               `no figure "write.p5"; did you mean "write.p50"?`,
		"clinet.mpt.hits":        `did you mean "client.mpt.hits"?`,
		"write":                  `no figure "write"`,
		"time.p50":               `no figure "time.p50"`,
		"1 / (write.min - 1000)": "is no number",
	} {
		m, _, err := compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := m.Of(sample(), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %s", text, v, err, want)
		}
	}
	for _, text := range []string{"", "write.p50 /", "write.p50 1", "'text'", "true", "filter([1], # > 0)"} {
		if m, _, err := compile(text); err == nil {
			if _, err := m.Of(sample(), 0); err == nil {
				t.Errorf("%q is taken", text)
			}
		}
	}
}

// A figure and a group of one name do not take each other's place.
func TestFiguresOfOneName(t *testing.T) {
	f := Figures{}
	f.Put("time", 1)
	f.Put("time.p50", 2)
	f.Put("time", 3)
	if f["time"] != 1.0 || f.has("time.p50") {
		t.Errorf("%v", f)
	}
}

func TestEncoded(t *testing.T) {
	for text, want := range map[string]int{
		"LRH": 8, "BTH": 12, "DETH": 8, "RETH": 16, "AETH": 4, "AtomicETH": 28, "AtomicAckETH": 8, "ImmDt": 4, "IETH": 4,
		"RC_RDMA_WRITE_ONLY": 28, "RC_RDMA_WRITE_ONLY/ib/1": 46, "RC_RDMA_WRITE_ONLY/roce_v4/64": 8 + 14 + 20 + 8 + 28 + 64 + 4 + 4 + 12,
	} {
		if got, err := encoded(text); err != nil || got != want {
			t.Errorf("%s has %d bytes, %v; want %d", text, got, err, want)
		}
	}
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		texts []string
		at    string
		want  float64
	}{
		{[]string{"2", "4KiB", "1MiB"}, "4KiB", 4096},
		{[]string{"2", "4KiB"}, "1KiB", 1024}, // anywhere on the axis
		{[]string{"0.5", "1e3"}, "1e3", 1000},
		{[]string{"LRH", "8", "BTH"}, "BTH", 2},
		{[]string{"LRH", "8"}, "9", math.NaN()},
	} {
		got, fine := newAxis(c.texts).at(c.at)
		if fine == math.IsNaN(c.want) || fine && got != c.want {
			t.Errorf("%s of %q is at %v, %v", c.at, c.texts, got, fine)
		}
	}
}

func TestOrderOfIDs(t *testing.T) {
	ids := []string{"V10", "V9", "A2", "V100"}
	slices.SortFunc(ids, compareIDs)
	if want := []string{"A2", "V9", "V10", "V100"}; !slices.Equal(ids, want) {
		t.Errorf("%q", ids)
	}
}
