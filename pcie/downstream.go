package pcie

import "hcasim/sim"

// stores is the way of the CPU's posted writes to the endpoint, and the queue of
// the root complex's transmitter. A completion may not pass a posted write, so
// one queue holds both; only stores need credits, and the endpoint takes a store
// as it arrives, so the queue always moves.
type stores struct {
	leaving sim.Ring[uint32] // left the CPU, not yet at the root port
	free    sim.Time         // when the CPU's store path takes the next
	queue   sim.Ring[uint32] // stores and completions
	credits flow             // posted, of the endpoint
	wakeAt  sim.Time         // when the queue is looked at again by itself
}

const line = 64 // bytes of a write-combining buffer

// MMIO is a posted store of the CPU to the device: of up to 8 bytes uncached, of
// more through write-combining lines of 64, each a TLP; the device sees value
// once, when the last of them is there.
func (b *Bus) MMIO(now sim.Time, addr uint64, value uint32, n sim.Bytes) {
	if n <= 8 {
		b.storeLine(now, addr, value, 0, uint32(n), true)
		b.stores.free = b.stores.free.Add(b.link.host.MMIO.UCStoreGap)
		return
	}
	for i := sim.Bytes(0); i < n; i += line {
		b.storeLine(now, addr+uint64(i), value, uint16(i/line), line, n-i <= line)
		b.stores.free = b.stores.free.Add(b.link.host.MMIO.WCLineGap)
	}
}

// storeLine has a store of n bytes leave the CPU when its path takes it.
func (b *Bus) storeLine(now sim.Time, addr uint64, value uint32, number uint16, n uint32, last bool) {
	s, h := &b.stores, b.records.Get()
	tlp := &b.records.At(h).TLP
	tlp.Kind, tlp.Addr, tlp.Len, tlp.Client, tlp.Tag = MMIO, addr, n, 0, number
	tlp.Bytes, tlp.Count, tlp.Refused, tlp.Relaxed = b.link.head(addr)+n, 1, false, false
	tlp.of, tlp.last = value, last
	s.free = max(now, s.free)
	at := s.free.Add(b.link.host.MMIO.Latency)
	if at == now && s.leaving.Len() == 0 {
		b.sendStore(now, h, tlp)
		return
	}
	s.leaving.Push(h)
	b.engine.At(at, b.storeID, 0)
}

// store takes the oldest store at the root port.
func (b *Bus) store(now sim.Time) {
	h := b.stores.leaving.Pop()
	b.sendStore(now, h, &b.records.At(h).TLP)
}

// sendStore gives a store to the link, behind those that wait.
func (b *Bus) sendStore(now sim.Time, h uint32, tlp *TLP) {
	if b.stores.queue.Len() == 0 && b.takeStore(now, tlp.Len) {
		tlp.leave(now, b.down.Free())
		b.down.Send(now, h, sim.Bytes(tlp.Bytes))
		return
	}
	b.stores.queue.Push(h)
}

// sendBack gives completions to the link, behind the stores that wait.
func (b *Bus) sendBack(now sim.Time, h uint32, tlp *TLP) {
	if b.stores.queue.Len() == 0 {
		tlp.leave(now, b.down.Free())
		b.down.Send(now, h, sim.Bytes(tlp.Bytes))
		return
	}
	b.stores.queue.Push(h)
}

// drain sends what waited for the endpoint's credits.
func (b *Bus) drain(now sim.Time) {
	s := &b.stores
	if now == s.wakeAt {
		s.wakeAt = never
	}
	for s.queue.Len() > 0 {
		h := *s.queue.Peek()
		tlp := &b.records.At(h).TLP
		if tlp.Kind == MMIO && !b.takeStore(now, tlp.Len) {
			return
		}
		s.queue.Pop()
		tlp.leave(now, b.down.Free())
		b.down.Send(now, h, sim.Bytes(tlp.Bytes))
	}
}

// takeStore takes the credits of a store of n bytes, or sees to it that they are
// awaited.
func (b *Bus) takeStore(now sim.Time, n uint32) bool {
	f, need := &b.stores.credits, creditsFor(n)
	if f.has(now, need) {
		f.take(need)
		if b.waits[ofStores] != nothing {
			b.stalls(now, ofStores, nothing)
		}
		return true
	}
	if b.waits[ofStores] == nothing {
		b.stalls(now, ofStores, credit)
	}
	if at, ok := f.due(); ok && at < b.stores.wakeAt {
		b.stores.wakeAt = at
		b.engine.At(at, b.downID, 0)
	}
	return false
}

// arriveDown takes a TLP at the endpoint, where its way ends.
func (b *Bus) arriveDown(now sim.Time, h uint32) bool {
	r := b.records.At(h)
	r.At = now
	if b.Taps.TLPs.On() {
		b.show(&r.TLP)
	}
	if r.Kind == MMIO {
		b.stored(now, &r.TLP)
		b.Taps.Down.Emit(&r.TLP)
		b.records.Put(h)
		return true
	}
	b.complete(now, h, r)
	return true
}

// stored takes a store at the endpoint.
func (b *Bus) stored(now sim.Time, tlp *TLP) {
	s := &b.stores
	s.credits.giveAt(now, now.Add(b.link.device.CreditReturn), creditsFor(tlp.Len))
	if s.queue.Len() > 0 {
		b.drain(now)
	}
	if tlp.last {
		b.device.MMIO(now, tlp.Addr-uint64(tlp.Tag)*line, tlp.of)
	}
}

// complete takes the last completion of a part: tag and room are free again.
func (b *Bus) complete(now sim.Time, h uint32, r *request) {
	t, tlp, id := &b.tx, &r.TLP, r.of
	if id != h {
		r = b.records.At(id)
	}
	r.failed = r.failed || tlp.Refused
	r.parts--
	b.parts--
	t.tags.give(tlp.Tag)
	if t.completions.limited {
		t.completions.give(b.link.completionCredits(tlp.Addr, tlp.Len))
	}
	if r.ended() {
		if late := b.link.device.readOverhead(r); late != 0 {
			b.engine.At(now.Add(late), b.doneID, id)
		} else {
			b.shown = *tlp // its record may be another's when done is back
			tlp = &b.shown
			b.done(now, id, r)
		}
	}
	if !t.idle() {
		b.pump(now)
	}
	b.Taps.Down.Emit(tlp)
	if h != id {
		b.records.Put(h)
	}
}
