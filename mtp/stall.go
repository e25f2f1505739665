package mtp

import "hcasim/sim"

// The things that the unit may have to wait for, as numbers of sim.Stall.
// Everybody who waits counts for himself.
const (
	StallMPT          uint8 = iota // an entry that is not in the first level: accesses
	StallMTT                       // pages that are not: accesses
	StallQPC                       // a context that is not: queue pairs and packets
	StallFills                     // a DMA read for tables: fills
	StallContextFills              // a DMA read for contexts: fills
	StallEntrance                  // room in the stage that looks up entries: accesses
	StallPages                     // room in the stage that looks up pages: accesses
	StallChanges                   // the change in front: changes
	Stalls
)

// stall tells watchers that somebody begins or ends to wait.
func (u *Unit) stall(now sim.Time, what uint8, ends bool) {
	if u.Stalls.On() {
		u.Stalls.Emit(sim.Stall{At: now, For: what, Ends: ends})
	}
}

// queued is what a fill stalls for that stands in the backlog of a queue.
func queued(queue uint8) uint8 {
	if queue == ofTables {
		return StallFills
	}
	return StallContextFills
}

// A Kind is what a fetch brings.
type Kind = fillKind

// The kinds of fetches.
const (
	MPT = fillMPT // protection entries
	MTT = fillMTT // lines of translation entries
	QPC = fillQPC // contexts
)

// A Fetch is a fill as it begins.
type Fetch struct {
	Kind Kind
	Near bool // from the second level, not from host memory
}

// tell shows watchers a fill that begins.
func (f *fetcher) tell(k fillKind, near bool) {
	if f.unit.Fetches.On() {
		f.unit.Fetches.Emit(Fetch{k, near})
	}
}

// Levels reports whether there are two levels of a kind on chip.
func (u *Unit) Levels(k Kind) bool { return u.kinds[k].levels() }
