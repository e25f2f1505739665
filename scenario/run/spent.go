package run

import (
	"hcasim/hca"
	"hcasim/sim"
)

// PartNames returns the words for the parts of a latency, in the order of
// Op.Parts, which is the order in which a request meets them.
func PartNames() []string {
	names := make([]string, hca.NumParts)
	for p := range hca.NumParts {
		names[p] = hca.PartName(p)
	}
	return names
}

// Spent returns the sum of the parts: the latency, of an op that has parts at
// all, and 0 of one that has none, such as a verb.
func (o *Op) Spent() (sum sim.Duration) {
	for _, d := range o.Parts {
		sum += d
	}
	return sum
}
