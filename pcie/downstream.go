package pcie

import "hcasim/sim"

// stores is the way of the CPU's posted writes to the endpoint, and the queue of
// the root complex's transmitter. A completion may not pass a posted write, so
// one queue holds both; only stores need credits, and the endpoint takes a store
// as it arrives, so the queue always moves.
type stores struct {
	leaving sim.Ring[leaving] // left the CPU, not yet at the root port
	free    sim.Time          // when the CPU's store path takes the next
	queue   sim.Ring[outgoing]
	credits flow     // posted, of the endpoint
	wakeAt  sim.Time // when the queue is looked at again by itself
}

type leaving struct {
	at    sim.Time
	tlp   TLP
	bytes uint32
}

type outgoing struct {
	tlp   TLP
	bytes uint32
}

const line = 64 // bytes of a write-combining buffer

// MMIO is a posted store of the CPU to the device: of up to 8 bytes uncached, of
// more through write-combining lines of 64, each a TLP; the device sees value
// once, when the last of them is there.
func (b *Bus) MMIO(now sim.Time, addr uint64, value uint32, n sim.Bytes) {
	p := b.link.host.MMIO
	lines, size, gap := sim.Bytes(1), n, p.UCStoreGap
	if n > 8 {
		lines, size, gap = (n+line-1)/line, line, p.WCLineGap
	}
	s := &b.stores
	for i := range lines {
		s.free = max(now, s.free)
		at := s.free.Add(p.Latency)
		s.free = s.free.Add(gap)
		tlp := TLP{Kind: MMIO, Addr: addr + uint64(i*size), Len: uint32(size), Piece: value,
			Tag: uint16(i), last: i == lines-1}
		out := leaving{at, tlp, b.link.RequestBytes(addr) + uint32(size)}
		if at == now && s.leaving.Len() == 0 {
			b.sendDown(now, out.tlp, out.bytes)
			continue
		}
		s.leaving.Push(out)
		b.engine.At(at, b.storeID, 0)
	}
}

// StoreFree returns when the CPU's store path takes the next store.
func (b *Bus) StoreFree() sim.Time { return b.stores.free }

// store takes the oldest store at the root port.
func (b *Bus) store(now sim.Time) {
	out := b.stores.leaving.Pop()
	b.sendDown(now, out.tlp, out.bytes)
}

// sendDown gives a TLP to the link towards the endpoint, behind those that wait.
func (b *Bus) sendDown(now sim.Time, tlp TLP, bytes uint32) {
	s := &b.stores
	if s.queue.Len() == 0 && (tlp.Kind != MMIO || b.takeStore(now, tlp)) {
		b.down.Send(now, tlp, sim.Bytes(bytes))
		return
	}
	s.queue.Push(outgoing{tlp, bytes})
}

// drain sends what waited for the endpoint's credits.
func (b *Bus) drain(now sim.Time) {
	s := &b.stores
	if now == s.wakeAt {
		s.wakeAt = never
	}
	for s.queue.Len() > 0 {
		head := s.queue.Peek()
		if head.tlp.Kind == MMIO && !b.takeStore(now, head.tlp) {
			return
		}
		out := s.queue.Pop()
		b.down.Send(now, out.tlp, sim.Bytes(out.bytes))
	}
}

// takeStore takes the credits of a store, or sees to it that they are awaited.
func (b *Bus) takeStore(now sim.Time, tlp TLP) bool {
	f := &b.stores.credits
	if f.has(now, 1, dataCredits(tlp.Len)) {
		f.take(1, dataCredits(tlp.Len))
		return true
	}
	if at, ok := f.due(); ok && at < b.stores.wakeAt {
		b.stores.wakeAt = at
		b.engine.At(at, b.downID, 0)
	}
	return false
}

// arriveDown takes a TLP at the endpoint.
func (b *Bus) arriveDown(now sim.Time, tlp TLP) bool {
	if b.Taps.TLPs.On() {
		b.show(now, tlp)
	}
	if tlp.Kind != MMIO {
		b.complete(now, tlp.Piece)
		return true
	}
	b.stores.credits.giveAt(now.Add(b.link.device.CreditReturn), 1, dataCredits(tlp.Len))
	if b.stores.queue.Len() > 0 {
		b.drain(now)
	}
	if tlp.last {
		b.device.MMIO(now, tlp.Addr-uint64(tlp.Tag)*line, tlp.Piece)
	}
	return true
}

// complete takes the last completion of a piece: tag and room are free again.
func (b *Bus) complete(now sim.Time, p uint32) {
	t, piece := &b.tx, *b.pieces.At(p)
	b.pieces.Put(p)
	r := b.requests.At(piece.request)
	r.parts--
	r.failed = r.failed || piece.refused
	t.tags.give(piece.tag)
	if t.completions.limited() {
		t.completions.give(b.link.completionCredits(r.Addr+uint64(piece.offset), piece.n))
	}
	if r.whole && r.parts == 0 {
		if late := b.link.device.readOverhead(&r.Request); late != 0 {
			b.engine.At(now.Add(late), b.doneID, piece.request)
		} else {
			b.done(now, piece.request)
		}
	}
	b.pump(now)
}
