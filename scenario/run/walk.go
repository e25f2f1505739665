package run

import (
	"fmt"

	"hcasim/scenario/lang"
	"hcasim/sim"
)

// A walk goes over the bytes of some objects, from place to place.
type walk struct {
	r       *runner
	rand    *sim.Rand
	objects *list
	lengths []uint64 // of all objects, or of each
	nexts   []uint64 // of each: offset of the next place, of walks in turn
	turn    int
	step    int    // from one object to the next
	offset  uint64 // of all places, beyond the first byte of an object
	margin  uint64 // at the end of an object that no request reaches
	stride  uint64 // from one place to the next within an object; 0: as long as the request

	pick   func() int                   // nil: the objects in turn
	within func(i int, n uint64) uint64 // nil: the places of an object in turn
}

// newWalk reads a pattern of a traffic step.
func newWalk(r *runner, rand *sim.Rand, p *lang.Pattern, t *lang.Traffic) (*walk, error) {
	w := &walk{r: r, rand: rand, offset: uint64(p.Offset), margin: uint64(max(p.Offset, 0))}
	if p.Stride != nil {
		w.stride = max(1, uint64(*p.Stride))
	}
	var ok bool
	switch w.objects, ok = r.newList(p.Of, int(or(t.Batch, 1))); {
	case !ok:
		return nil, &Mistake{p.Pos, "traffic names an object that was never made"}
	case w.objects.n == 0:
		return nil, &Mistake{p.Pos, "traffic needs a region to walk over"}
	}
	for i := range w.objects.n {
		w.measure(i)
	}
	w.step = int(or(p.PickStride, 1)) % w.objects.n
	if err := w.holds(p, &t.Size); err != nil {
		return nil, err
	}
	if err := w.picks(p); err != nil {
		return nil, err
	}
	return w, w.walks(p, t)
}

// measure notes how long object i is. Most often all are alike.
func (w *walk) measure(i int) {
	n := w.objects.at(i)
	length := uint64(0)
	if b, ok := n.memory(); ok {
		length = b.length
	} else {
		length = n.side.hca.Table.Entry(n.index()).Length
	}
	switch {
	case i == 0:
		w.lengths = []uint64{length}
	case len(w.lengths) == 1 && length == w.lengths[0]:
	case len(w.lengths) == 1:
		all := make([]uint64, i, w.objects.n)
		for k := range all {
			all[k] = w.lengths[0]
		}
		w.lengths = append(all, length)
	default:
		w.lengths = append(w.lengths, length)
	}
}

// holds refuses objects that are shorter than sizes of a distribution, which
// occur seldom: the load would break off late.
func (w *walk) holds(p *lang.Pattern, s *lang.Sizes) error {
	if s.Kind != lang.SizeCDF {
		return nil
	}
	most := s.Points[len(s.Points)-1].Size
	for i := range w.lengths {
		if w.room(i, 0) < uint64(most) {
			return &Mistake{p.Pos, fmt.Sprintf("requests of up to %s are drawn, and one of the objects has %s for them", most, sim.Bytes(w.room(i, 0)))}
		}
	}
	return nil
}

func (w *walk) length(i int) uint64 {
	if len(w.lengths) == 1 {
		return w.lengths[0]
	}
	return w.lengths[i]
}

// picks reads how a pattern chooses among its objects.
func (w *walk) picks(p *lang.Pattern) error {
	count := uint64(w.objects.n)
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
		w.within = func(int, uint64) uint64 { return 0 }
	case "uniform":
		w.within = func(i int, n uint64) uint64 { return w.grain(n) * w.rand.Uint64N(w.places(i, n)) }
	case "zipf":
		most := uint64(0)
		for i := range w.lengths {
			for _, n := range sizesOf(&t.Size) {
				most = max(most, w.places(i, uint64(n)))
			}
		}
		if most > mostZipf {
			return &Mistake{p.Pos, fmt.Sprintf("zipf walks over at most %d places, here are %d: stride: makes them fewer", mostZipf, most)}
		}
		z := newZipf(w.rand, most, theta(p))
		w.within = func(i int, n uint64) uint64 { return w.grain(n) * (z.draw() % w.places(i, n)) }
	default:
		w.nexts = make([]uint64, w.objects.n)
	}
	return nil
}

// next returns the next place for n bytes. The object is good as long as
// list.at says.
func (w *walk) next(n uint64) (addr uint64, object *named) {
	i := w.turn
	if w.pick != nil {
		i = w.pick()
	} else if w.turn += w.step; w.turn >= w.objects.n {
		w.turn -= w.objects.n
	}
	object = w.objects.at(i)
	addr = w.r.base(object) + w.offset
	if w.within != nil {
		return addr + w.within(i, n), object
	}
	at := w.nexts[i]
	if at > w.room(i, n) {
		at = 0
	}
	w.nexts[i] = at + w.grain(n)
	return addr + at, object
}

// grain returns how far apart the places for n bytes are.
func (w *walk) grain(n uint64) uint64 {
	if w.stride != 0 {
		return w.stride
	}
	return max(1, n)
}

// room returns the greatest offset at which n bytes fit.
func (w *walk) room(i int, n uint64) uint64 {
	length := w.length(i)
	return length - min(length, n+w.margin)
}

// places returns how many places for n bytes an object has.
func (w *walk) places(i int, n uint64) uint64 { return w.room(i, n)/w.grain(n) + 1 }
