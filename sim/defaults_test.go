package sim

import (
	"strings"
	"testing"
)

type inner struct {
	Rate BitRate `default:"100Gb/s"`
	Kept uint32
}

type params struct {
	Latency Cycles   `default:"12" min:"0" max:"1000"`
	Delay   Duration `default:"1.5us"`
	Clock   Hertz    `default:"250MHz"`
	Size    Bytes    `default:"4KiB" max:"1MiB"`
	Ways    uint32   `default:"8" min:"1"`
	Depth   int      `default:"-1"`
	On      bool     `default:"true"`
	Policy  string   `default:"lru" enum:"lru,plru,random,direct"`
	Inner   inner
	Ports   [2]inner
	hidden  uint32 `default:"9"` //nolint:unused // must be left alone
}

func TestSetDefaults(t *testing.T) {
	got := params{Inner: inner{Kept: 5}}
	SetDefaults(&got)
	in := inner{Rate: 100e9}
	want := params{12, 1_500_000, 250e6, 4096, 8, -1, true, "lru", inner{100e9, 5}, [2]inner{in, in}, 0}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestSetDefaultsRefuses: a tag that does not fit is our mistake, and names its
// field.
func TestSetDefaultsRefuses(t *testing.T) {
	for _, bad := range []any{
		&struct {
			Size Bytes `default:"4"`
		}{},
		&struct {
			Ways uint8 `default:"300"`
		}{},
		&struct {
			Ways uint32 `default:"8" max:"4"`
		}{},
		&struct {
			Delay Duration `default:"1ns" min:"2ns"`
		}{},
		&struct {
			Policy string `default:"lro" enum:"lru,random"`
		}{},
		&struct {
			F float64 `default:"1"`
		}{},
		&struct {
			Inner struct {
				On bool `default:"perhaps"`
			}
		}{},
	} {
		message := mustPanic(t, func() { SetDefaults(bad) })
		if !strings.Contains(message, "default") {
			t.Errorf("%T: %q", bad, message)
		}
	}
	mustPanic(t, func() { SetDefaults(params{}) })
}
