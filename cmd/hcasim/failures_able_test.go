//go:build linux && !tools

package main

import "testing"

// unable skips what cannot be done here; under the tag tools it fails.
func unable(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Skipf("cannot "+format, args...)
}
