package suite

import (
	"math"
	"slices"
	"testing"
)

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
