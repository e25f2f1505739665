package pcie

import "hcasim/sim"

// send gives the link the TLP whose turn it is, and reports whether any could
// go.
func (b *Bus) send(now sim.Time) bool {
	if b.tx.readTurn {
		return b.sendRead(now) || b.sendWrite(now)
	}
	return b.sendWrite(now) || b.sendRead(now)
}

// sendWrite sends the next TLP of the first write, if it can go.
func (b *Bus) sendWrite(now sim.Time) bool {
	t := &b.tx
	if t.posted.Len() == 0 {
		return false
	}
	h := *t.posted.Peek()
	r := b.requests.At(h)
	if w := t.writeWaits(now, r); w != nothing {
		b.await(now, w, r, &t.credits)
		return false
	}
	t.credits.take(1, dataCredits(r.next))
	t.readTurn = true
	p, tlp := b.cutOff(now, h, r)
	tlp.Kind, tlp.Tag = MWr, 0
	tlp.Bytes += tlp.n
	b.launch(b.up, now, p, tlp)
	if r.whole() {
		t.posted.Pop()
		t.left++
		return true
	}
	r.next = cutEnd(r.addr+uint64(r.cut), r.size-r.cut, b.link.MPS, b.link.packed)
	return true
}

// sendRead sends the next TLP of the read whose class has the turn. A read that
// waits for writes, or for a read that the engine has begun and perhaps not sent
// whole, lets other classes go; one that waits for anything else does not.
func (b *Bus) sendRead(now sim.Time) bool {
	t := &b.tx
	if t.pending == 0 {
		return false
	}
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
	p, tlp := b.cutOff(now, h, r)
	tlp.Kind, tlp.Tag = MRd, t.tags.take()
	b.launch(b.up, now, p, tlp)
	if r.whole() {
		t.reads[r.class].Pop()
		t.pending--
		return
	}
	r.next = cutEnd(r.addr+uint64(r.cut), r.size-r.cut, b.link.MRRS, b.link.packed)
}

// cutOff cuts the next TLP off request h.
func (b *Bus) cutOff(now sim.Time, h uint32, r *request) (p uint32, tlp *TLP) {
	if b.tx.pace.on && !r.direct {
		b.keep(now, r)
	}
	if r.cut == 0 {
		r.sent = now
	}
	p = b.tlps.Get()
	tlp = b.tlps.At(p)
	tlp.of, tlp.offset, tlp.n, tlp.Len = h, r.cut, r.next, r.next
	tlp.Addr = r.addr + uint64(r.cut)
	tlp.Bytes, tlp.Count = b.link.RequestBytes(tlp.Addr), 1
	tlp.Client, tlp.Relaxed, tlp.Refused = r.client, r.relaxed, false
	r.cut += r.next
	r.parts++
	return p, tlp
}
