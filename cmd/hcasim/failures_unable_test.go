//go:build linux && tools

package main

import "testing"

// unable fails: where all tools are, everything can be done.
func unable(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Fatalf("cannot "+format, args...)
}
