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
	t.Step(mpt, max(t.Mark, a.Judged)) // of several in parallel, the last one counts
	t.Step(mtt, max(t.Mark, a.Translated))
	t.Step(order, now)
}

// take copies the pages that line holds of those that a still misses.
func (a *Access) take(line *[lineEntries]uint64) {
	at := a.first + uint32(a.found)
	for end := at | (lineEntries - 1); a.found < a.pages && at <= end; at++ {
		page := line[at%lineEntries]
		a.page[a.found%MaxPieces] = page &^ tpt.ReadOnly
		a.found++
		if page == tpt.NoPage || page&tpt.ReadOnly != 0 && a.Need&^ib.RemoteRead != 0 {
			a.Fault = tpt.NoTranslation
			return
		}
	}
}

// cut fills in the pieces once all pages are known, joining neighbours.
func (a *Access) cut() {
	size := uint64(1) << (a.Entry.PageShift & 63)
	within := a.Entry.Offset(a.Move.VA) & (size - 1)
	if a.pages == 1 {
		a.Pieces[0] = Piece{a.page[0] + within, uint32(a.Move.Length)}
		a.N = 1
		return
	}
	for left, i := a.Move.Length, uint8(0); i < a.pages; i++ {
		n := min(left, size-within)
		addr := a.page[i] + within
		if a.N > 0 && a.Pieces[a.N-1].Addr+uint64(a.Pieces[a.N-1].Length) == addr {
			a.Pieces[a.N-1].Length += uint32(n)
		} else {
			a.Pieces[a.N] = Piece{addr, uint32(n)}
			a.N++
		}
		within = 0
		left -= n
	}
}

// A stream keeps the order of its accesses.
type stream struct{ head, tail uint32 }

// A Judgement tells a watcher how an access was decided.
type Judgement struct {
	At     sim.Time
	Access *Access
}

// index returns the entry that an access asks for.
func (a *Access) index() ib.Index { return a.Key.Index() }
