package run

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"hcasim/sim"
)

// A histogram that was written and read is the same, alone and merged.
func TestHistogramJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		durations := rapid.SliceOf(rapid.Uint64Range(1, 200*uint64(sim.Second)))
		var whole, parts Histogram
		for _, list := range [][]uint64{durations.Draw(t, "a"), durations.Draw(t, "b")} {
			var one, again Histogram
			for _, d := range list {
				one.Add(sim.Duration(d))
				whole.Add(sim.Duration(d))
			}
			text, err := json.Marshal(&one)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &again); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(one, again) {
				t.Fatalf("%s is read as another", text)
			}
			parts.Merge(&again)
		}
		if !reflect.DeepEqual(whole, parts) {
			t.Fatal("merged parts are not the whole")
		}
	})
	for _, text := range []string{`{`, `{"count": 2, "bars": [[5, 1]]}`, `{"count": 1, "bars": [[999999999999999999, 1]]}`, `{"count": 1, "min_ps": 7, "bars": [[5, 1]]}`} {
		if json.Unmarshal([]byte(text), &Histogram{}) == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
