package workload

import (
	"math/rand/v2"

	"hcasim/sim"
)

// A Distribution is how the increments of a walk are drawn. The first three
// have a mean of about a microsecond.
type Distribution uint8

// The distributions.
const (
	Exponential Distribution = iota
	Uniform                  // from 1 ps to 2 us
	Bimodal                  // nine in ten up to 0.2 us, the others up to 20 us
	Cycles                   // of 1 GHz: nine in ten of 1 to 16, the others of 64 to 4096
	distributions
)

var distributionNames = [distributions]string{"exponential", "uniform", "bimodal", "cycles"}

// Distributions are all of them.
func Distributions() []Distribution { return []Distribution{Exponential, Uniform, Bimodal, Cycles} }

// String returns the distribution's name.
func (d Distribution) String() string { return distributionNames[d] }

// draw draws n increments, the same in every run.
func (d Distribution) draw(n int) []sim.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	steps := make([]sim.Duration, n)
	for i := range steps {
		steps[i] = d.one(r)
	}
	return steps
}

func (d Distribution) one(r *rand.Rand) sim.Duration {
	switch d {
	case Exponential:
		return sim.Duration(r.ExpFloat64()*1e6) + 1
	case Uniform:
		return sim.Duration(r.Uint64N(2e6)) + 1
	case Bimodal:
		step := sim.Duration(r.Uint64N(2e5)) + 1
		if r.Uint64N(10) == 0 {
			step = sim.Duration(r.Uint64N(2e7)) + 1
		}
		return step
	case Cycles:
		step := sim.Duration(1+r.Uint64N(16)) * sim.Nanosecond
		if r.Uint64N(10) == 0 {
			step = sim.Duration(64+r.Uint64N(4033)) * sim.Nanosecond
		}
		return step
	case distributions:
	}
	panic("workload: no such distribution")
}
