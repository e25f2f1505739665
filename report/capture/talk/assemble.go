package talk

import (
	"bytes"
	"cmp"
	"slices"

	"hcasim/ib"
)

// assemble puts the requests of a side together.
func (c *Conn) assemble(side int, n *Notes) {
	d := &c.Asks[side]
	var cur *Op
	var covered int64 // last packet number of the READ before
	for _, k := range c.once(side, n) {
		o := k.Headers.BTH.Opcode
		if k.u <= covered { // a READ that goes on where its answer broke off
			continue
		}
		if cur != nil && (k.u != cur.ended+1 || o.Starts()) {
			n.Add(cur.Frame, "%s: packets of this message are missing in the capture; not imported", c.Name(side))
			cur = nil
		}
		if cur == nil && !o.Starts() {
			n.Add(k.Frame, "%s: the beginning of this message is not in the capture; not imported", c.Name(side))
			continue
		}
		if cur == nil {
			cur = c.begin(side, k)
		}
		cur.At, cur.Frame = min(cur.At, k.At), min(cur.Frame, k.Frame)
		cur.ended, cur.Last = k.u, max(cur.Last, k.At)
		if cur.Brings() {
			cur.Data = append(cur.Data, k.Payload...)
		}
		if !o.Ends() {
			continue
		}
		cur.finish(k, n)
		if cur.Opcode == ib.WRRDMARead {
			covered = cur.ended
		}
		d.Ops = append(d.Ops, cur)
		cur = nil
	}
	if cur != nil {
		n.Add(cur.Frame, "%s: the capture ends inside this message; not imported", c.Name(side))
	}
	if len(d.Ops) > 0 {
		d.PSN = ib.PSN(d.Ops[0].begun & (1<<24 - 1))
		d.gaps(c.Name(side), n)
	}
}

// once returns the requests of a side in the order of their packet numbers, each
// as it was sent first. Numbers are counted on beyond their 24 bits, from above
// 0 whatever comes before the first.
func (c *Conn) once(side int, n *Notes) (list []*Packet) {
	requests := c.Asks[side].requests
	if len(requests) == 0 {
		return nil
	}
	seen := map[int64]*Packet{}
	newest := int64(requests[0].Headers.BTH.PSN) + 1<<24
	for _, k := range requests {
		u := newest + int64(k.Headers.BTH.PSN.Sub(ib.PSN(newest&(1<<24-1))))
		switch was := seen[u]; {
		case was == nil:
			seen[u], k.u = k, u
			list = append(list, k)
			newest = max(newest, u)
		case was.Headers != k.Headers || !bytes.Equal(was.Payload, k.Payload):
			n.Add(k.Frame, "%s: packet number %d once more, with other contents: a new life of the connection, not imported", c.Name(side), k.Headers.BTH.PSN)
		default:
			k.u = u
		}
	}
	slices.SortFunc(list, func(a, b *Packet) int { return cmp.Compare(a.u, b.u) })
	return list
}

// gaps notes where packet numbers are passed over.
func (d *Direction) gaps(name string, n *Notes) {
	for i, o := range d.Ops[1:] {
		if was := d.Ops[i]; o.begun != was.ended+1 {
			n.Add(o.Frame, "%s: %d packet numbers before this message are not in the capture; those of the scenario go on without a gap", name, o.begun-was.ended-1)
		}
	}
}

// begin begins an op with its first packet.
func (c *Conn) begin(side int, k *Packet) *Op {
	o := &Op{Conn: c, Side: side, Frame: k.Frame, At: k.At, begun: k.u}
	h := &k.Headers
	switch {
	case h.BTH.Opcode.HasRETH():
		o.VA, o.Key, o.Length = h.RETH.VA, h.RETH.RKey, h.RETH.Length
	case h.BTH.Opcode.HasAtomicETH():
		o.VA, o.Key, o.Length = h.Atomic.VA, h.Atomic.RKey, 8
		o.Swap, o.Compare = h.Atomic.Swap, h.Atomic.Compare
	}
	switch code := h.BTH.Opcode; {
	case code == ib.RCReadRequest:
		o.Opcode = ib.WRRDMARead
	case code == ib.RCCompareSwap:
		o.Opcode = ib.WRAtomicCmpAndSwp
	case code == ib.RCFetchAdd:
		o.Opcode = ib.WRAtomicFetchAndAdd
	case code.IsWrite():
		o.Opcode = ib.WRRDMAWrite
	default:
		o.Opcode = ib.WRSend
	}
	return o
}

// finish ends an op with its last packet.
func (o *Op) finish(k *Packet, n *Notes) {
	code := k.Headers.BTH.Opcode
	o.Solicited = k.Headers.BTH.Solicited
	switch {
	case o.Opcode == ib.WRRDMARead:
		o.ended = o.begun + o.Conn.packetsOf(o.Length) - 1
	case code.HasImm() && o.Opcode == ib.WRRDMAWrite:
		o.Opcode, o.Imm = ib.WRRDMAWriteWithImm, k.Headers.Imm.Data
	case code.HasImm():
		o.Opcode, o.Imm = ib.WRSendWithImm, k.Headers.Imm.Data
	case code.HasIETH():
		o.Opcode, o.Key = ib.WRSendWithInv, k.Headers.IETH.RKey
	}
	if o.Brings() {
		if o.Opcode == ib.WRRDMAWrite || o.Opcode == ib.WRRDMAWriteWithImm {
			if int(o.Length) != len(o.Data) {
				n.Add(o.Frame, "%s: a WRITE says that it has %d bytes, and brings %d", o.Conn.Name(o.Side), o.Length, len(o.Data))
			}
		}
		o.Length = uint32(len(o.Data))
	}
}
