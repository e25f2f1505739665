package run

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hcasim/sim"
)

// dumbPeak tries every pair, as perftest does.
func dumbPeak(posts []sim.Time, completions map[int]sim.Time) (best Peak) {
	for j, now := range completions {
		for i := range j {
			if p := (Peak{uint64(j - i), now.Sub(posts[i])}); p.better(best) {
				best = p
			}
		}
	}
	return best
}

// TestPeakIsOfAllPairs: the hull misses no pair of a post and a completion,
// whatever the moderation, with threads that post ahead of each other.
func TestPeakIsOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "requests")
		depth := rapid.IntRange(1, 12).Draw(t, "depth")
		every := rapid.IntRange(1, depth).Draw(t, "every")
		var s peakSearch
		var posts []sim.Time
		completions := map[int]sim.Time{}
		now, done := sim.Time(1000), 0
		for done < n {
			for len(posts) < n && len(posts)-done < depth {
				at := now + sim.Time(rapid.IntRange(0, 30).Draw(t, "ahead"))
				s.post(at)
				posts = append(posts, at)
			}
			slices.Sort(posts)
			done += min(every, n-done)
			now = max(now, posts[done-1]) + sim.Time(rapid.IntRange(1, 40).Draw(t, "wait"))
			s.complete(now, uint64(min(every, done-len(completions)*every)))
			completions[done] = now
		}
		want := dumbPeak(posts, completions)
		if want.better(s.best) || s.best.better(want) {
			t.Fatalf("%d in %v, all pairs say %d in %v", s.best.Requests, s.best.Span, want.Requests, want.Span)
		}
	})
}

// TestPeakForgets: a steady load of any length is held in a few milestones.
func TestPeakForgets(t *testing.T) {
	var s peakSearch
	for i := range sim.Time(100_000) {
		s.post(1000 * i)
		if i >= 63 {
			s.complete(1000*i+500, 1)
		}
	}
	if len(s.hull) > 2 || len(s.posts) > 64 {
		t.Errorf("%d milestones and room for %d posts", len(s.hull), len(s.posts))
	}
	if want := (Peak{99_937, 99_999_500}); s.best != want {
		t.Errorf("the peak is %v, want %v", s.best, want)
	}
}
