package host

import (
	"strings"
	"testing"
)

// TestParamsCheck: the defaults are right, and each mistake is named by the
// field that makes it.
func TestParamsCheck(t *testing.T) {
	tests := []struct {
		field string
		spoil func(m *MemoryParams, u *IOMMUParams)
	}{
		{"", func(*MemoryParams, *IOMMUParams) {}},
		{"contiguous", func(m *MemoryParams, _ *IOMMUParams) { m.Contiguous = 5000 }},
		{"ddio_ways", func(m *MemoryParams, _ *IOMMUParams) { m.DDIOWays = m.LLCWays + 1 }},
		{"llc_size", func(m *MemoryParams, _ *IOMMUParams) { m.LLCSize++ }},
		{"page", func(_ *MemoryParams, u *IOMMUParams) { u.Page = 8192 }},
	}
	for _, tt := range tests {
		m, u := DefaultMemoryParams(), DefaultIOMMUParams()
		tt.spoil(&m, &u)
		got := ""
		for _, err := range []error{m.Check(), u.Check()} {
			if err != nil {
				got += err.Error()
			}
		}
		if tt.field == "" && got != "" || !strings.HasPrefix(got, tt.field) || strings.Contains(got, "\n") {
			t.Errorf("%q: %q", tt.field, got)
		}
	}
}
