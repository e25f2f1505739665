package pcie

import "hcasim/sim"

// queueWrite has a write go in its turn: at once, if nothing is in its way.
func (b *Bus) queueWrite(now sim.Time, h uint32, r *request) {
	t := &b.tx
	if t.idle() && b.up.Free() <= now.Add(t.ahead) && !t.pace.on && t.credits.free.cover(creditsFor(r.next)) {
		b.send(now, h, r)
		if r.whole() {
			return
		}
	}
	t.posted.Push(h)
	b.pump(now)
}

// queueRead does the same with a read.
func (b *Bus) queueRead(now sim.Time, h uint32, r *request) {
	t := &b.tx
	if t.idle() && b.up.Free() <= now.Add(t.ahead) && b.readWaits(now, r) == nothing {
		b.send(now, h, r)
		if r.whole() {
			return
		}
	}
	t.reads[r.asked.Class].Push(h)
	t.pending++
	b.pump(now)
}

// pump gives TLPs to the link as long as any can go. Reads and writes take
// turns.
func (b *Bus) pump(now sim.Time) {
	for t := &b.tx; !t.idle(); {
		if free := b.up.Free(); free > now.Add(t.ahead) {
			b.wakeBy(free - sim.Time(t.halfway))
			return
		}
		switch {
		case t.readTurn && t.pending > 0 && b.sendRead(now):
		case t.posted.Len() > 0 && b.sendWrite(now):
		case !t.readTurn && t.pending > 0 && b.sendRead(now):
		default:
			return
		}
	}
}

// sendWrite sends the next TLP of the first write, if it can go.
func (b *Bus) sendWrite(now sim.Time) bool {
	t := &b.tx
	h := *t.posted.Peek()
	r := b.records.At(h)
	w := t.writeWaits(now, r)
	if w != b.waits[ofWrites] {
		b.stalls(now, ofWrites, w)
	}
	if w != nothing {
		b.await(now, w, r, &t.credits)
		return false
	}
	if b.send(now, h, r); r.whole() {
		t.posted.Pop()
	}
	return true
}

// sendRead sends the next TLP of the read whose class has the turn. A read that
// waits for writes, or for a read that the engine has begun and perhaps not sent
// whole, lets other classes go; one that waits for anything else does not.
func (b *Bus) sendRead(now sim.Time) bool {
	t, last := &b.tx, nothing
	for _, c := range t.arbiter.order() {
		if t.reads[c].Len() == 0 {
			continue
		}
		h := *t.reads[c].Peek()
		r := b.records.At(h)
		w := b.readWaits(now, r)
		if last = w; w != b.waits[ofReads] && w != order && w != engine {
			b.stalls(now, ofReads, w)
		}
		switch w {
		case nothing:
			if b.send(now, h, r); r.whole() {
				t.reads[c].Pop()
				t.pending--
			}
			return true
		case order, engine:
		default:
			b.await(now, w, r, &t.nonPosted)
			return false
		}
	}
	if last != b.waits[ofReads] {
		b.stalls(now, ofReads, last)
	}
	return false
}

// send gives the link the next TLP of request h, which waits for nothing.
func (b *Bus) send(now sim.Time, h uint32, r *request) {
	t, p, tlp := &b.tx, h, &r.TLP
	if t.pace.on && !r.asked.Direct {
		b.keep(now, r)
	}
	if r.cut == 0 {
		r.sent = now
	} else {
		p, tlp = b.part(h, r)
	}
	limit := b.link.MPS
	if r.write() {
		t.credits.take(creditsFor(tlp.Len))
		t.readTurn = true
	} else {
		limit = b.link.MRRS
		b.takeRead(r, tlp)
	}
	r.parts++
	b.parts++
	if r.cut += tlp.Len; !r.whole() {
		r.next = cutEnd(r.Addr+uint64(r.cut), r.asked.Len-r.cut, limit, b.link.packed)
	} else if r.write() {
		t.left++
	}
	tlp.leave(now, b.up.Free())
	b.up.Send(now, p, sim.Bytes(tlp.Bytes))
}

// takeRead takes what a TLP of read r needs, and its class's turn.
func (b *Bus) takeRead(r *request, tlp *TLP) {
	t := &b.tx
	t.nonPosted.take(header)
	if t.completions.limited {
		t.completions.take(b.link.completionCredits(tlp.Addr, tlp.Len))
	}
	tlp.Tag = t.tags.take()
	t.arbiter.took(r.asked.Class)
	t.readTurn = false
}
