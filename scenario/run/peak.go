package run

import (
	"math/bits"
	"sort"

	"hcasim/sim"
)

// A Peak is the best that a load did for a while: of all runs of measured
// requests that follow each other, the one that took the least time for each,
// from the post of its first to when the software saw its last complete. It is
// what perftest calls the peak. The zero Peak is of a load that has none.
type Peak struct {
	Requests uint64
	Span     sim.Duration
}

// better reports whether p took less for each request than q.
func (p Peak) better(q Peak) bool {
	if q.Requests == 0 {
		return p.Requests > 0
	}
	hi, lo := bits.Mul64(uint64(p.Span), q.Requests)
	other, than := bits.Mul64(uint64(q.Span), p.Requests)
	return hi < other || hi == other && lo < than
}

// A peakSearch looks for the peak of a load as it goes on. Requests are counted
// in the order in which they were posted. Of all posts before a completion the
// best to begin with lies on the upper hull of (number, time), so that it keeps
// a hull and what is in flight, not what has been.
type peakSearch struct {
	posts []sim.Time // of requests not seen to complete, oldest first; a ring
	first int
	n     int
	hull  []milestone
	done  uint64
	best  Peak
}

// A milestone is a post, and how many measured ones went before.
type milestone struct {
	number uint64
	at     sim.Time
}

// unmeasured stands for the time of a post that belongs to the warm-up.
const unmeasured = ^sim.Time(0)

// post notes a request.
func (s *peakSearch) post(at sim.Time) {
	if s.n == len(s.posts) {
		grown := make([]sim.Time, max(64, 2*s.n))
		for i := range s.n {
			grown[i] = s.posts[(s.first+i)%s.n]
		}
		s.posts, s.first = grown, 0
	}
	s.posts[(s.first+s.n)%len(s.posts)] = at
	s.n++
}

// complete is told that the software saw the oldest n requests complete.
func (s *peakSearch) complete(now sim.Time, n uint64) {
	before := s.done
	for range min(n, uint64(s.n)) {
		at := s.posts[s.first]
		s.first = (s.first + 1) % len(s.posts)
		s.n--
		if at != unmeasured {
			s.stand(milestone{s.done, at})
			s.done++
		}
	}
	if s.done == before {
		return
	}
	from := func(i int) Peak { return Peak{s.done - s.hull[i].number, now.Sub(s.hull[i].at)} }
	best := sort.Search(len(s.hull)-1, func(i int) bool { return !from(i + 1).better(from(i)) })
	if p := from(best); p.better(s.best) {
		s.best = p
	}
}

// stand puts a post at the end of the hull, and takes out those that are below
// it now.
func (s *peakSearch) stand(m milestone) {
	for k := len(s.hull); k >= 2 && !above(s.hull[k-2], s.hull[k-1], m); k-- {
		s.hull = s.hull[:k-1]
	}
	s.hull = append(s.hull, m)
}

// above reports whether b lies above the line from a to c. Posts of several
// queue pairs may go back in time by a little.
func above(a, b, c milestone) bool {
	rise, whole := int64(b.at-a.at), int64(c.at-a.at)
	x, y := int64(b.number-a.number), int64(c.number-a.number)
	hi, lo := multiply(rise, y)
	other, than := multiply(whole, x)
	return hi > other || hi == other && lo > than
}

// multiply returns a signed product of 128 bits.
func multiply(a, b int64) (hi int64, lo uint64) {
	h, l := bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		h -= uint64(b)
	}
	if b < 0 {
		h -= uint64(a)
	}
	return int64(h), l
}
