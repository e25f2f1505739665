package run

import (
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// An offer is what a load asks for: which opcode, how large, from where, to
// where.
type offer struct {
	rand   *sim.Rand
	mix    []lang.Share
	total  uint64 // weights
	size   func() uint64
	target *walk
	source *walk
}

// newOffer reads what a traffic step says.
func newOffer(r *runner, t *lang.Traffic, rand *sim.Rand) (*offer, error) {
	o := &offer{rand: rand, mix: t.Mix}
	if len(o.mix) == 0 {
		o.mix = []lang.Share{{Opcode: or(t.Opcode, ib.WRRDMAWrite), Weight: 1}}
	}
	for _, s := range o.mix {
		o.total += s.Weight
	}
	o.sizes(&t.Size)
	var err error
	if o.target, err = newWalk(r, rand, &t.Target, t); err != nil {
		return nil, err
	}
	o.source, err = newWalk(r, rand, &t.Source, t)
	return o, err
}

// opcode draws a share of the mix.
func (o *offer) opcode() int {
	if len(o.mix) == 1 {
		return 0
	}
	at := o.rand.Uint64N(o.total)
	for i := range o.mix {
		if at < o.mix[i].Weight {
			return i
		}
		at -= o.mix[i].Weight
	}
	return 0
}

// sizesOf returns the sizes that a traffic names: 64 bytes if it names none.
func sizesOf(s *lang.Sizes) []sim.Bytes {
	if len(s.Values) == 0 {
		return []sim.Bytes{64}
	}
	return s.Values
}

// sizes reads how large requests are.
func (o *offer) sizes(s *lang.Sizes) {
	values := sizesOf(s)
	next := 0
	switch s.Kind {
	case lang.SizeFixed:
		o.size = func() uint64 { return uint64(values[0]) }
	case lang.SizeList:
		o.size = func() uint64 {
			next++
			return uint64(values[(next-1)%len(values)])
		}
	case lang.SizeUniform:
		grain := uint64(max(s.Step, 1))
		o.size = func() uint64 {
			return uint64(values[0]) + grain*o.rand.Uint64N((uint64(values[1])-uint64(values[0]))/grain+1)
		}
	case lang.SizeChoice:
		o.size = func() uint64 { return uint64(values[o.choose(s.Weights)]) }
	default:
		panic("run: sizes from a file") // the loader refuses them
	}
}

// choose draws an index by weights.
func (o *offer) choose(weights []uint64) int {
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	at := o.rand.Uint64N(max(1, total))
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	return 0
}
