package keys

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// A Meaning is what a key stands for while it is live.
type Meaning struct {
	Object string // as the scenario names it; "" for one that it does not name
	PD     string // likewise, filled in by the owner of the names
	QP     string // likewise; type 2 windows only
	grant
}

// A grant is a meaning without its names.
type grant struct {
	Kind   tpt.Kind
	Start  uint64 // first address granted
	Length uint64
	Rights ib.AccessFlags

	pd    ib.PDN
	qpn   ib.QPN
	mtt   uint32 // with first: where the bytes lie
	first uint64
	use   uint32 // how many objects the index was of before
}

// grantOf reads a meaning from an entry.
func grantOf(e *tpt.Entry, use uint32) grant {
	m := grant{
		Kind: e.Kind, Start: e.Start, Length: e.Length, Rights: e.Rights,
		pd: e.PD, mtt: e.MTT, first: e.First, use: use,
	}
	if e.Kind.Type2() {
		m.qpn = e.QPN
	}
	return m
}

// PDN returns the number of the protection domain.
func (m *Meaning) PDN() ib.PDN { return m.pd }

// QPN returns the number of the queue pair that a type 2 window is bound to.
func (m *Meaning) QPN() ib.QPN { return m.qpn }

// Same reports whether two meanings are one, whatever they are called.
func (m Meaning) Same(o Meaning) bool { return m.grant == o.grant }

// remoteRights are those that a peer can use.
const remoteRights = ib.RemoteWrite | ib.RemoteRead | ib.RemoteAtomic

// Uses are the accesses that a key granted, by when they were judged.
type Uses struct {
	Count       uint64
	First, Last sim.Time // if Count > 0
}

func (u *Uses) add(at sim.Time) {
	if u.Count == 0 {
		u.First = at
	}
	u.Last = at
	u.Count++
}

// A Life is a key value from the moment it opens memory to the moment it no
// longer does.
type Life struct {
	Host string
	Key  ib.Key
	Meaning
	Born     sim.Time
	Declared bool // there before time 0
	Dead     bool
	Died     sim.Time // if Dead
	By       tpt.Op   // what killed it
	Remote   Uses     // granted to peers
	Local    Uses     // granted to the owner's own requests
	Denied   uint64   // refused uses while it was live: beyond rights, range, domain
	Refused  uint64   // refused uses after its death
	Late     uint64   // granted after its death, by a copy out of date
	// Before is what the same value stood for the last time it was live; nil
	// if it never was.
	Before *Meaning
}

// Open reports whether the key lets a peer do anything.
func (m *grant) Open() bool { return m.Rights&remoteRights != 0 }

// Reused reports whether the value was live before with another meaning.
func (l *Life) Reused() bool { return l.Before != nil && !l.Before.Same(l.Meaning) }

// Exposure is the time for which a key stayed open to peers and was not
// needed: from the last access that it granted one, or from its birth if
// there was none, to its death, or to now while it is alive.
func (l *Life) Exposure(now sim.Time) sim.Duration {
	from, to := l.Born, now
	if l.Remote.Count > 0 {
		from = l.Remote.Last
	}
	if l.Dead {
		to = l.Died
	}
	if !l.Open() || to < from {
		return 0
	}
	return to.Sub(from)
}
