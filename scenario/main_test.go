package scenario_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// Thousands of small worlds are made and dropped here. The collector may wait
// longer than usual: with its own share of four tenths of the time, that is a
// third of it all.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
