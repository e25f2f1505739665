package pcie

import "hcasim/sim"

// A pace is what the endpoint's DMA engines add to the link: none of it may be
// there.
type pace struct {
	on        bool     // any of it is
	nextRead  sim.Time // no read TLP goes before: the engine's gap
	nextWrite sim.Time
	// No first TLP of a request goes before: the engine is at the last one.
	nextReadOp, nextWriteOp sim.Time

	readGap, writeGap sim.Duration
	ops               uint32 // most reads at work; 0: no limit
	reading           uint32 // reads that the engine works on
}

func (p *pace) init(d *DeviceParams) {
	p.readGap, p.writeGap, p.ops = d.Gap, max(d.Gap, d.WriteGap), d.ReadOps
	p.on = p.writeGap != 0 || p.ops != 0 || d.WriteOp != 0 || d.WriteBlock != 0 || d.WriteBeat != 0 || d.ReadBeat != 0
}

// next is the instant before which the DMA engines have no TLP of r.
func (p *pace) next(r *request) sim.Time {
	at, op := p.nextRead, p.nextReadOp
	if r.write() {
		at, op = p.nextWrite, p.nextWriteOp
	}
	switch {
	case r.asked.Direct:
		return 0
	case r.cut == 0:
		return max(at, op)
	}
	return at
}

// full reports whether the read r waits for one that the engine works on.
func (p *pace) full(r *request) bool {
	return p.ops > 0 && p.reading >= p.ops && r.cut == 0 && !r.asked.Direct
}

// keep has the DMA engines work on a TLP of r, which is about to go.
func (b *Bus) keep(now sim.Time, r *request) {
	p, at := &b.tx.pace, max(now, b.up.Free())
	if r.cut == 0 {
		b.turn(at, r)
	}
	if r.write() {
		p.nextWrite = after(at, p.writeGap)
	} else {
		p.nextRead = after(at, p.readGap)
	}
}

// turn has them begin with r, of which a TLP has the link at at.
func (b *Bus) turn(at sim.Time, r *request) {
	p, d, bytes := &b.tx.pace, &b.link.device, sim.Bytes(0)
	if r.write() {
		if d.WriteBeat > 0 {
			bytes = b.link.postedBytes(r)
		}
		p.nextWriteOp = after(at, d.writeTurn(sim.Bytes(r.asked.Len), bytes))
		return
	}
	if d.ReadBeat > 0 {
		bytes = b.link.answerBytes(r)
	}
	p.nextReadOp = after(at, d.readTurn(bytes))
	p.reading++
}

// after is the instant at which the next TLP of a kind may go, when one has the
// link at entered.
func after(entered sim.Time, gap sim.Duration) sim.Time {
	if gap == 0 {
		return 0
	}
	return entered.Add(gap)
}

// postedBytes are the link bytes of a write.
func (l *Link) postedBytes(r *request) sim.Bytes {
	bytes, head := r.asked.Len, l.head(r.Addr)
	for left := r.asked.Len; ; {
		left -= cutEnd(r.Addr+uint64(r.asked.Len-left), left, l.MPS, l.packed)
		if bytes += head; left == 0 {
			return sim.Bytes(bytes)
		}
	}
}

// answerBytes are the link bytes of the completions of a read.
func (l *Link) answerBytes(r *request) sim.Bytes {
	bytes := r.asked.Len
	for left := r.asked.Len; ; {
		addr := r.Addr + uint64(r.asked.Len-left)
		n := cutEnd(addr, left, l.MRRS, l.packed)
		bytes += l.completion * completions(addr, n, l.cut, uint32(l.host.RCB))
		if left -= n; left == 0 {
			return sim.Bytes(bytes)
		}
	}
}
