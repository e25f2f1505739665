package run

import (
	"fmt"

	"hcasim/scenario/lang"
	"hcasim/sim"
)

// A walk goes over the bytes of some objects, from place to place.
type walk struct {
	r      *runner
	rand   *sim.Rand
	ground []ground
	turn   int
	step   int    // from one object to the next
	offset uint64 // of all places, beyond the first byte of an object
	margin uint64 // at the end of an object that no request reaches
	stride uint64 // from one place to the next within an object; 0: as long as the request

	pick   func() int                       // nil: the objects in turn
	within func(g *ground, n uint64) uint64 // nil: the places of an object in turn
}

// A ground is an object that a walk goes over.
type ground struct {
	object *named
	length uint64
	next   uint64 // offset of the next place
}

// newWalk reads a pattern of a traffic step.
func newWalk(r *runner, rand *sim.Rand, p *lang.Pattern, t *lang.Traffic) (*walk, error) {
	w := &walk{r: r, rand: rand, offset: uint64(p.Offset), margin: uint64(max(p.Offset, 0))}
	if p.Stride != nil {
		w.stride = max(1, uint64(*p.Stride))
	}
	if err := w.find(p); err != nil {
		return nil, err
	}
	w.step = int(or(p.PickStride, 1)) % len(w.ground)
	if err := w.picks(p); err != nil {
		return nil, err
	}
	return w, w.walks(p, t)
}

// find finds the objects of a pattern.
func (w *walk) find(p *lang.Pattern) error {
	for _, ref := range p.Of {
		for _, n := range w.r.elements(ref) {
			w.ground = append(w.ground, ground{object: n})
		}
	}
	if len(w.ground) == 0 {
		return &Mistake{p.Pos, "traffic needs a region to walk over"}
	}
	for i := range w.ground {
		g := &w.ground[i]
		n := g.object
		if n == nil {
			return &Mistake{p.Pos, "traffic names an object that was never made"}
		}
		if b, ok := n.memory(); ok {
			g.length = b.length
		} else {
			g.length = n.side.hca.Table.Entry(n.index()).Length
		}
	}
	return nil
}

// picks reads how a pattern chooses among its objects.
func (w *walk) picks(p *lang.Pattern) error {
	count := uint64(len(w.ground))
	switch p.Pick {
	case "uniform":
		w.pick = func() int { return int(w.rand.Uint64N(count)) }
	case "zipf":
		if count > mostZipf {
			return &Mistake{p.Pos, fmt.Sprintf("zipf picks among at most %d objects, here are %d", mostZipf, count)}
		}
		z := newZipf(w.rand, count, theta(p))
		w.pick = func() int { return int(z.draw()) }
	}
	return nil
}

func theta(p *lang.Pattern) uint64 { return uint64(or(p.Theta, 990)) }

// walks reads how a pattern chooses the offset within an object. A request
// that is longer than the object begins at its start.
func (w *walk) walks(p *lang.Pattern, t *lang.Traffic) error {
	switch p.Walk {
	case "fixed":
		w.within = func(*ground, uint64) uint64 { return 0 }
	case "uniform":
		w.within = func(g *ground, n uint64) uint64 { return w.grain(n) * w.rand.Uint64N(w.places(g, n)) }
	case "zipf":
		most := uint64(0)
		for i := range w.ground {
			for _, n := range sizesOf(&t.Size) {
				most = max(most, w.places(&w.ground[i], uint64(n)))
			}
		}
		if most > mostZipf {
			return &Mistake{p.Pos, fmt.Sprintf("zipf walks over at most %d places, here are %d: stride: makes them fewer", mostZipf, most)}
		}
		z := newZipf(w.rand, most, theta(p))
		w.within = func(g *ground, n uint64) uint64 { return w.grain(n) * (z.draw() % w.places(g, n)) }
	}
	return nil
}

// next returns the next place for n bytes.
func (w *walk) next(n uint64) (addr uint64, object *named) {
	i := w.turn
	if w.pick != nil {
		i = w.pick()
	} else if w.turn += w.step; w.turn >= len(w.ground) {
		w.turn -= len(w.ground)
	}
	g := &w.ground[i]
	if w.within != nil {
		return w.r.base(g.object) + w.offset + w.within(g, n), g.object
	}
	at := g.next
	if at > w.room(g, n) {
		at = 0
	}
	g.next = at + w.grain(n)
	return w.r.base(g.object) + w.offset + at, g.object
}

// grain returns how far apart the places for n bytes are.
func (w *walk) grain(n uint64) uint64 {
	if w.stride != 0 {
		return w.stride
	}
	return max(1, n)
}

// room returns the greatest offset at which n bytes fit.
func (w *walk) room(g *ground, n uint64) uint64 {
	return g.length - min(g.length, n+w.margin)
}

// places returns how many places for n bytes an object has.
func (w *walk) places(g *ground, n uint64) uint64 { return w.room(g, n)/w.grain(n) + 1 }
