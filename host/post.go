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
	at, build, first := now, cpu.Post, q.sent
	for i := range wrs {
		if errno = h.write(q, &wrs[i]); errno != ib.OK {
			break
		}
		at, build = at.Add(build), cpu.PostNext
		if n := len(wrs[i].SGE); n > 1 {
			at = at.Add(sim.Duration(n-1) * cpu.PostSGE)
		}
	}
	if q.sent != first {
		at = h.ringSend(at, q, first).Add(cpu.Doorbell)
	}
	return at, errno, int(q.sent - first)
}

// Room returns how many requests the send queue can take: those that a
// completion has spoken of are known to be over.
func (q *QP) Room() int { return len(q.Attr.SQ.WQEs) - int(q.sent-q.freed) }

// ringSend rings the doorbell for the requests from counter first on, and
// returns when the CPU has done so. A single small one, or a short list, may go
// along with it: its inline data is copied once more, past the cache.
func (h *Host) ringSend(at sim.Time, q *QP, first uint32) sim.Time {
	cpu, ring := &h.Params.CPU, q.Attr.SQ
	l := bell{ib.Doorbell(q.N, ib.DoorbellSend), q.sent, 8}
	if cpu.BlueFlame == On {
		most := cpu.BlueFlameAt
		if q.sent-first > 1 {
			most = cpu.BlueFlameList
		}
		if q.size <= most {
			at = at.Add(sim.Duration(q.inline) * sim.Duration(cpu.InlineCopy))
			l.addr, l.bytes = ib.Doorbell(q.N, ib.BlueFlame), q.size
		}
	}
	q.size, q.inline = 0, 0
	for i := first; i != q.sent; i++ {
		ring.WQEs[ring.Slot(i)].Stamp = uint64(at)
	}
	q.rang = max(at, q.rang) // calls that overlap ring in the order of their requests
	h.bells.ring(q.rang, l)
	return at
}

// write puts a request into the ring, unless it is refused.
func (h *Host) write(q *QP, w *SendWR) ib.Errno {
	if !q.plain(w) {
		if errno, _ := h.CheckPost(q, w); errno != ib.OK {
			return errno
		}
		w.address()
	}
	ring := q.Attr.SQ
	slot := ring.Slot(q.sent)
	if w.Opcode == ib.WRRegMR && !h.list(&ring.PageLists[slot], w.Pages) {
		return ib.ENOMEM
	}
	q.sent++
	w.NumSGE = uint8(len(w.SGE))
	if len(w.SGE) == 1 {
		w.Length = uint64(w.SGE[0].Length)
		ring.SGEs[slot*ring.MaxSGE] = w.SGE[0]
	} else {
		w.Length = total(w.SGE)
		copy(ring.SGEs[slot*ring.MaxSGE:], w.SGE)
	}
	w.Slots = slots(&w.WQE, q.Attr.Type)
	q.size += sim.Bytes(w.Slots) * 64
	ring.WQEs[slot] = w.WQE
	if w.Flags&ib.Inline != 0 {
		h.writeInline(q, slot, w)
	}
	return ib.OK
}

// writeInline copies inline bytes, as they are now, to beside their slot.
func (h *Host) writeInline(q *QP, slot int, w *SendWR) {
	ring := q.Attr.SQ
	q.inline += sim.Bytes(w.Length)
	to := ring.Inline[slot*ring.MaxInline:]
	for _, s := range w.SGE {
		w.Memory.Load(s.Addr, to[:s.Length])
		to = to[s.Length:]
	}
}

// list writes the page list of a REG_MR where the adapter can read it; ok is
// false where there is no memory for that.
func (h *Host) list(to *ib.PageList, pages []uint64) (ok bool) {
	if len(pages) > to.Room {
		room := int(roundUp(uint64(len(pages)), frameBytes/tpt.MTTBytes))
		addr, ok := h.Allocate(uint64(room) * tpt.MTTBytes)
		if !ok {
			return false
		}
		to.Room, to.Addr = room, addr
	}
	to.Pages = append(to.Pages[:0], pages...)
	return true
}

func total(list []ib.SGE) (n uint64) {
	for _, s := range list {
		n += uint64(s.Length)
	}
	return n
}

// segments are the bytes of a request beside its pieces: 16 of control, 16 of
// remote address, 16 of an atomic. A request that changes keys has none: it
// takes three blocks, control, UMR control and key context.
var segments = [...]uint8{
	ib.WRSend: 16, ib.WRSendWithImm: 16, ib.WRSendWithInv: 16,
	ib.WRRDMAWrite: 32, ib.WRRDMAWriteWithImm: 32, ib.WRRDMARead: 32,
	ib.WRAtomicCmpAndSwp: 48, ib.WRAtomicFetchAndAdd: 48,
	ib.WRBindMW: 0, ib.WRRegMR: 0, ib.WRLocalInv: 0,
}

// slots returns the basic blocks of 64 bytes that a request takes: those of
// its segments, 48 bytes of a datagram's address, 16 per SGE.
func slots(e *ib.WQE, t ib.QPType) uint8 {
	n := uint64(segments[e.Opcode])
	if n == 0 {
		return 3
	}
	if t == ib.UD {
		n += 48
	}
	if e.Flags&ib.Inline != 0 {
		return inlineSlots(n, e.Length)
	}
	return uint8((n + ib.SGEBytes*uint64(e.NumSGE) + 63) / 64)
}

// inlineSlots is slots of a request with n bytes of segments and so many of
// data. These have 4 bytes of header in every block that holds some, as the
// mlx4 driver lays it out: a WRITE takes 1 + ceil((data - 28) / 60) blocks, a
// datagram 1 + ceil(data / 60) (HERD SIGCOMM'14 Fig 4b).
func inlineSlots(n, data uint64) uint8 {
	const block, header = 64, 4
	first := uint64(0) // bytes of data in the block that the segments end in
	if n%block != 0 {
		first = block - n%block - header
	}
	blocks, left := (n+block-1)/block, data-min(data, first)
	return uint8(blocks + (left+block-header-1)/(block-header))
}
