package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// A region is the lives of the keys of one index.
type region struct {
	host  int
	index ib.Index
	name  string
	lives []*life
}

// fast reports whether only a fast-register region can live like that: others
// have one key, and keep it.
func (r *region) fast() bool {
	return len(r.lives) > 1 || r.lives[0].killer != nil || r.lives[0].ends != nil
}

// regions gathers lives by the index of their keys.
func regions(host int, list []*life) (all []*region) {
	by := map[ib.Index]*region{}
	for _, l := range list {
		i := ib.Key(l.key).Index()
		r := by[i]
		if r == nil {
			r = &region{host: host, index: i, name: fmt.Sprintf("r%x", uint32(i))}
			by[i] = r
			all = append(all, r)
		}
		l.region = r
		r.lives = append(r.lives, l)
	}
	slices.SortFunc(all, func(a, b *region) int { return cmp.Compare(a.index, b.index) })
	for _, r := range all {
		slices.SortStableFunc(r.lives, func(a, b *life) int { return cmp.Compare(a.first.At, b.first.At) })
	}
	return all
}

// behind says which memory a life's key opens.
func (s *side) behind(l *life) string {
	if !l.used { // it is only known to have died
		return "buf: sink, length: 1"
	}
	e := s.extent(l)
	lo, hi := l.span()
	t := fmt.Sprintf("buf: %s, offset: %d, length: %s", e.name, lo-e.lo, sim.Bytes(hi-lo+1))
	if l.region.fast() && e.page != page {
		t += fmt.Sprintf(", page: %s", sim.Bytes(e.page))
	}
	return t
}

// extent returns the memory that a life is of.
func (s *side) extent(l *life) *extent {
	for _, e := range s.memory {
		if l.lo >= e.lo && l.hi <= e.hi {
			return e
		}
	}
	panic("replay: a key of no memory")
}

// pages returns the longest page list of a fast-register region.
func (r *region) pages(s *side) uint64 {
	most := uint64(1)
	for _, l := range r.lives {
		if l.used {
			lo, hi := l.span()
			size := s.extent(l).page
			most = max(most, hi/size-lo/size+1)
		}
	}
	return most
}

// rights writes those of a region.
func rights(a ib.AccessFlags) string {
	if a&(ib.RemoteWrite|ib.RemoteAtomic) != 0 {
		a |= ib.LocalWrite
	}
	return flags(a)
}

func flags(a ib.AccessFlags) string {
	if a == 0 {
		return "[]"
	}
	return "[" + strings.ReplaceAll(a.Short(), "|", ", ") + "]"
}
