package mtp

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// A Client is a part of the adapter that asks for access to memory.
type Client interface {
	// Resolved is called once per access, in stream order. When a.Fault is OK
	// the client moves the bytes of a.Pieces and then calls Release; a refused
	// access is released already, and a must not be kept.
	Resolved(now sim.Time, handle uint32, a *Access)
}

type (
	// ClientID names a client; lower ones go first under arbiter: priority.
	ClientID uint8
	// StreamID names an order of accesses.
	StreamID uint32
)

// MaxPieces bounds the physical pieces of one access: it moves at most 4096
// bytes, and the smallest page has as many.
const MaxPieces = 2

// A Piece is a physically contiguous part of what an access moves.
type Piece struct {
	Addr   uint64
	Length uint32
}

// An Access is one question on its way through the pipeline, and then its
// answer.
type Access struct {
	tpt.Access
	ID     uint32 // for Release
	Handle uint32 // the client's own

	Fault          tpt.Fault
	N              uint8 // pieces
	MPTHit, MTTHit bool
	pages          uint8 // translation entries of Move, and those already found
	found          uint8
	resolved       bool
	client         ClientID
	epoch          uint8

	stream StreamID
	next   uint32 // behind it in its stream
	first  uint32 // first translation entry of Move

	Judged, Translated sim.Time

	Entry  tpt.Entry // the copy that it was judged by
	Pieces [MaxPieces]Piece
	page   [MaxPieces]uint64
}

// Account adds the time since t's mark to the parts it was spent in: waiting
// for and looking up the entry, waiting for and looking up the pages, waiting
// for earlier accesses of the stream.
func (a *Access) Account(now sim.Time, t *sim.Trail, mpt, mtt, order sim.Part) {
	if t.Mark < a.Judged { // of several in parallel, the last one counts
		t.Step(mpt, a.Judged)
	}
	if t.Mark < a.Translated {
		t.Step(mtt, a.Translated)
	}
	if t.Mark != now {
		t.Step(order, now)
	}
}

// take copies the pages that line holds of those that a still misses, until one
// is absent. It misses one at least.
func (a *Access) take(line *[lineEntries]uint64) {
	for at := a.first + uint32(a.found); ; at++ {
		page := line[at%lineEntries]
		a.page[a.found%MaxPieces] = page &^ tpt.ReadOnly
		a.found++
		if page&tpt.ReadOnly != 0 && (page == tpt.NoPage || a.Need&^ib.RemoteRead != 0) {
			a.Fault = tpt.NoTranslation
			return
		}
		if a.found == a.pages || at%lineEntries == lineEntries-1 {
			return
		}
	}
}

// cut fills in the pieces once all pages are known.
func (a *Access) cut() {
	if a.pages == 0 {
		return
	}
	size := uint64(1) << (a.Entry.PageShift & 63)
	within := a.Entry.Offset(a.Move.VA) & (size - 1)
	a.N, a.Pieces[0] = 1, Piece{a.page[0] + within, uint32(a.Move.Length)}
	if a.pages > 1 {
		a.split(uint32(size - within))
	}
}

// split divides what lies in two pages, n bytes of it in the first: in two
// pieces, unless they are neighbours.
func (a *Access) split(n uint32) {
	if p := &a.Pieces[0]; p.Addr+uint64(n) != a.page[1] {
		a.N, a.Pieces[1] = 2, Piece{a.page[1], p.Length - n}
		p.Length = n
	}
}

// A stream keeps the order of its accesses.
type stream struct{ head, tail uint32 }

// A Judgement tells a watcher how an access was decided.
type Judgement struct {
	At     sim.Time
	Access *Access
}

// Client returns who asked.
func (a *Access) Client() ClientID { return a.client }

// index returns the entry that an access asks for.
func (a *Access) index() ib.Index { return a.Key.Index() }

// LookedUp reports every access as it leaves the key stage: judged already, or
// to be judged when its entry has come. The value of a hop is its ID.
func (u *Unit) LookedUp() *sim.Probe[sim.Hop] { return &u.mptStage.Passed }
