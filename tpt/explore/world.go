package explore

import (
	"hcasim/ib"
	"hcasim/tpt"
)

// The objects of the small world. Each is there or not.
type slot uint8

const (
	mrA    slot = iota // a region, of either domain
	mrB                // another
	fast               // fast-register, in the first
	w1                 // window of type 1, in the first
	w2                 // window of type 2, in the first
	nSlots             // also: no object
)

var slotNames = [nSlots + 1]string{"A", "B", "f", "w1", "w2", ""}

// The domains and queue pairs that are there from the beginning.
const (
	pd1 ib.PDN = 1
	pd2 ib.PDN = 2
	q1  ib.QPN = 1 // of pd1
	q2  ib.QPN = 2 // of pd1
	q3  ib.QPN = 3 // of pd2
)

// A region is two pages long, which do not follow each other in memory.
const (
	page = 1 << 12
	size = 2 * page
)

// starts are the first addresses of the regions.
var starts = [...]uint64{mrA: 0x10000, mrB: 0x20000, fast: 0x30000}

// A world is one state: the tables, the ledger beside them, and what a program
// would remember.
type world struct {
	table  *tpt.Table
	ledger ledger
	object [nSlots]ib.Index // 0: not there
	key    [nSlots]ib.Key   // current key
	stale  [nSlots]ib.Key   // of A, B and w2: the last key that died
	keys   []handed
	page   uint64 // last physical page that was given
	pages  [2]uint64
}

// A handed key is one that was given out, and the region whose addresses its
// bearer would try.
type handed struct {
	key  ib.Key
	base slot
}

func newWorld(v tpt.Variant) *world {
	w := &world{table: tpt.NewTable(tpt.Limits{MR: 8, MW: 8, MTT: 64, QP: 4, SRQ: 1, PD: 2}, v, 1)}
	for _, c := range []tpt.Command{
		{Op: tpt.AllocPD}, {Op: tpt.AllocPD},
		{Op: tpt.CreateQP, PD: pd1, QPN: q1}, {Op: tpt.CreateQP, PD: pd1, QPN: q2}, {Op: tpt.CreateQP, PD: pd2, QPN: q3},
	} {
		w.table.Apply(&c)
	}
	w.ledger = ledger{qps: [4]ib.PDN{q1: pd1, q2: pd1, q3: pd2}, terms: terms{
		only2A:      v.MW2Flavor == tpt.Window2A,
		orphans:     v.DeregBound == "orphan",
		reregBound:  v.ReregBound,
		reregKeeps:  v.ReregKeepsKeys,
		reregMoves:  v.ReregTranslation,
		bindPastEnd: !v.BindRangeCheck,
		freeMWAgain: v.InvFreeMW,
	}}
	return w
}

// copyFrom makes w what u is.
func (w *world) copyFrom(u *world) {
	table, keys := w.table, w.keys
	table.CopyFrom(u.table)
	*w = *u
	w.table, w.keys = table, append(keys[:0], u.keys...)
}

// newPages returns the addresses of two pages that nothing else has and that
// are no neighbours.
func (w *world) newPages() []uint64 {
	w.page += 4 * page
	w.pages = [2]uint64{w.page, w.page + 2*page}
	return w.pages[:]
}

// handOut remembers a key that may be tried.
func (w *world) handOut(k ib.Key, base slot) {
	for _, h := range w.keys {
		if h == (handed{k, base}) {
			return
		}
	}
	w.keys = append(w.keys, handed{k, base})
}
