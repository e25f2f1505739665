package run

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzHistogram: what is read as a histogram is written and read as the same.
func FuzzHistogram(f *testing.F) {
	for _, text := range []string{
		`{"count": 2, "min_ps": 5, "max_ps": 7, "sum_ps": 12, "bars": [[5, 1], [7, 1]]}`, `{"count": 0}`, `null`, `{}`,
		`{"count": 18446744073709551615, "bars": [[0, 18446744073709551615]]}`, `{"count": 1, "bars": [[18446744073709551615, 1]]}`,
		`{"count": 9223372036854775808, "bars": [[1, 9223372036854775807], [1, 1]]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var h, again Histogram
		if json.Unmarshal(text, &h) != nil {
			return
		}
		for _, basis := range []uint64{0, 5000, 9999, 10_000} {
			h.AtBasis(basis)
		}
		_ = h.Mean()
		one, err := json.Marshal(&h)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(one, &again); err != nil {
			t.Fatalf("%s: %v", one, err)
		}
		if two, _ := json.Marshal(&again); !bytes.Equal(one, two) {
			t.Errorf("%s is read as %s", one, two)
		}
	})
}
