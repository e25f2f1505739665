package lang

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// spend takes n from what may still be written out, and notes once when there
// is not enough.
func (d *decoder) spend(at Pos, n uint64) bool {
	if d.full {
		return false
	}
	if d.steps = saturated(d.steps, n, 1); d.steps > d.most() {
		d.full = true
		d.at(at, 1, fmt.Sprintf("more than %s steps and repetitions are written out", HowMany(d.most())),
			"a loop without var, or traffic, repeats without that; run: {limits: {steps: …}} allows more")
	}
	return !d.full
}

func (d *decoder) most() uint64 {
	if d.limit > 0 {
		return d.limit
	}
	return MaxSteps
}

// repeat calls f as often as times says, as far as may be.
func (d *decoder) repeat(at Pos, times *uint32, f func()) {
	n := uint32(1)
	if times != nil {
		n = *times
		if !d.spend(at, uint64(n)) {
			return
		}
	}
	for range n {
		f()
	}
}

// spendNode is spend at the place of a node.
func (d *decoder) spendNode(n *yaml.Node, count uint64) bool { return d.spend(d.pos(n), count) }
