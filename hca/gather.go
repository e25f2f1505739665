package hca

import (
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

type wirePacket = wire.Packet

// A job is a packet that is being gathered, and its place in the order.
type job struct {
	q       *qp
	pkt     *wirePacket
	packet  uint32 // its handle
	next    uint32
	pending uint32 // accesses and DMA reads under way
	wr      uint32 // request packet: its request
	answer  uint32 // READ response packet: its answer; or none
	psn     ib.PSN // request packet
	round   uint32 // request packet: of another round than its queue: dropped
	refusal uint32 // failed: why a piece was refused
	failed  bool
	ended   bool // left its list while pieces were under way
}

// gather reads the bytes of packets: one access per piece, one DMA read per
// physical piece.
type gather struct {
	hca      *HCA
	unit     mtp.ClientID
	bus      pcie.ClientID
	granted  sim.HandlerID
	pieces   sim.Pool[piece]
	refusals sim.Pool[Refusal] // of failed jobs
}

// A piece is an access of a job, from asking to its bytes being there.
type piece struct {
	job    *job
	jobID  uint32
	access uint32
	offset uint32                // in the payload
	left   uint8                 // DMA reads under way
	denied bool                  // no page can be had
	start  [mtp.MaxPieces]uint32 // offsets of its parts in the payload
	addr   [mtp.MaxPieces]uint64
}

func (g *gather) init(h *HCA) {
	g.hca = h
	g.unit = h.Unit.Client("gather", g, h.Params.Turns.Gather)
	g.bus = h.Bus.Client(h.Name+".gather", g)
	g.granted = h.engine.Register(h.Name+".send-buffer", sendGrant{h})
}

// sendGrant wakes a send queue that was given a buffer.
type sendGrant struct{ hca *HCA }

// Fire hands the buffer to the queue, or back if the queue is gone.
func (s sendGrant) Fire(now sim.Time, qpn uint32) {
	q := s.hca.qp(ib.QPN(qpn))
	if q == nil || q.wait != waitBuffer {
		s.hca.buffers.Give(1)
		return
	}
	q.credit = true
	s.hca.kick(now, q, waitBuffer)
}

// refused notes why a piece of a job was refused. The first reason stands.
func (g *gather) refused(j *job, r Refusal) {
	j.failed = true
	j.refusal = g.refusals.Get()
	*g.refusals.At(j.refusal) = r
}

// reason returns why a failed job was refused.
func (g *gather) reason(j *job) Refusal { return *g.refusals.At(j.refusal) }

// newJob appends a job of a packet to a list.
func (h *HCA) newJob(q *qp, l *list, packet uint32, p *wirePacket) (id uint32, j *job) {
	id = h.jobs.Get()
	j = h.jobs.At(id)
	j.q, j.pkt, j.packet = q, p, packet
	j.next, j.pending, j.wr, j.answer = none, 0, none, none
	j.failed, j.ended = false, false
	if l.tail == none {
		l.head = id
	} else {
		h.jobs.At(l.tail).next = id
	}
	l.tail = id
	return id, j
}

// dropHead takes the oldest job out of a list and frees it as soon as nothing
// comes back to it.
func (h *HCA) dropHead(l *list) {
	id := l.head
	j := h.jobs.At(id)
	l.head = j.next
	if l.head == none {
		l.tail = none
	}
	j.ended = true
	if j.pending == 0 {
		h.freeJob(id)
	}
}

// freeJob ends a job to which nothing comes back any more.
func (h *HCA) freeJob(id uint32) {
	if j := h.jobs.At(id); j.failed {
		h.gatherer.refusals.Put(j.refusal)
	}
	h.jobs.Put(id)
}

// ask submits the access of one piece.
func (g *gather) ask(now sim.Time, stream mtp.StreamID, jobID uint32, j *job, offset uint32, a *tpt.Access) {
	id := g.pieces.Get()
	p := g.pieces.At(id)
	p.job, p.jobID, p.offset, p.denied = j, jobID, offset, false
	j.pending++
	g.hca.Unit.Submit(now, g.unit, stream, id, a)
}

// Resolved starts the DMA of a granted piece, or notes the refusal.
func (g *gather) Resolved(now sim.Time, handle uint32, a *mtp.Access) {
	h := g.hca
	p := g.pieces.At(handle)
	j := p.job
	class := pcie.Payload
	switch {
	case j.ended:
	case j.answer == none:
		h.reach(now, j.pkt.Op, StageCheck)
		h.reach(now, j.pkt.Op, StagePages)
		a.Account(now, &j.pkt.Trail, PartMPT, PartMTT, PartQueue)
	default:
		class = pcie.Answer
		a.Account(now, &j.pkt.Trail, PartRemoteMPT, PartRemoteMTT, PartRemote)
	}
	if a.Fault != tpt.OK || j.ended || a.N == 0 {
		g.without(now, handle, p, a)
		return
	}
	p.access, p.left = a.ID, a.N
	at := p.offset
	for i := range a.N {
		p.addr[i], p.start[i] = a.Pieces[i].Addr, at
		at += a.Pieces[i].Length
		h.Bus.Read(now, pcie.Request{
			Addr: a.Pieces[i].Addr, Len: a.Pieces[i].Length,
			Client: g.bus, Handle: handle*mtp.MaxPieces + uint32(i), Class: class,
		})
	}
}

// without ends a piece of which nothing is read: refused, of no bytes, or of a
// job that has ended. One that lacks a page waits for it.
func (g *gather) without(now sim.Time, handle uint32, p *piece, a *mtp.Access) {
	h := g.hca
	j := p.job
	if !j.ended && h.pager.faults(a) && !p.denied {
		stream := j.q.sendStream
		if j.answer != none {
			stream = j.q.recvStream
		}
		h.pager.park(now, parked{gather: true, piece: handle, stream: stream}, a)
		return
	}
	if a.Fault != tpt.OK && !j.failed {
		g.refused(j, Refusal{At: now, QPN: j.q.qpn, Fault: a.Fault, Rule: a.Fault.Rule(a.Entry, a.Access), Access: a.Access, Entry: a.Entry})
	}
	if a.Fault == tpt.OK {
		h.Unit.Release(now, a.ID)
	}
	g.ended(now, handle, p)
}

// Served takes the bytes at the instant at which host memory is read.
func (g *gather) Served(_ sim.Time, handle, offset, n uint32) {
	p := g.pieces.At(handle / mtp.MaxPieces)
	if p.job.ended {
		return
	}
	i := handle % mtp.MaxPieces
	to := p.start[i] + offset
	g.hca.Memory.Read(p.addr[i]+uint64(offset), p.job.pkt.Payload[to:to+n])
}

// Done ends one DMA read.
func (g *gather) Done(now sim.Time, handle uint32, ok bool) {
	id := handle / mtp.MaxPieces
	p := g.pieces.At(id)
	h := g.hca
	j := p.job
	if !ok && !j.failed {
		g.refused(j, Refusal{At: now, QPN: j.q.qpn, Fault: tpt.NoTranslation, Rule: "3.1-8"})
	}
	if p.left--; p.left > 0 {
		return
	}
	h.Unit.Release(now, p.access)
	if !j.ended {
		part := PartDMA
		if j.answer != none {
			part = PartRemoteDMA
		}
		j.pkt.Trail.Step(part, now)
		h.reach(now, j.pkt.Op, StageDMA)
	}
	g.ended(now, id, p)
}

// ended counts a piece out of its job; the last one lets the packet go.
func (g *gather) ended(now sim.Time, id uint32, p *piece) {
	h := g.hca
	j := p.job
	g.pieces.Put(id)
	j.pending--
	switch {
	case j.pending > 0:
	case j.ended:
		h.freeJob(p.jobID)
	case j.answer == none:
		h.flush(now, j.q)
	default:
		h.reply(now, j.q)
	}
}

// flush lets the request packets at the front go that are whole (H2).
func (h *HCA) flush(now sim.Time, q *qp) {
	for q.jobs.head != none {
		j := h.jobs.At(q.jobs.head)
		switch {
		case j.round == q.round && j.pending > 0:
			return
		case j.round != q.round,
			j.failed && q.reliable() && j.psn.Less(q.sender.Unacked): // sent again, and acknowledged meanwhile
			h.Packets.Put(j.packet)
			h.buffers.Give(1)
		case j.failed:
			h.failGather(now, q, j)
			continue
		case !q.reliable():
			if !h.sent(now, q, j) {
				return
			}
			continue
		case !h.tx[wire.Requests].send(now, q, j.packet):
			return
		default:
			h.startTimer(now, q)
		}
		h.dropHead(&q.jobs)
	}
}

// failGather fails the request whose local memory was refused: nothing of
// this packet or behind it is sent (LOC-1).
func (h *HCA) failGather(now sim.Time, q *qp, j *job) {
	w := h.wrs.At(j.wr)
	w.status = h.Variant.SendLKeyFailStatus
	r := h.gatherer.reason(j)
	if f := r.Fault; f == tpt.OutOfRange || f == tpt.NoTranslation { // the key was good
		w.status = ib.LocProtErr
	}
	w.trail = j.pkt.Trail
	q.stopped = true
	r.Op, r.Status = q.attr.SQ.WQEs[w.slot].Op, w.status
	h.Refused.Emit(r)
	q.round++
	q.cursor = none
	h.retire(now, q, nil)
}
