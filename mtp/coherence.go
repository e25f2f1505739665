package mtp

import (
	"fmt"
	"slices"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// A Coherence watches that no dead key works and no old translation is used:
// once a change is done no access is granted any more by a copy from before
// it, and once its completion is visible to the CPU no byte lands by such a
// copy. It is a fold over probes and changes nothing (law 5).
type Coherence struct {
	table   *tpt.Table
	name    string
	states  tpt.ByIndex[watched]
	moving  []run // translation entries whose change is applied and not yet done
	broken  []string
	dropped int
}

// watched is what is under way for one entry.
type watched struct {
	changed bool   // ever
	applied uint32 // changes applied and not yet done
	closing uint32 // changes done whose completion is not yet visible
}

// A run is some translation entries in a row.
type run struct{ first, n uint32 }

// mostViolations bounds the violations that are kept.
const mostViolations = 20

// Watch begins to watch a unit.
func Watch(u *Unit, name string) *Coherence {
	c := &Coherence{table: u.table, name: name}
	u.Changes.Watch(c.changed)
	u.Judgements.Watch(func(j Judgement) {
		if a := j.Access; !c.table.Is(a.index(), &a.Entry) {
			c.judged(j)
		}
	})
	u.Translations.Watch(func(j Judgement) {
		a := j.Access
		for k := range a.found {
			at := a.first + uint32(k)
			if page := c.table.Page(at) &^ tpt.ReadOnly; page != a.page[k%MaxPieces] {
				c.translated(j, at, a.page[k%MaxPieces], page)
			}
		}
	})
	return c
}

// Broken returns the violations, in the order in which they happened.
func (c *Coherence) Broken() []string {
	if c.dropped > 0 {
		return append(c.broken, fmt.Sprintf("%s: and %d more", c.name, c.dropped))
	}
	return c.broken
}

func (c *Coherence) say(at sim.Time, format string, args ...any) {
	if len(c.broken) == mostViolations {
		c.dropped++
		return
	}
	c.broken = append(c.broken, fmt.Sprintf("%s: %v: ", c.name, at)+fmt.Sprintf(format, args...))
}

// of returns what is under way for an entry that a change alters.
func (c *Coherence) of(i ib.Index) *watched {
	w := c.states.Make(i)
	w.changed = true
	return w
}

// at returns what is under way for an entry: nothing, if no change has altered
// it.
func (c *Coherence) at(i ib.Index) watched {
	if w := c.states.Find(i); w != nil {
		return *w
	}
	return watched{}
}

// touched calls f for every entry that a change altered.
func touched(r *tpt.Result, f func(i ib.Index)) {
	for _, i := range r.Touched {
		if i != 0 {
			f(i)
		}
	}
	for _, i := range r.Also {
		f(i)
	}
}

func (c *Coherence) changed(ch Changed) {
	moved := run{ch.Result.MTT, ch.Result.MTTCount}
	if !ch.Done {
		if moved.n > 0 {
			c.moving = append(c.moving, moved)
		}
		touched(ch.Result, func(i ib.Index) { c.of(i).applied++ })
		return
	}
	if i := slices.Index(c.moving, moved); i >= 0 {
		c.moving = slices.Delete(c.moving, i, i+1)
	}
	touched(ch.Result, func(i ib.Index) {
		w := c.of(i)
		w.applied--
		w.closing++
	})
}

// Visible notes that the completion of a change of entry i can be seen by
// the CPU.
func (c *Coherence) Visible(i ib.Index) {
	if w := c.states.Find(i); w != nil && w.closing > 0 {
		w.closing--
	}
}

// judged checks an access that is not judged by the truth: it is by a copy of an
// entry whose change is still under way. A copy that is out of date may still
// refuse what the truth refuses too.
func (c *Coherence) judged(j Judgement) {
	a := j.Access
	i := a.index()
	if a.Judge.Length == 0 || c.at(i).applied > 0 {
		return
	}
	switch {
	case a.Fault == tpt.OK:
		c.say(j.At, "an access by key %#08x was granted by a copy that is out of date", uint32(a.Key))
	case c.table.Holds(i) && tpt.Check(c.table.Entry(i), a.Access) == tpt.OK:
		c.say(j.At, "an access by key %#08x was refused by a copy that is out of date", uint32(a.Key))
	}
}

// translated checks an access that found another page than the table has now,
// an absent one among them: its entry is not the truth, or the page is being
// changed.
func (c *Coherence) translated(j Judgement, at uint32, got, want uint64) {
	a := j.Access
	if (a.Fault == tpt.OK || a.Fault == tpt.NoTranslation) && c.table.Is(a.index(), &a.Entry) && !c.moves(at) {
		c.say(j.At, "an access by key %#08x was sent to page %#x, where the table says %#x", uint32(a.Key), got, want)
	}
}

// moves reports whether a translation entry is being changed: an access that
// was judged before may still use what stood there.
func (c *Coherence) moves(at uint32) bool {
	for _, r := range c.moving {
		if at-r.first < r.n {
			return true
		}
	}
	return false
}

// Landed checks bytes that reached memory by the authority of key, granted by
// the copy e.
func (c *Coherence) Landed(at sim.Time, key ib.Key, e *tpt.Entry) {
	i := key.Index()
	if w := c.at(i); w.changed && w.applied == 0 && w.closing == 0 && !c.table.Is(i, e) {
		c.say(at, "bytes landed by key %#08x after the completion of its change could be seen", uint32(key))
	}
}
