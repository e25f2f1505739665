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

// A peakSearch looks for the peak of a load as it goes on. Of all posts before a
// completion the best to begin with lies on the upper hull of (number, time), so
// that it keeps a hull and what is in flight, not what has been.
type peakSearch struct {
	posts []sim.Time // of requests not seen to complete: a heap, the earliest first
	hull  []milestone
	done  uint64
	best  Peak
}

// A milestone is a post, and how many went before.
type milestone struct {
	number uint64
	at     sim.Time
}

// post notes a request. Threads of several queue pairs post side by side, each
// ahead of the clock, so that the order of calls is not that of times.
func (s *peakSearch) post(at sim.Time) {
	s.posts = append(s.posts, at)
	for i := len(s.posts) - 1; i > 0; {
		parent := (i - 1) / 2
		if s.posts[parent] <= at {
			break
		}
		s.posts[parent], s.posts[i] = at, s.posts[parent]
		i = parent
	}
}

// pop takes the earliest post.
func (s *peakSearch) pop() sim.Time {
	first, last := s.posts[0], s.posts[len(s.posts)-1]
	s.posts = s.posts[:len(s.posts)-1]
	n := len(s.posts)
	for i := 0; i < n; {
		child := 2*i + 1
		if child+1 < n && s.posts[child+1] < s.posts[child] {
			child++
		}
		if child >= n || s.posts[child] >= last {
			s.posts[i] = last
			break
		}
		s.posts[i] = s.posts[child]
		i = child
	}
	return first
}

// complete is told that the software saw n requests complete: as many as were
// posted first.
func (s *peakSearch) complete(now sim.Time, n uint64) {
	if n == 0 {
		return
	}
	for range n {
		s.stand(milestone{s.done, s.pop()})
		s.done++
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

// above reports whether b lies above the line from a to c.
func above(a, b, c milestone) bool {
	hi, lo := bits.Mul64(uint64(b.at.Sub(a.at)), c.number-a.number)
	other, than := bits.Mul64(uint64(c.at.Sub(a.at)), b.number-a.number)
	return hi > other || hi == other && lo > than
}
