package pcie

import "hcasim/sim"

// A rootComplex is the ordering point of the host. Of every write that has
// arrived it is known when it will be committed; horizon is the last of those
// instants. A strict write is committed no earlier, a read served no earlier.
type rootComplex struct {
	horizon sim.Time
}

// arriveUp takes a TLP from the endpoint.
func (b *Bus) arriveUp(now sim.Time, tlp TLP) bool {
	if b.Taps.TLPs.On() {
		b.show(now, tlp)
	}
	if b.Spoil != nil && b.Spoil(now, tlp) {
		b.pieces.At(tlp.Piece).refused = true
	}
	if tlp.Kind == MWr {
		b.post(now, tlp)
		return true
	}
	switch horizon := b.rc.horizon; {
	case b.link.host.ReadOrder == OrderServe:
		b.access(now, tlp.Piece, horizon)
	case horizon <= now:
		b.access(now, tlp.Piece, now)
	default:
		b.engine.At(horizon, b.startID, tlp.Piece)
	}
	return true
}

// post finds out when a posted write will be committed.
func (b *Bus) post(now sim.Time, tlp TLP) {
	at := b.reach(now, tlp.Piece, tlp.Addr, true).Add(b.link.host.WriteLatency)
	if !tlp.Relaxed {
		at = max(at, b.rc.horizon)
	}
	b.rc.horizon = max(b.rc.horizon, at)
	b.engine.At(at, b.commitID, tlp.Piece)
}

// access finds out when a read will be served: not before earliest, the last
// commit of the writes that arrived before it.
func (b *Bus) access(now sim.Time, p uint32, earliest sim.Time) {
	piece := b.pieces.At(p)
	addr := b.requests.At(piece.request).Addr + uint64(piece.offset)
	at := b.reach(now, p, addr, false).Add(b.link.host.ReadLatency)
	b.engine.At(max(at, earliest), b.serveID, p)
}

// reach begins the access of a piece and returns when memory has done its part.
func (b *Bus) reach(now sim.Time, p uint32, addr uint64, write bool) sim.Time {
	piece := b.pieces.At(p)
	if piece.n == 0 || piece.refused {
		return now
	}
	ready, ok := b.memory.Access(now, addr, piece.n, write)
	piece.refused = !ok
	return max(now, ready)
}

// commit makes a write seen.
func (b *Bus) commit(now sim.Time, p uint32) {
	piece := *b.pieces.At(p)
	b.pieces.Put(p)
	r := b.requests.At(piece.request)
	r.served = now
	r.parts--
	r.failed = r.failed || piece.refused
	client, handle := b.clients[r.Client].Client, r.Handle
	last := r.whole && r.parts == 0
	b.tx.credits.giveAt(now.Add(b.link.host.CreditReturn), 1, dataCredits(piece.n))
	b.wakeAwaiting(now, &b.tx.credits)
	if !piece.refused && piece.n != 0 {
		client.Served(now, handle, piece.offset, piece.n)
	}
	if last {
		b.done(now, piece.request)
	}
}

// serve reads the data of a piece and sends the completions off.
func (b *Bus) serve(now sim.Time, p uint32) {
	piece := *b.pieces.At(p)
	r := b.requests.At(piece.request)
	r.served = now
	b.tx.nonPosted.giveAt(now.Add(b.link.host.CreditReturn), 1, 0)
	b.wakeAwaiting(now, &b.tx.nonPosted)
	tlp := TLP{Kind: CplD, Addr: r.Addr + uint64(piece.offset), Len: piece.n, Piece: p,
		Tag: piece.tag, Client: r.Client, Refused: piece.refused}
	client, handle := b.clients[r.Client].Client, r.Handle
	bytes := b.link.CompletionBytes()
	if piece.refused || piece.n == 0 {
		tlp.Kind, tlp.Len = Cpl, 0
	} else {
		bytes = piece.n + bytes*completions(tlp.Addr, piece.n, b.link.cut, uint32(b.link.host.RCB))
	}
	b.sendDown(now, tlp, bytes)
	if !piece.refused && piece.n != 0 {
		client.Served(now, handle, piece.offset, piece.n)
	}
}
