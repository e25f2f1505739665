package run

import (
	"fmt"

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
	target walker
	source walker
}

// A walker returns the next place for n bytes.
type walker func(n uint64) (addr uint64, object *named)

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
	if o.target, err = o.walk(r, &t.Target, t); err != nil {
		return nil, err
	}
	o.source, err = o.walk(r, &t.Source, t)
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

// A ground is the objects that a walk goes over.
type ground struct {
	objects *list
	lengths []uint64 // of all, or of each
	next    []uint64 // offset, of walks in sequence
	turn    int
}

// groundOf finds the objects of a pattern.
func groundOf(r *runner, p *lang.Pattern, spare int) (*ground, error) {
	objects, ok := r.newList(p.Of, spare)
	switch {
	case !ok:
		return nil, &Mistake{p.Pos, "traffic names an object that was never made"}
	case objects.n == 0:
		return nil, &Mistake{p.Pos, "traffic needs a region to walk over"}
	}
	g := &ground{objects: objects}
	for i := range objects.n {
		g.measure(i)
	}
	return g, nil
}

// measure notes how long object i is. Most often all are alike.
func (g *ground) measure(i int) {
	n := g.objects.at(i)
	length := uint64(0)
	if b, ok := n.memory(); ok {
		length = b.length
	} else {
		length = n.side.hca.Table.Entry(n.index()).Length
	}
	switch {
	case i == 0:
		g.lengths = []uint64{length}
	case len(g.lengths) == 1 && length == g.lengths[0]:
	case len(g.lengths) == 1:
		all := make([]uint64, i, g.objects.n)
		for k := range all {
			all[k] = g.lengths[0]
		}
		g.lengths = append(all, length)
	default:
		g.lengths = append(g.lengths, length)
	}
}

func (g *ground) length(i int) uint64 {
	if len(g.lengths) == 1 {
		return g.lengths[0]
	}
	return g.lengths[i]
}

// walk reads a pattern.
func (o *offer) walk(r *runner, p *lang.Pattern, t *lang.Traffic) (walker, error) {
	g, err := groundOf(r, p, int(or(t.Batch, 1)))
	if err != nil {
		return nil, err
	}
	pick, err := o.picker(g, p)
	if err != nil {
		return nil, err
	}
	within, err := o.within(g, p, t)
	if err != nil {
		return nil, err
	}
	return func(n uint64) (uint64, *named) {
		i := pick()
		object := g.objects.at(i)
		return r.base(object) + uint64(p.Offset) + within(i, n), object
	}, nil
}

// picker reads how a pattern chooses among its objects.
func (o *offer) picker(g *ground, p *lang.Pattern) (func() int, error) {
	count := uint64(g.objects.n)
	switch p.Pick {
	case "uniform":
		return func() int { return int(o.rand.Uint64N(count)) }, nil
	case "zipf":
		if count > mostZipf {
			return nil, &Mistake{p.Pos, fmt.Sprintf("zipf picks among at most %d objects, here are %d", mostZipf, count)}
		}
		z := newZipf(o.rand, count, theta(p))
		return func() int { return int(z.draw()) }, nil
	}
	step := int(or(p.PickStride, 1))
	return func() int {
		i := g.turn
		g.turn = (g.turn + step) % g.objects.n
		return i
	}, nil
}

func theta(p *lang.Pattern) uint64 { return uint64(or(p.Theta, 990)) }

// within reads how a pattern chooses the offset within an object. A request
// that is longer than the object begins at its start.
func (o *offer) within(g *ground, p *lang.Pattern, t *lang.Traffic) (func(i int, n uint64) uint64, error) {
	offset := uint64(max(p.Offset, 0))
	grain := func(n uint64) uint64 {
		if p.Stride != nil {
			return max(1, uint64(*p.Stride))
		}
		return max(1, n)
	}
	room := func(i int, n uint64) uint64 { return g.length(i) - min(g.length(i), n+offset) }
	switch p.Walk {
	case "fixed":
		return func(int, uint64) uint64 { return 0 }, nil
	case "uniform":
		return func(i int, n uint64) uint64 { return grain(n) * o.rand.Uint64N(room(i, n)/grain(n)+1) }, nil
	case "zipf":
		places := uint64(0)
		for i := range g.lengths {
			for _, n := range sizesOf(&t.Size) {
				places = max(places, room(i, uint64(n))/grain(uint64(n))+1)
			}
		}
		if places > mostZipf {
			return nil, &Mistake{p.Pos, fmt.Sprintf("zipf walks over at most %d places, here are %d: stride: makes them fewer", mostZipf, places)}
		}
		z := newZipf(o.rand, places, theta(p))
		return func(i int, n uint64) uint64 { return grain(n) * (z.draw() % (room(i, n)/grain(n) + 1)) }, nil
	}
	g.next = make([]uint64, g.objects.n)
	return func(i int, n uint64) uint64 {
		if g.next[i] > room(i, n) {
			g.next[i] = 0
		}
		at := g.next[i]
		g.next[i] += grain(n)
		return at
	}, nil
}
