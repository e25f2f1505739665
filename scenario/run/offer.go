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
