package hca

import (
	"encoding/binary"

	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// An atomicUnit executes CMP_SWAP and FETCH_ADD: a read, the change, a write
// over PCIe. Operations whose addresses share a bucket are done one after
// another: the next begins when the new value is on its way to memory, where a
// read cannot overtake it, or after a time that the adapter is known for. If that
// is shorter the next may read its word too early, and takes over the value from
// the one in front.
type atomicUnit struct {
	hca     *HCA
	unit    mtp.ClientID
	bus     pcie.ClientID
	work    sim.HandlerID
	next    sim.HandlerID // of a bucket
	granted sim.HandlerID // of response buffers
	ops     sim.Pool[atomicOp]
	buckets []bucket
	word    [8]byte
}

// A bucket is the operations on some addresses.
type bucket struct {
	waiting list
	busy    bool   // the next may not begin yet
	begun   uint32 // last of those begun whose value is not on its way yet; or none
}

// An atomicOp is one operation, from asking for its word to its write.
type atomicOp struct {
	arrival  uint32
	access   uint32
	answer   uint32 // its place in the order of answers
	next     uint32
	addr     uint64
	bucket   uint32
	original uint64
	value    uint64 // new
	older    uint32 // begun before it, its value not on its way yet; or none
	behind   uint32 // on the same word, begun before the value was on its way; or none
	follows  bool   // the one in front has not said yet what the word is
	taken    bool   // original is what the one in front left
	late     bool   // its turn came before that was known
	writing  bool
}

func (u *atomicUnit) init(h *HCA) {
	u.hca = h
	u.unit = h.Unit.Client("atomic", u, h.Params.Turns.Atomic)
	u.bus = h.Bus.Client(h.Name+".atomic", u)
	u.work = h.engine.Register(h.Name+".atomic", u)
	u.next = h.engine.Register(h.Name+".atomic-bucket", nextAtomic{u})
	u.granted = h.engine.Register(h.Name+".answer-buffer", responseGrant{h})
	u.buckets = make([]bucket, h.Params.AtomicBuckets)
	for i := range u.buckets {
		u.buckets[i] = bucket{waiting: list{none, none}, begun: none}
	}
}

// ask submits the access of an atomic to its word.
func (u *atomicUnit) ask(now sim.Time, q *qp, arrivalID uint32, a *tpt.Access) {
	id := u.ops.Get()
	*u.ops.At(id) = atomicOp{arrival: arrivalID, next: none, older: none, behind: none}
	u.hca.arrivals.At(arrivalID).asked++
	if a.Judge.VA%8 == 0 {
		a.Move = a.Judge
	}
	u.hca.Unit.Submit(now, u.unit, q.recvStream, id, a)
}

// Resolved queues a granted operation at its bucket.
func (u *atomicUnit) Resolved(now sim.Time, id uint32, a *mtp.Access) {
	h := u.hca
	op := u.ops.At(id)
	ar := h.arrivals.At(op.arrival)
	ar.asked--
	q := h.owner(ar)
	dead := q == nil
	// 3.2 step 7, as far as it is looked at behind the key: the address, or, of a
	// zero-based window that begins anywhere, the memory. A word is in one page.
	misaligned := a.Fault == tpt.OK && (a.N == 0 || a.Pieces[0].Addr%8 != 0)
	if !dead && h.pager.faults(a) && !q.denies(a) {
		ar.executed, ar.dropped = true, true
		h.sendAway(now, q, ar, a)
		h.free(now, op.arrival, ar)
		u.ops.Put(id)
		return
	}
	if a.Fault != tpt.OK || dead || misaligned {
		if a.Fault == tpt.OK {
			h.Unit.Release(now, a.ID)
		}
		ar.executed, ar.dropped = true, true
		switch {
		case dead:
		case misaligned:
			h.refuse(now, q, ar, Refusal{At: now, QPN: q.qpn, NAK: ib.NAKInvalidRequest, Rule: "3.2-7"})
		default:
			nak := ib.NAKRemoteAccess
			if a.Fault == tpt.NoTranslation { // 3.2 step 10
				nak = ib.NAKRemoteOperational
			}
			h.refuse(now, q, ar, Refusal{At: now, QPN: q.qpn, NAK: nak, Fault: a.Fault,
				Rule: a.Fault.Rule(a.Entry, a.Access), Access: a.Access, Entry: a.Entry})
		}
		h.free(now, op.arrival, ar)
		u.ops.Put(id)
		return
	}
	a.Account(now, &ar.pkt.Trail, PartRemoteMPT, PartRemoteMTT, PartRemote)
	if h.Executed.On() {
		h.Executed.Emit(Execution{At: now, QPN: q.qpn, Op: ar.pkt.Op, PSN: ar.pkt.BTH.PSN})
	}
	op.access, op.addr = a.ID, a.Pieces[0].Addr
	ans := atomicAnswer(ar.pkt, ar.msn)
	ans.waits, ans.work = true, id
	op.answer = h.push(now, q, ans)
	h.answeredOne(now, q)
	op.bucket = uint32(op.addr>>3) % uint32(len(u.buckets))
	b := &u.buckets[op.bucket]
	if b.waiting.tail == none {
		b.waiting.head = id
	} else {
		u.ops.At(b.waiting.tail).next = id
	}
	b.waiting.tail = id
	if b.busy {
		h.stall(now, StallAtomics, false)
	}
	u.begin(now, op.bucket)
}

// begin starts the next operation of a bucket, if it may.
func (u *atomicUnit) begin(now sim.Time, n uint32) {
	b := &u.buckets[n]
	if b.busy || b.waiting.head == none {
		return
	}
	id := b.waiting.head
	op := u.ops.At(id)
	if b.waiting.head = op.next; op.next == none {
		b.waiting.tail = none
	}
	b.busy = true
	if front := u.front(b.begun, op.addr); front != none {
		u.ops.At(front).behind, op.follows = id, true
	}
	op.older, b.begun = b.begun, id
	if hold := u.hca.Params.AtomicHold; hold > 0 {
		u.hca.engine.At(u.hca.clock.After(now, hold), u.next, n)
	}
	u.hca.Bus.Read(now, pcie.Request{Addr: op.addr, Len: 8, Client: u.bus, Handle: id, Class: pcie.Answer})
}

// front returns the last operation begun on a word, id or an older one, whose
// value is not on its way yet; or none. Some on other words may lie between.
func (u *atomicUnit) front(id uint32, addr uint64) uint32 {
	for id != none && u.ops.At(id).addr != addr {
		id = u.ops.At(id).older
	}
	return id
}

// free lets the next operation of a bucket begin.
func (u *atomicUnit) free(now sim.Time, n uint32) {
	b := &u.buckets[n]
	if b.busy = false; b.waiting.head != none {
		u.hca.stall(now, StallAtomics, true)
	}
	u.begin(now, n)
}

// nextAtomic lets the next operation of a bucket begin.
type nextAtomic struct{ *atomicUnit }

// Fire lets the next operation of bucket n begin.
func (u nextAtomic) Fire(now sim.Time, n uint32) {
	u.free(now, n)
}

// known tells the operation behind op what it left of the word, and the bucket
// that a read sees it from now on.
func (u *atomicUnit) known(now sim.Time, id uint32, refused bool) {
	op := u.ops.At(id)
	b := &u.buckets[op.bucket]
	at := &b.begun
	for *at != id {
		at = &u.ops.At(*at).older
	}
	*at = op.older
	switch {
	case !refused:
		u.tell(now, op.behind, op.value, true)
	case op.follows: // whoever is behind it is now behind the one in front
		u.ops.At(u.front(op.older, op.addr)).behind = op.behind
	default:
		u.tell(now, op.behind, op.original, op.taken)
	}
	if u.hca.Params.AtomicHold == 0 {
		u.free(now, op.bucket)
	}
}

// tell lets an operation go on with what the one in front left of its word, or,
// where that was refused with nothing in front of it, with what it reads itself.
func (u *atomicUnit) tell(now sim.Time, id uint32, value uint64, left bool) {
	if id == none {
		return
	}
	op := u.ops.At(id)
	op.follows = false
	if left {
		op.original, op.taken = value, true
	}
	if op.late {
		u.hca.engine.At(now, u.work, id)
	}
}

// Served reads the word, or commits the new one.
func (u *atomicUnit) Served(_ sim.Time, id, _, _ uint32) {
	op := u.ops.At(id)
	word := u.word[:]
	switch {
	case op.writing:
		binary.LittleEndian.PutUint64(word, op.value)
		u.hca.Memory.Write(op.addr, word)
	case !op.taken:
		u.hca.Memory.Read(op.addr, word)
		op.original = binary.LittleEndian.Uint64(word)
	}
}

// result returns what a word becomes.
func result(p *wirePacket, word uint64) uint64 {
	switch {
	case p.BTH.Opcode != ib.RCCompareSwap:
		return word + p.Atomic.Swap
	case word == p.Atomic.Compare:
		return p.Atomic.Swap
	default:
		return word
	}
}

// Done goes on with an operation: after the read to its work; the write is its
// end.
func (u *atomicUnit) Done(now sim.Time, id uint32, ok bool) {
	op := u.ops.At(id)
	h := u.hca
	switch {
	case ok:
	case op.writing:
		ar := h.arrivals.At(op.arrival)
		ar.executed = true // and answered
		h.iommuFault(now, ar)
	default:
		u.refused(now, id)
		u.known(now, id, true)
	}
	if ok && !op.writing {
		h.engine.At(h.clock.After(now, h.Params.AtomicCycles), u.work, id)
		return
	}
	h.Unit.Release(now, op.access)
	ar := h.arrivals.At(op.arrival)
	ar.executed = true
	h.free(now, op.arrival, ar)
	u.ops.Put(id)
}

// refused lets a NAK take the place of the answer of an operation whose word
// the host's IOMMU does not let the adapter read; what was to be answered behind
// it is not.
func (u *atomicUnit) refused(now sim.Time, id uint32) {
	h := u.hca
	op := u.ops.At(id)
	ar := h.arrivals.At(op.arrival)
	q := h.owner(ar)
	a := h.answers.At(op.answer)
	if q == nil || !a.waits || a.work != id {
		return
	}
	for q.replies.tail != op.answer {
		h.dropBehind(q, op.answer)
	}
	p := ar.pkt
	a.kind, a.waits, a.syndrome, a.msn, a.trail = answerACK, false, ib.NAKRemoteOperational, ar.completed(), p.Trail
	a.trail.Step(PartRemoteDMA, now)
	h.Refused.Emit(Refusal{At: now, QPN: q.qpn, Op: p.Op, Remote: true, NAK: ib.NAKRemoteOperational, Fault: tpt.NoTranslation, Rule: "3.2-10"})
	q.faulted = true
	h.raise(now, q, ib.EventQPAccessErr)
	h.toError(now, q)
	h.reply(now, q)
}

// dropBehind forgets the answer that stands behind another.
func (h *HCA) dropBehind(q *qp, id uint32) {
	a := h.answers.At(id)
	behind := h.answers.At(a.next)
	if q.replies.tail == a.next {
		q.replies.tail = id
	}
	drop := a.next
	a.next, behind.waits = behind.next, false
	h.answers.Put(drop)
}

// Fire writes the new value back and answers with the original.
func (u *atomicUnit) Fire(now sim.Time, id uint32) {
	h := u.hca
	op := u.ops.At(id)
	if op.follows {
		op.late = true
		return
	}
	op.writing = true
	op.value = result(h.arrivals.At(op.arrival).pkt, op.original)
	h.Bus.Write(now, pcie.Request{Addr: op.addr, Len: 8, Client: u.bus, Handle: id})
	u.known(now, id, false) // whoever reads behind the write sees it
	ar := h.arrivals.At(op.arrival)
	q := ar.q
	if q.life != ar.life {
		return
	} // one that has refused a later request still answers this (REM-20)
	p := ar.pkt
	if n := len(q.saved); n > 0 {
		q.saved[q.savedNext%n] = savedAtomic{p.BTH.PSN, op.original, true}
		q.savedNext++
	}
	if a := h.answers.At(op.answer); a.waits && a.work == id {
		a.waits, a.value, a.trail = false, op.original, p.Trail
		a.trail.Step(PartRemoteDMA, now)
		h.reply(now, q)
	}
	q.atomics--
	h.respond(now, q)
}
