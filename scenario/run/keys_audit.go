package run

import (
	"hcasim/ib"
	"hcasim/scenario/run/keys"
	"hcasim/sim"
)

// keyFigures are the figures of the key values of both hosts. Those that grow
// are of the time since a moment; the others are as they stand.
var keyFigures = [...]struct {
	name, unit, doc string
	grows           bool
	value           func(c *keys.Counts, live uint64, exposed sim.Duration) uint64
}{
	{"keys.lives", "", "Keys that became live, those declared among them.", true, func(c *keys.Counts, _ uint64, _ sim.Duration) uint64 { return c.Lives }},
	{"keys.again", "", "Of these, with a value that had been dead.", true, func(c *keys.Counts, _ uint64, _ sim.Duration) uint64 { return c.Again }},
	{"keys.reused", "", "Of these, with another meaning than before.", true, func(c *keys.Counts, _ uint64, _ sim.Duration) uint64 { return c.Reused }},
	{"keys.live_at_end", "", "Keys with remote rights that are alive at the end.", false, func(_ *keys.Counts, live uint64, _ sim.Duration) uint64 { return live }},
	{"keys.exposure_max", "ps", "Longest time that a key was open and not needed: from the last access that it granted a peer, or its birth, to its death.", false, func(_ *keys.Counts, _ uint64, d sim.Duration) uint64 { return uint64(d) }},
	{"keys.stale_refused", "", "Requests refused because their key was dead.", true, func(c *keys.Counts, _ uint64, _ sim.Duration) uint64 { return c.Refused }},
	{"keys.stale_granted", "", "Accesses granted to dead keys, by copies out of date.", true, func(c *keys.Counts, _ uint64, _ sim.Duration) uint64 { return c.Late }},
	{"keys.unknown_refused", "", "Requests refused because their key never was live: guesses.", true, func(c *keys.Counts, _ uint64, _ sim.Duration) uint64 { return c.Unknown }},
}

// keyFigures returns the figures of the key values.
func (r *runner) keyFigures(since, until *counters) (list []figure) {
	var live uint64
	var exposed sim.Duration
	for _, x := range r.world.sides {
		if x.keys != nil {
			live += x.keys.Live()
			exposed = max(exposed, x.keys.Exposed())
		}
	}
	for _, f := range keyFigures {
		v := f.value(&until.keys, live, exposed)
		if f.grows {
			v -= f.value(&since.keys, 0, 0)
		}
		list = append(list, figure{name: f.name, value: v, unit: f.unit, doc: f.doc})
	}
	return list
}

func knownKeyFigure(name string) bool {
	for _, f := range keyFigures {
		if f.name == name {
			return true
		}
	}
	return false
}

// ownerName returns what calls the object of an entry by its name.
func (r *runner) ownerName(x *side) func(i ib.Index) string {
	return func(i ib.Index) string {
		if n := r.owners[x.end][i]; n != nil {
			return element(n.ref.Name, n.ref.Index)
		}
		if a := x.arrayOf(i); a != nil && a.own[int(i-a.base)] == nil {
			return element(a.name, int(i-a.base))
		}
		return ""
	}
}

// closeKeys takes the book of a host's keys into the result.
func (r *runner) closeKeys(x *side) {
	lives, omitted := x.keys.Lives()
	r.result.KeysOmitted += omitted
	pds, qps := map[ib.PDN]string{}, map[ib.QPN]string{}
	for name, n := range x.names {
		switch {
		case n.pd != nil:
			pds[n.pd.N] = shorter(pds[n.pd.N], name)
		case n.qp != nil:
			qps[n.qp.N] = shorter(qps[n.qp.N], name)
		}
	}
	call := func(m *keys.Meaning) { m.PD, m.QP = pds[m.PDN()], qps[m.QPN()] }
	for i := range lives {
		call(&lives[i].Meaning)
		if before := lives[i].Before; before != nil {
			call(before)
		}
	}
	if r.result.Keys == nil {
		r.result.Keys = lives
		return
	}
	r.result.Keys = append(r.result.Keys, lives...)
}

// shorter chooses between two names of one thing: an array's first element
// has that of the array too.
func shorter(a, b string) string {
	if a == "" || len(b) < len(a) || len(b) == len(a) && b < a {
		return b
	}
	return a
}
