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
	Fault  tpt.Fault
	Entry  tpt.Entry // the copy that it was judged by
	Pieces [MaxPieces]Piece
	N      uint8 // pieces

	MPTHit, MTTHit bool

	Submitted, Judged, Translated sim.Time

	client   ClientID
	epoch    uint8
	resolved bool
	stream   StreamID
	next     uint32 // behind it in its stream
	first    uint32 // first translation entry of Move
	pages    uint8  // translation entries of Move, and those already found
	found    uint8
	page     [MaxPieces]uint64
}

// Account adds the time since t's mark to the parts it was spent in: waiting
// for and looking up the entry, waiting for and looking up the pages, waiting
// for earlier accesses of the stream.
func (a *Access) Account(now sim.Time, t *sim.Trail, mpt, mtt, order sim.Part) {
	t.Step(mpt, max(t.Mark, a.Judged)) // of several in parallel, the last one counts
	t.Step(mtt, max(t.Mark, a.Translated))
	t.Step(order, now)
}

// cut fills in the pieces once all pages are known, joining neighbours.
func (a *Access) cut() {
	shift := a.Entry.PageShift
	size := uint64(1) << shift
	at := a.Entry.Offset(a.Move.VA)
	left := a.Move.Length
	for i := uint8(0); i < a.pages; i++ {
		within := at & (size - 1)
		n := min(left, size-within)
		addr := a.page[i] + within
		if a.N > 0 && a.Pieces[a.N-1].Addr+uint64(a.Pieces[a.N-1].Length) == addr {
			a.Pieces[a.N-1].Length += uint32(n)
		} else {
			a.Pieces[a.N] = Piece{addr, uint32(n)}
			a.N++
		}
		at += n
		left -= n
	}
}

// A stream keeps the order of its accesses.
type stream struct{ head, tail uint32 }

// none ends a list of handles.
const none = ^uint32(0)

// A Judgement tells a watcher how an access was decided.
type Judgement struct {
	At     sim.Time
	Access *Access
}

// index returns the entry that an access asks for.
func (a *Access) index() ib.Index { return a.Key.Index() }
