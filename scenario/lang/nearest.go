package lang

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest returns the candidate that word most likely meant, "" if none is
// near: at most one slip in three letters, none in a single one, or else the
// only one that begins so.
func nearest(word string, candidates []string) string {
	best, least := "", (len(word)+2)/3+1
	word = strings.TrimPrefix(word, "ibv_") // as the C library calls a verb
	if len(word) < 2 {
		least = 1
	}
	for _, c := range candidates {
		if strings.EqualFold(c, word) {
			return c
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	if best == "" && len(word) > 2 {
		best = begun(word, candidates)
	}
	return best
}

// begun returns the only candidate that begins with a word, "" for none or
// several.
func begun(word string, candidates []string) (only string) {
	for _, c := range candidates {
		if strings.HasPrefix(strings.ToLower(c), strings.ToLower(word)) {
			if only != "" {
				return ""
			}
			only = c
		}
	}
	return only
}

// DidYouMean suggests the nearest candidate, or the first of those there are,
// as the second half of a problem.
func DidYouMean(word string, candidates []string) string { return didYouMean(word, candidates) }

// didYouMean suggests the nearest candidate, or the first of those there are.
func didYouMean(word string, candidates []string) string {
	if near := nearest(word, candidates); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(candidates) == 0 {
		return ""
	}
	const listed = 12
	shown := candidates[:min(listed, len(candidates))]
	s := "one of " + strings.Join(shown, ", ")
	if len(candidates) > listed {
		s += " …"
	}
	return s
}
