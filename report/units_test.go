package report

import (
	"testing"

	"hcasim/sim"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{micro(5_139_207), "5.139 us"},
		{micro(999_999_500), "1,000.000 us"},
		{micro(499), "0.000 us"},
		{micro(500), "0.001 us"},
		{nano(8_012_400), "8,012.400"},
		{nano(0), "0.000"},
		{instant(40_059_000), "40,059.000 ns"},
		{thousands(0), "0"},
		{thousands(999), "999"},
		{thousands(1_000_000), "1,000,000"},
		{usec(5_139_207), "5.14"},
		{usec(4_999), "0.00"},
		{usec(5_000), "0.01"},
		{rate(7_986_000, sim.Second, "op/s"), "7.986 Mop/s"},
		{rate(1, 0, "op/s"), "- op/s"},
		{simulated(sim.Time(12 * sim.Second)), "12,000.000 ms"},
		{count(1, "file"), "1 file"},
		{count(1200, "case"), "1,200 cases"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
