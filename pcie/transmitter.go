package pcie

import "hcasim/sim"

// never is an instant that no run reaches.
const never = ^sim.Time(0)

// A transmitter is the endpoint's sending side: one queue of posted writes, one
// of reads per class, the tags and credits that TLPs need, and the arbiter.
//
// The declared order: writes and reads take turns, TLP by TLP. A write waits
// only for the writes before it and for posted credits. A read waits for the
// writes issued before it to have left, and then for a tag, a non-posted credit
// and room for its completions; between reads of several classes the arbiter
// chooses. A class whose turn it is keeps its turn while it waits for something
// finite, so small reads cannot starve large ones.
type transmitter struct {
	entering sim.Ring[uint32] // writes in the endpoint's overhead, oldest first
	enterAt  sim.Time         // when the youngest of them leaves it
	posted   sim.Ring[uint32]
	reads    [classes]sim.Ring[uint32]

	issued uint64 // posted requests so far
	left   uint64 // of them given to the link whole

	tags        tags
	credits     flow // posted
	nonPosted   flow
	completions flow // room in the endpoint, reserved as a read leaves

	arbiter   arbiter
	pending   int      // reads in the queues
	readTurn  bool     // reads go next, if both can
	nextRead  sim.Time // no read TLP goes before: the engine's gap
	nextWrite sim.Time
	wakeAt    sim.Time // when the transmitter looks again by itself

	nextReadOp  sim.Time // no first TLP of a read goes before: the engine is at the last one
	nextWriteOp sim.Time
	reading     uint32 // reads that the engine works on

	ahead    sim.Duration // how far the link may be booked
	halfway  sim.Duration
	postedBy uint32 // limit of a write TLP
	readBy   uint32
}

func (t *transmitter) init(e *sim.Engine, name string, l Link) {
	t.tags.init(name+".tags", l.device.Tags)
	t.credits.init(e, name+".posted", l.host.PostedHeaders, l.host.PostedData)
	t.nonPosted.init(e, name+".non-posted", l.host.NonPostedHeaders, 0)
	t.completions.init(e, name+".completion", l.device.CompletionHeaders, l.device.CompletionData)
	t.arbiter.init(l.device)
	t.wakeAt = never
	t.ahead = l.Time(l.device.Egress)
	t.halfway = t.ahead / 2
	t.postedBy, t.readBy = l.MPS, l.MRRS
}

// pump gives TLPs to the link as long as any can go.
func (b *Bus) pump(now sim.Time) {
	t := &b.tx
	for t.posted.Len() > 0 || t.pending > 0 {
		if free := b.up.Free(); free > now.Add(t.ahead) {
			b.wakeBy(free - sim.Time(t.halfway))
			return
		}
		h, ok := b.choose(now)
		if !ok {
			return
		}
		b.send(now, h)
	}
}

// wakeBy has the transmitter look again at at, or earlier.
func (b *Bus) wakeBy(at sim.Time) {
	if at < b.tx.wakeAt {
		b.tx.wakeAt = at
		b.engine.At(at, b.pumpID, 0)
	}
}

// wake looks again. An event overtaken by an earlier one does nothing.
func (b *Bus) wake(now sim.Time) {
	if now == b.tx.wakeAt {
		b.tx.wakeAt = never
		b.pump(now)
	}
}

// send cuts the next TLP off request h and gives it to the link, with the
// credits that choose has found to be there.
func (b *Bus) send(now sim.Time, h uint32) {
	t, r := &b.tx, b.requests.At(h)
	p := b.pieces.Get()
	piece := b.pieces.At(p)
	addr := r.Addr + uint64(r.cut)
	piece.request, piece.offset, piece.refused = h, r.cut, false
	tlp := TLP{Addr: addr, Piece: p, Client: r.Client, Relaxed: r.Relaxed}
	if r.cut == 0 {
		r.sent = now
		b.turn(now, r)
	}
	bytes := b.link.RequestBytes(addr)
	if r.write {
		piece.n = cutEnd(addr, r.Len-r.cut, t.postedBy, b.link.device.Cut)
		t.credits.take(1, dataCredits(piece.n))
		if !r.Direct {
			t.nextWrite = t.after(max(now, b.up.Free()), max(b.link.device.Gap, b.link.device.WriteGap))
		}
		tlp.Kind = MWr
		bytes += piece.n
	} else {
		piece.n = cutEnd(addr, r.Len-r.cut, t.readBy, b.link.device.Cut)
		t.nonPosted.take(1, 0)
		if t.completions.limited() {
			t.completions.take(b.link.completionCredits(addr, piece.n))
		}
		if !r.Direct {
			t.nextRead = t.after(max(now, b.up.Free()), b.link.device.Gap)
		}
		piece.tag = t.tags.take()
		tlp.Kind, tlp.Tag = MRd, piece.tag
		t.arbiter.took(r.Class)
	}
	t.readTurn = r.write
	r.cut += piece.n
	r.parts++
	tlp.Len = piece.n
	if r.whole = r.cut == r.Len; r.whole {
		t.leave(r)
	}
	b.up.Send(now, tlp, sim.Bytes(bytes))
}

// turn has the DMA engine begin with a request.
func (b *Bus) turn(now sim.Time, r *request) {
	t, d := &b.tx, &b.link.device
	at, bytes := max(now, b.up.Free()), sim.Bytes(0)
	switch {
	case r.Direct:
	case r.write:
		if d.WriteBeat > 0 {
			bytes = b.link.postedBytes(r)
		}
		t.nextWriteOp = t.after(at, d.writeTurn(sim.Bytes(r.Len), bytes))
	default:
		if d.ReadBeat > 0 {
			bytes = b.link.answerBytes(r)
		}
		t.nextReadOp = t.after(at, d.readTurn(bytes))
		t.reading++
	}
}

// after is the instant at which the next TLP of a kind may go, when one has the
// link at entered.
func (t *transmitter) after(entered sim.Time, gap sim.Duration) sim.Time {
	if gap == 0 {
		return 0
	}
	return entered.Add(gap)
}

// leave takes a request that has been cut whole out of its queue.
func (t *transmitter) leave(r *request) {
	if r.write {
		t.posted.Pop()
		t.left++
		return
	}
	t.reads[r.Class].Pop()
	t.pending--
}
