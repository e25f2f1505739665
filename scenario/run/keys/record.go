package keys

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A record is a life as far as the figures of all keys need it. There is one
// for each entry that was valid and of which something came, and for each
// value that is dead.
type record struct {
	key  ib.Key
	dead bool
	grant
	born, last sim.Time // last: of the uses that it granted to peers, or born
	kept       *Life    // nil beyond those that are kept one by one
}

// exposure is the time for which a key that dies now was open and not needed.
func (r *record) exposure(now sim.Time) sim.Duration {
	if !r.Open() || now < r.last {
		return 0
	}
	return now.Sub(r.last)
}

// granted books a use by a peer, or by the owner.
func (r *record) granted(at sim.Time, remote bool) {
	if remote {
		r.last = at
	}
	switch l := r.kept; {
	case l == nil:
	case remote:
		l.Remote.add(at)
	default:
		l.Local.add(at)
	}
}

// What stands for an entry in Audit.open instead of the handle of a record.
const (
	untold = 0          // nothing has happened since the book was begun
	shut   = ^uint32(0) // no life is open
)

// state returns what stands for an entry.
func (a *Audit) state(i ib.Index) uint32 {
	if s := a.open.Find(i); s != nil {
		return *s
	}
	return untold
}

// set writes what stands for an entry.
func (a *Audit) set(i ib.Index, state uint32) { *a.open.Make(i) = state }

// at returns the open life of an entry, nil if there is none. One that was
// declared gets its record now.
func (a *Audit) at(i ib.Index) *record {
	switch s := a.state(i); s {
	case shut:
		return nil
	case untold:
		if rank := a.declared.rank(i); rank >= 0 {
			return a.recall(i, rank)
		}
		return nil
	default:
		return a.records.At(s - 1)
	}
}

// recall makes the record of a declared life.
func (a *Audit) recall(i ib.Index, rank int) *record {
	key, g := a.declared.read(i)
	h := a.records.Get()
	r := a.records.At(h)
	*r = record{key: key, grant: g}
	if last := a.used.Find(i); last != nil {
		r.last = *last
	}
	if rank < len(a.lives) {
		r.kept = a.tell(i, rank)
	}
	a.set(i, h+1)
	return r
}

// tell returns the life of a declared key that is kept.
func (a *Audit) tell(i ib.Index, rank int) *Life {
	if a.lives[rank] == nil {
		key, g := a.declared.read(i)
		a.lives[rank] = &Life{Host: a.host, Key: key, Meaning: Meaning{grant: g}, Declared: true}
	}
	return a.lives[rank]
}
