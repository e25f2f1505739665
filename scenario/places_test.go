package scenario

import "testing"

// TestPlaces: pages that stayed, that moved and that are not in memory are
// told apart.
func TestPlaces(t *testing.T) {
	tests := []struct {
		of, want string
		held     bool
	}{
		{"other", "still_since: pinned", true},
		{"other", "moved_since: pinned", false},
		{"bufB", "still_since: out", false},
		{"bufB", "moved_since: out", true},
		{"away", "still_since: pinned", false},
		{"away", "moved_since: pinned", false},
	}
	for _, tt := range tests {
		res := read(t, `
  - {on: B, reg_mr: {as: other, length: 8KiB, access: [LOCAL_WRITE]}}
  - {on: B, reg_mr: {as: away, length: 8KiB, access: [LOCAL_WRITE]}}
  - {on: B, dereg_mr: away}
  - {on: B, id: pinned, page_out: other, expect: {errno: EBUSY}}
  - {on: B, page_out: away}
  - {on: B, dereg_mr: mB}
  - {on: B, id: out, page_out: bufB}
  - {on: B, page_in: bufB, expect: {errno: OK}}
  - {on: B, load: bufB, expect: {at: {B: {`+tt.of+`: {`+tt.want+`}}}}}
`)
		if ok := len(res.Failures) == 0; ok != tt.held {
			t.Errorf("%s {%s}: %v", tt.of, tt.want, res.Failures)
		}
	}
}

// TestRandomFills: two buffers of random bytes are not the same bytes, or
// copying one to the other would prove nothing.
func TestRandomFills(t *testing.T) {
	res := read(t, `
  - {on: B, reg_mr: {as: one, length: 8KiB, fill: random, access: [LOCAL_WRITE]}}
  - {on: B, reg_mr: {as: two, length: 8KiB, fill: random, access: [LOCAL_WRITE]}}
  - {on: B, load: one, expect: {not: {memory: {one: {equals: two}}}}}
`)
	if res.Held != 1 {
		t.Errorf("%v", res.Failures)
	}
}
