package figure

import (
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
		m, _, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := m.Of(sample(), map[string]any{"x": 64.0}); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestMetricNames(t *testing.T) {
	m, _, err := Compile("write.p50 + time * client.mpt.hits / max(write.p50, x)")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"client.mpt.hits", "time", "write.p50", "x"}; !slices.Equal(m.Names(), want) || !m.Watched() {
		t.Errorf("names %q, watched %v", m.Names(), m.Watched())
	}
	if m, _, _ = Compile("write.p50"); m.Watched() {
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
		m, _, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := m.Of(sample(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %s", text, v, err, want)
		}
	}
	for _, text := range []string{"", "write.p50 /", "write.p50 1", "'text'", "true", "filter([1], # > 0)"} {
		if m, _, err := Compile(text); err == nil {
			if _, err := m.Of(sample(), nil); err == nil {
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
	if f["time"] != 1.0 || has(f, "time.p50") {
		t.Errorf("%v", f)
	}
}

func has(f Figures, name string) bool { _, found := f.Get(name); return found }
