package replay

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"hcasim/ib"
	"hcasim/report/capture/talk"
)

// faults plans those that do on the wire what it did.
func (x *plan) faults(c *conn, side int) {
	l := &c.Asks[side].Losses
	for _, f := range [...]struct {
		do   string
		from int
		what map[int64][]int
	}{{"drop", side, l.Requests}, {"drop", 1 - side, l.Answers}, {"duplicate", side, l.Doubled}} {
		for _, u := range slices.Sorted(maps.Keys(f.what)) {
			for _, r := range runsOf(f.what[u]) {
				t := fmt.Sprintf("fault: {wire: %s, from: %s, qp: %s.%s, psn: %d, count: %d", f.do, talk.Names[f.from], talk.Names[f.from], c.label, u&(1<<24-1), r[1])
				if r[0] > 0 {
					t += fmt.Sprintf(", skip: %d", r[0])
				}
				x.setup = append(x.setup, &step{on: f.from, do: t + "}", why: "lost on the wire, or doubled by it, as what was sent again shows"})
			}
		}
	}
}

// runsOf returns the runs of neighbours among numbers: first, how many.
func runsOf(list []int) (runs [][2]int) {
	for _, n := range slices.Compact(slices.Sorted(slices.Values(list))) {
		if k := len(runs); k > 0 && runs[k-1][0]+runs[k-1][1] == n {
			runs[k-1][1]++
			continue
		}
		runs = append(runs, [2]int{n, 1})
	}
	return runs
}

// timeoutCode returns the code of the time that comes nearest to how long a
// requester waited, in ns.
func timeoutCode(waited int64) (best uint8) {
	least := math.Inf(1)
	for code := uint8(1); code < 32; code++ {
		if off := math.Abs(math.Log(float64(waited) / float64(ib.ACKTimeout(code)))); off < least {
			best, least = code, off
		}
	}
	return best
}
