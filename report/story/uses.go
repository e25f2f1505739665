package story

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
)

// refusals are the uses of an entry's keys that were refused, each at the life
// that it is counted of. Of one key value all that a life was asked while it was
// alive comes first, then all after its death, then what the next life with this
// value was asked. Where the counts do not add up, a life was not kept, and
// nothing is said of any that has this value.
func (t *teller) refusals(host string, i ib.Index) map[*run.KeyLife][]*run.Fault {
	asked := map[ib.Key][]*run.Fault{}
	for k := range t.s.Result.Faults {
		f := &t.s.Result.Faults[k]
		if f.Host == host && f.Access.Key.Index() == i && f.Cause != tpt.OK && f.Cause != tpt.NoTranslation && f.Access.Judge.Length > 0 {
			asked[f.Access.Key] = append(asked[f.Access.Key], f)
		}
	}
	counted := map[ib.Key]uint64{}
	var lives []*run.KeyLife
	for k := range t.s.Result.Keys {
		if l := &t.s.Result.Keys[k]; l.Host == host && l.Key.Index() == i {
			lives = append(lives, l)
			counted[l.Key] += l.Denied + l.Refused
		}
	}
	of := map[*run.KeyLife][]*run.Fault{}
	for _, l := range lives {
		if n := l.Denied + l.Refused; uint64(len(asked[l.Key])) == counted[l.Key] {
			of[l], asked[l.Key] = asked[l.Key][:n], asked[l.Key][n:]
			counted[l.Key] -= n
		}
	}
	return of
}

// used tells the uses of a key, at the last of them.
func used(l *run.KeyLife, refusals map[*run.KeyLife][]*run.Fault) (at sim.Time, text string) {
	var words []string
	say := func(who string, u *run.KeyUses) {
		if u.Count > 0 {
			at = max(at, u.Last)
			words = append(words, fmt.Sprintf("%s by %s, the last at %s", count(u.Count, "access"+plural(u.Count)), who, when(u.Last)))
		}
	}
	say("the peer", &l.Remote)
	say("its owner", &l.Local)
	at = max(at, l.Born)
	asked := refusals[l]
	if n := len(asked); n > 0 {
		at = max(at, asked[n-1].At)
	}
	alive := min(int(l.Denied), len(asked))
	for _, c := range []struct {
		n    uint64
		what string
		when []*run.Fault
	}{
		{l.Denied, "refused while it was alive", asked[:alive]}, {l.Refused, "refused after its death", asked[alive:]},
		{l.Late, "granted after its death by a copy out of date", nil},
	} {
		if c.n > 0 {
			words = append(words, fmt.Sprintf("%s %s%s", thousands(c.n), c.what, firstOf(c.when)))
			if l.Dead {
				at = max(at, l.Died)
			}
		}
	}
	if words == nil {
		return 0, ""
	}
	return at, hex(l.Key) + " used: " + strings.Join(words, "; ")
}

// firstOf names the first few of some refusals.
func firstOf(list []*run.Fault) string {
	const few = 3
	var words []string
	for _, f := range list[:min(few, len(list))] {
		word := "at " + when(f.At)
		if f.Op != "" {
			word = "op " + f.Op + " " + word
		}
		words = append(words, word)
	}
	switch {
	case len(list) == 0:
		return ""
	case len(list) > few:
		words = append(words, "…")
	}
	return ": " + strings.Join(words, ", ")
}

// plural makes count say accesses: its own s is added behind.
func plural(n uint64) string {
	if n == 1 {
		return ""
	}
	return "e"
}
