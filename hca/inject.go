package hca

import (
	"hcasim/hca/rc"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// A Crafted is a packet made by hand, to see what its receiver makes of it.
type Crafted struct {
	ib.Headers
	Payload []byte
	BadICRC bool
	Op      uint32 // the maker's number of it
	// Spends: the packet number is the queue pair's next, and is used up.
	Spends bool
}

// Inject sends a packet past the requester of queue pair n: no request stands
// behind it, nothing is sent again, and an answer to it is nobody's.
func (h *HCA) Inject(now sim.Time, n ib.QPN, c *Crafted) {
	id := h.Packets.Get()
	p := h.Packets.At(id)
	p.Headers, p.Op, p.BadICRC = c.Headers, c.Op, c.BadICRC
	p.BTH.Pad = ib.PadFor(len(c.Payload))
	copy(h.Packets.Payload(id, uint32(len(c.Payload))), c.Payload)
	p.Trail.Begin(now)
	if q := h.qp(n); q != nil && c.Spends {
		h.spend(q, rc.Packets(p.BTH.Opcode, p.RETH.Length, q.mtu))
	}
	h.crafted.Push(id)
	h.sendCrafted(now)
}

// spend uses packet numbers up that no request has. If nothing is outstanding
// they count as answered.
func (h *HCA) spend(q *qp, packets uint32) {
	idle := !q.sender.Outstanding()
	q.sender.Next = q.sender.Next.Add(packets)
	if idle {
		q.sender.Unacked = q.sender.Next
	}
}

// sendCrafted hands packets made by hand to the pipelines, in their order,
// while those have room.
func (h *HCA) sendCrafted(now sim.Time) {
	for h.crafted.Len() > 0 && !h.crafting {
		id := *h.crafted.Peek()
		p := h.Packets.At(id)
		credits := h.creditsOf(p.BTH.Opcode)
		if credits != nil && !credits.TakeOrWait(1, h.craft, 0) {
			h.crafting = true
			return
		}
		if !h.handOver(now, id, credits) {
			return
		}
	}
}

// handOver sends the oldest packet made by hand; credits is what its buffer
// was taken from. If there is no room yet, room comes back to it.
func (h *HCA) handOver(now sim.Time, id uint32, credits *sim.Credits) bool {
	if !h.tx[wire.ClassOf(h.Packets.At(id).BTH.Opcode)].pipe.SendFor(now, id, h.Params.PacketGap) {
		if credits != nil {
			credits.Give(1)
		}
		return false
	}
	h.crafted.Pop()
	return true
}

// creditsOf returns the buffers that packets of an opcode take, nil for none.
func (h *HCA) creditsOf(o ib.Opcode) *sim.Credits {
	switch {
	case wire.ClassOf(o) == wire.Requests:
		return h.buffers
	case o.IsReadResponse():
		return h.responses
	default:
		return nil
	}
}

// craftGrant takes the buffer that the oldest packet made by hand waits for.
type craftGrant struct{ hca *HCA }

// Fire sends it.
func (g craftGrant) Fire(now sim.Time, _ uint32) {
	h := g.hca
	h.crafting = false
	id := *h.crafted.Peek()
	if h.handOver(now, id, h.creditsOf(h.Packets.At(id).BTH.Opcode)) {
		h.sendCrafted(now)
	}
}
