package host

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// A SendWR is a work request as software hands it to ibv_post_send.
type SendWR struct {
	ib.WQE          // Slots, Length and Stamp are filled in
	SGE    []ib.SGE // inline: addresses of Process
	Pages  []uint64 // REG_MR: page addresses
	Memory *Process // inline: where the data are
	MW     *MW      // BIND_MW: the window
	MR     *MR      // BIND_MW: the region, nil for none
	AH     *AH      // UD: where it goes
}

// PostSend is ibv_post_send of a list. It returns when the call returns, the
// first error, and the number of requests that were posted: the one behind
// them is bad_wr (POST-2).
func (h *Host) PostSend(now sim.Time, q *QP, wrs []SendWR) (done sim.Time, errno ib.Errno, posted int) {
	cpu := &h.Params.CPU
	at, inline := now, uint64(0)
	for i := range wrs {
		w := &wrs[i]
		if errno, _ = h.CheckPost(q, w); errno != ib.OK {
			break
		}
		w.address()
		if i == 0 {
			at = at.Add(cpu.Post)
		} else {
			at = at.Add(cpu.PostNext)
		}
		if n := len(w.SGE); n > 1 {
			at = at.Add(sim.Duration(n-1) * cpu.PostSGE)
		}
		h.write(q, w)
		if w.Flags&ib.Inline != 0 {
			inline += w.Length
		}
		posted++
	}
	if posted > 0 {
		at = h.ringSend(at, q, posted, inline)
		at = at.Add(cpu.Doorbell)
	}
	return at, errno, posted
}

// Room returns how many requests the send queue can take: those that a
// completion has spoken of are known to be over.
func (q *QP) Room() int { return len(q.Attr.SQ.WQEs) - int(q.sent-q.freed) }

// ringSend rings the doorbell for the requests just written, and returns when
// the CPU has done so. A single small one, or a short list, may go along with it:
// its inline data is copied once more, past the cache.
func (h *Host) ringSend(at sim.Time, q *QP, posted int, inline uint64) sim.Time {
	cpu, n := &h.Params.CPU, q.lately(posted)
	most := cpu.BlueFlameAt
	if posted > 1 {
		most = cpu.BlueFlameList
	}
	along := cpu.BlueFlame == On && n <= most
	if along {
		at = at.Add(sim.Duration(inline) * sim.Duration(cpu.InlineCopy))
	}
	q.stamp(at, posted)
	q.rang = max(at, q.rang) // calls that overlap ring in the order of their requests
	l := bell{ib.Doorbell(q.N, ib.DoorbellSend), q.sent, 8}
	if along {
		l = bell{ib.Doorbell(q.N, ib.BlueFlame), q.sent, n}
	}
	h.bells.ring(q.rang, l)
	return at
}

// lately returns the bytes of the last n requests written.
func (q *QP) lately(n int) (bytes sim.Bytes) {
	for i := range n {
		bytes += sim.Bytes(q.last(n, i).Slots) * 64
	}
	return bytes
}

// stamp says of the last n requests when they were posted.
func (q *QP) stamp(at sim.Time, n int) {
	for i := range n {
		q.last(n, i).Stamp = uint64(at)
	}
}

// last returns the i-th of the last n requests written.
func (q *QP) last(n, i int) *ib.WQE {
	ring := q.Attr.SQ
	return &ring.WQEs[ring.Slot(q.sent-uint32(n)+uint32(i))]
}

// write puts a request into the ring. Inline bytes are copied now.
func (h *Host) write(q *QP, w *SendWR) {
	ring := q.Attr.SQ
	slot := ring.Slot(q.sent)
	q.sent++
	e := &ring.WQEs[slot]
	*e = w.WQE
	e.NumSGE = uint8(len(w.SGE))
	e.Length = total(w.SGE)
	copy(ring.SGEs[slot*ring.MaxSGE:], w.SGE)
	if e.Flags&ib.Inline != 0 {
		to := ring.Inline[slot*ring.MaxInline:]
		for _, s := range w.SGE {
			w.Memory.Load(s.Addr, to[:s.Length])
			to = to[s.Length:]
		}
	}
	if e.Opcode == ib.WRRegMR {
		h.list(&ring.PageLists[slot], w.Pages)
	}
	e.Slots = slots(e, q.Attr.Type)
	w.Slots, w.Length = e.Slots, e.Length
}

// list writes the page list of a REG_MR where the adapter can read it.
func (h *Host) list(to *ib.PageList, pages []uint64) {
	if len(pages) > to.Room {
		to.Room = int(roundUp(uint64(len(pages)), frameBytes/tpt.MTTBytes))
		to.Addr = h.Allocate(uint64(to.Room) * tpt.MTTBytes)
	}
	to.Pages = append(to.Pages[:0], pages...)
}

func total(list []ib.SGE) (n uint64) {
	for _, s := range list {
		n += uint64(s.Length)
	}
	return n
}

// slots returns the basic blocks of 64 bytes that a request takes: 16 bytes
// of control, 16 of remote address or 48 of a datagram's address, 16 per SGE.
// Inline data has 4 bytes of header in every block that holds some, as the
// mlx4 driver lays it out: a WRITE takes 1 + ceil((n - 28) / 60) blocks, a
// datagram 1 + ceil(n / 60) (HERD SIGCOMM'14 Fig 4b).
func slots(e *ib.WQE, t ib.QPType) uint8 {
	n := 16
	if t == ib.UD {
		n += 48
	}
	switch e.Opcode {
	case ib.WRBindMW, ib.WRRegMR:
		return 3 // control, UMR control and key context
	case ib.WRLocalInv:
		return 3
	case ib.WRRDMAWrite, ib.WRRDMAWriteWithImm, ib.WRRDMARead:
		n += 16
	case ib.WRAtomicCmpAndSwp, ib.WRAtomicFetchAndAdd:
		n += 32
	case ib.WRSend, ib.WRSendWithImm, ib.WRSendWithInv:
	}
	if e.Flags&ib.Inline == 0 {
		n += ib.SGEBytes * int(e.NumSGE)
		return uint8((n + 63) / 64)
	}
	const block, header = 64, 4
	first := 0 // bytes of data in the block that the segments end in
	if n%block != 0 {
		first = block - n%block - header
	}
	blocks, left := (n+block-1)/block, max(0, int(e.Length)-first)
	return uint8(blocks + (left+block-header-1)/(block-header))
}

// CheckPost makes the checks of the moment of posting, in the order of 3.0, and
// names the rule that refuses. Keys and ranges are not looked at (POST-1). It
// changes nothing: who was refused may ask again, for the rule.
func (h *Host) CheckPost(q *QP, w *SendWR) (ib.Errno, string) {
	v := h.variant
	if q.gone {
		return ib.EINVAL, "DER-5"
	}
	switch q.State {
	case ib.Reset, ib.Init, ib.RTR:
		if !v.PostSendNotRTS {
			return ib.EINVAL, "1.5"
		}
	case ib.RTS, ib.SQD, ib.SQE, ib.Err:
	}
	ring := q.Attr.SQ
	atomic := w.Opcode == ib.WRAtomicCmpAndSwp || w.Opcode == ib.WRAtomicFetchAndAdd
	switch {
	case q.sent-q.freed >= uint32(len(ring.WQEs)):
		return ib.ENOMEM, "QP-9"
	case !posts(q.Attr.Type, w.Opcode), w.Opcode == ib.WRSendWithInv && !v.SendWithInv:
		return ib.EINVAL, "QP-8"
	case q.Attr.Type == ib.UD && (w.AH == nil || w.AH.gone):
		return ib.EINVAL, "QP-8"
	case len(w.SGE) > ring.MaxSGE:
		return ib.EINVAL, "QP-9"
	case w.Flags&ib.Inline != 0 && !inlines(w.Opcode):
		return ib.EINVAL, "LOC-9"
	case w.Flags&ib.Inline != 0 && total(w.SGE) > uint64(q.MaxInline):
		return ib.EINVAL, "LOC-9"
	case atomic && total(w.SGE) < 8 && v.AtomicBadSGEImmediate:
		return ib.EINVAL, "LOC-6"
	case atomic && w.RemoteAddr%8 != 0 && v.AtomicMisalignedPost:
		return ib.EINVAL, "3.2-7"
	case w.Opcode == ib.WRBindMW && len(w.SGE) > 0:
		return ib.EINVAL, "BIN-10"
	case w.Opcode == ib.WRBindMW:
		return v.CheckBind(&w.Bind, bindObjects(w.MW, w.MR))
	}
	return ib.OK, ""
}

// posts reports whether a transport service takes an opcode (QP-8).
func posts(t ib.QPType, o ib.WROpcode) bool {
	switch o {
	case ib.WRSend, ib.WRSendWithImm:
		return true
	case ib.WRRDMAWrite, ib.WRRDMAWriteWithImm, ib.WRBindMW, ib.WRLocalInv, ib.WRRegMR, ib.WRSendWithInv:
		return t == ib.RC || t == ib.UC
	case ib.WRRDMARead, ib.WRAtomicCmpAndSwp, ib.WRAtomicFetchAndAdd:
		return t == ib.RC
	default:
		return false
	}
}

// inlines reports whether an opcode may carry inline data.
func inlines(o ib.WROpcode) bool {
	switch o {
	case ib.WRSend, ib.WRSendWithImm, ib.WRSendWithInv, ib.WRRDMAWrite, ib.WRRDMAWriteWithImm:
		return true
	default:
		return false
	}
}
