package pcie

import "hcasim/sim"

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
	r := b.requests.At(h)
	data := dataCredits(r.next)
	if t.pace.on || !t.credits.has(1, data) {
		if w := t.writeWaits(now, r); w != nothing {
			b.await(now, w, r, &t.credits)
			return false
		}
	}
	t.credits.take(1, data)
	t.readTurn = true
	b.cutOff(now, h, r, MWr)
	if r.whole() {
		t.posted.Pop()
		t.left++
	}
	return true
}

// sendRead sends the next TLP of the read whose class has the turn. A read that
// waits for writes, or for a read that the engine has begun and perhaps not sent
// whole, lets other classes go; one that waits for anything else does not.
func (b *Bus) sendRead(now sim.Time) bool {
	t := &b.tx
	for _, c := range t.arbiter.order() {
		if t.reads[c].Len() == 0 {
			continue
		}
		h := *t.reads[c].Peek()
		r := b.requests.At(h)
		switch w := b.readWaits(now, r); w {
		case nothing:
			b.sendReadOf(now, h, r)
			return true
		case order, engine:
		default:
			b.await(now, w, r, &t.nonPosted)
			return false
		}
	}
	return false
}

// sendReadOf sends the next TLP of the read r.
func (b *Bus) sendReadOf(now sim.Time, h uint32, r *request) {
	t := &b.tx
	t.nonPosted.take(1, 0)
	if t.completions.limited {
		t.completions.take(b.link.completionCredits(r.addr+uint64(r.cut), r.next))
	}
	t.arbiter.took(r.class)
	t.readTurn = false
	b.cutOff(now, h, r, MRd)
	if r.whole() {
		t.reads[r.class].Pop()
		t.pending--
	}
}

// cutOff cuts the next TLP off request h and gives it to the link.
func (b *Bus) cutOff(now sim.Time, h uint32, r *request, kind Kind) {
	if b.tx.pace.on && !r.direct {
		b.keep(now, r)
	}
	if r.cut == 0 {
		r.sent = now
	}
	p, n, addr := b.tlps.Get(), r.next, r.addr+uint64(r.cut)
	tlp := b.tlps.At(p)
	tlp.Kind, tlp.Addr, tlp.Client, tlp.Relaxed, tlp.Refused = kind, addr, r.client, r.relaxed, false
	tlp.of, tlp.offset, tlp.n, tlp.Len = h, r.cut, n, n
	tlp.Bytes, tlp.Count = b.link.head(addr), 1
	limit := b.link.MRRS
	if kind == MWr {
		tlp.Bytes += n
		limit = b.link.MPS
	} else {
		tlp.Tag = b.tx.tags.take()
	}
	r.parts++
	if r.cut += n; !r.whole() {
		r.next = cutEnd(addr+uint64(n), r.size-r.cut, limit, b.link.packed)
	}
	tlp.leave(now, b.up.Free())
	b.up.Send(now, p, sim.Bytes(tlp.Bytes))
}
