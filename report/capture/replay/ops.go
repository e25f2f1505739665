package replay

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"hcasim/ib"
)

// An op is a request that one side made of the other, put together from its
// packets.
type op struct {
	conn      *conn
	side      int // of the requester
	frame     int // number of its first
	at        int64
	opcode    ib.WROpcode
	length    uint32
	va        uint64
	key       ib.RKey // of the remote memory, or the one to invalidate
	imm       uint32
	solicited bool
	swap      uint64 // or what is added
	compare   uint64

	data    []byte // of a READ what came back, else what was sent
	begun   int64  // first packet number, beyond 24 bits
	ended   int64  // last
	got     int    // bytes of the answer to a READ
	found   uint64 // by an atomic
	repeats int    // packets that were sent again
	last    int64  // when its last packet was seen first
	from    place  // of what it brings, at its own host
	life    *life  // of the key that granted it
	text    string // of its work request

	told     bool // its completion is expected
	answered bool
	status   ib.WCStatus
	nak      ib.Syndrome
	refused  int64   // which of its packets, from 0
	done     int64   // when the answer was seen
	rnr      []int64 // when RNR NAKs were seen
	timer    uint8   // that they carried
}

// remote reports whether the op reaches into memory of the other side, and
// with which right.
func (o *op) remote() (need ib.AccessFlags, yes bool) {
	switch {
	case o.length == 0: // no key is looked at
		return 0, false
	case o.opcode == ib.WRRDMAWrite || o.opcode == ib.WRRDMAWriteWithImm:
		return ib.RemoteWrite, true
	case o.opcode == ib.WRRDMARead:
		return ib.RemoteRead, true
	case o.atomic():
		return ib.RemoteAtomic, true
	}
	return 0, false
}

func (o *op) atomic() bool {
	return o.opcode == ib.WRAtomicFetchAndAdd || o.opcode == ib.WRAtomicCmpAndSwp
}

// brings reports whether the op carries bytes to the other side.
func (o *op) brings() bool { return o.opcode != ib.WRRDMARead && !o.atomic() }

// receives reports whether the op takes a receive of the other side.
func (o *op) receives() bool {
	switch o.opcode {
	case ib.WRSend, ib.WRSendWithImm, ib.WRSendWithInv, ib.WRRDMAWriteWithImm:
		return true
	default:
		return false
	}
}

// granted reports whether the other side let it happen. Where no answer can be
// seen, all counts as granted.
func (o *op) granted() bool {
	return o.answered && o.status == ib.Success || !o.answered && o.conn.mute(o.side)
}

// mute reports whether the answers to one side are missing in the capture: there
// are none, and it went on as if it had them.
func (c *conn) mute(side int) bool {
	return len(c.asks[side].answers) == 0 && !c.asks[side].losses.any()
}

// sizeUp finds the path MTU: the payload of a packet that others follow, or
// else the least that all fit into.
func (c *conn) sizeUp() {
	c.mtu = 1024
	longest := 0
	for side := range c.asks {
		for _, list := range [][]*packet{c.asks[side].requests, c.asks[side].answers} {
			for _, k := range list {
				o := k.h.BTH.Opcode
				if o.HasPayload() && !o.Ends() && legalMTU(len(k.payload)) {
					c.mtu, c.exact = max(uint32(len(k.payload)), c.mtu*bit(c.exact)), true
				}
				longest = max(longest, len(k.payload))
			}
		}
	}
	for !c.exact && c.mtu < 4096 && int(c.mtu) < longest {
		c.mtu *= 2
	}
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func legalMTU(n int) bool { return n >= 256 && n <= 4096 && n&(n-1) == 0 }

// assemble puts the requests of a side together.
func (c *conn) assemble(side int, n *notes) {
	d := &c.asks[side]
	if len(d.requests) == 0 {
		return
	}
	seen := map[int64]*packet{}
	again := map[int64]int{}
	var order []int64
	newest := int64(d.requests[0].h.BTH.PSN) + 1<<24
	for _, k := range d.requests {
		u := newest + int64(k.h.BTH.PSN.Sub(ib.PSN(newest&(1<<24-1))))
		if was := seen[u]; was != nil {
			if was.h != k.h || !bytes.Equal(was.payload, k.payload) {
				n.add(k.frame, "%s: packet number %d once more, with other contents: a new life of the connection, not imported", c.name(side), k.h.BTH.PSN)
				continue
			}
			again[u]++
			k.u = u
			continue
		}
		seen[u], k.u = k, u
		order = append(order, u)
		newest = max(newest, u)
	}
	slices.Sort(order)
	var cur *op
	var covered int64 // last packet number of the READ before
	for _, u := range order {
		k := seen[u]
		o := k.h.BTH.Opcode
		if u <= covered { // a READ that goes on where its answer broke off
			d.ops[len(d.ops)-1].repeats += 1 + again[u]
			continue
		}
		if cur != nil && (u != cur.ended+1 || o.Starts()) {
			n.add(cur.frame, "%s: packets of this message are missing in the capture; not imported", c.name(side))
			cur = nil
		}
		if cur == nil && !o.Starts() {
			n.add(k.frame, "%s: the beginning of this message is not in the capture; not imported", c.name(side))
			continue
		}
		if cur == nil {
			cur = c.begin(side, k, u)
		}
		cur.at, cur.frame = min(cur.at, k.at), min(cur.frame, k.frame)
		cur.ended, cur.repeats, cur.last = u, cur.repeats+again[u], max(cur.last, k.at)
		if cur.brings() {
			cur.data = append(cur.data, k.payload...)
		}
		if !o.Ends() {
			continue
		}
		cur.finish(k, n)
		if cur.opcode == ib.WRRDMARead {
			covered = cur.ended
		}
		d.ops = append(d.ops, cur)
		cur = nil
	}
	if cur != nil {
		n.add(cur.frame, "%s: the capture ends inside this message; not imported", c.name(side))
	}
	if len(d.ops) > 0 {
		d.psn = ib.PSN(d.ops[0].begun & (1<<24 - 1))
		d.gaps(c.name(side), n)
	}
}

// gaps notes where packet numbers are passed over.
func (d *direction) gaps(name string, n *notes) {
	for i, o := range d.ops[1:] {
		if was := d.ops[i]; o.begun != was.ended+1 {
			n.add(o.frame, "%s: %d packet numbers before this message are not in the capture; those of the scenario go on without a gap", name, o.begun-was.ended-1)
		}
	}
}

// begin begins an op with its first packet.
func (c *conn) begin(side int, k *packet, u int64) *op {
	o := &op{conn: c, side: side, frame: k.frame, at: k.at, begun: u, ended: u}
	h := &k.h
	switch {
	case h.BTH.Opcode.HasRETH():
		o.va, o.key, o.length = h.RETH.VA, h.RETH.RKey, h.RETH.Length
	case h.BTH.Opcode.HasAtomicETH():
		o.va, o.key, o.length = h.Atomic.VA, h.Atomic.RKey, 8
		o.swap, o.compare = h.Atomic.Swap, h.Atomic.Compare
	}
	switch code := h.BTH.Opcode; {
	case code == ib.RCReadRequest:
		o.opcode = ib.WRRDMARead
		o.ended = u + c.packetsOf(o.length) - 1
	case code == ib.RCCompareSwap:
		o.opcode = ib.WRAtomicCmpAndSwp
	case code == ib.RCFetchAdd:
		o.opcode = ib.WRAtomicFetchAndAdd
	case code.IsWrite():
		o.opcode = ib.WRRDMAWrite
	default:
		o.opcode = ib.WRSend
	}
	return o
}

// finish ends an op with its last packet.
func (o *op) finish(k *packet, n *notes) {
	code := k.h.BTH.Opcode
	o.solicited = k.h.BTH.Solicited
	switch {
	case o.opcode == ib.WRRDMARead:
		o.ended = o.begun + o.conn.packetsOf(o.length) - 1
	case code.HasImm() && o.opcode == ib.WRRDMAWrite:
		o.opcode, o.imm = ib.WRRDMAWriteWithImm, k.h.Imm.Data
	case code.HasImm():
		o.opcode, o.imm = ib.WRSendWithImm, k.h.Imm.Data
	case code.HasIETH():
		o.opcode, o.key = ib.WRSendWithInv, k.h.IETH.RKey
	}
	if o.brings() {
		if o.opcode == ib.WRRDMAWrite || o.opcode == ib.WRRDMAWriteWithImm {
			if int(o.length) != len(o.data) {
				n.add(o.frame, "%s: a WRITE says that it has %d bytes, and brings %d", o.conn.name(o.side), o.length, len(o.data))
			}
		}
		o.length = uint32(len(o.data))
	}
}

// answer reads what came back to a side.
func (c *conn) answer(side int, n *notes) {
	d := &c.asks[side]
	if len(d.ops) == 0 || len(d.answers) == 0 {
		return
	}
	last := d.ops[0].begun
	behind := 0 // of ops, those that are acknowledged as far as they can be
	for _, k := range d.answers {
		u := last + int64(k.h.BTH.PSN.Sub(ib.PSN(last&(1<<24-1))))
		i := sort.Search(len(d.ops), func(i int) bool { return d.ops[i].ended >= u })
		if i == len(d.ops) || d.ops[i].begun > u {
			n.count("answers to what is not in the capture", k.frame)
			continue
		}
		last, k.u = u, u
		for ; behind < i; behind++ {
			if o := d.ops[behind]; !o.answered && o.brings() {
				o.answered, o.done = true, k.at
			}
		}
		c.word(d.ops[i], u, k, n)
		if o := d.ops[i]; o.answered && o.status != ib.Success {
			for _, later := range d.ops[i+1:] {
				later.answered, later.status, later.done = true, ib.WRFlushErr, k.at
			}
			return
		}
	}
}

// word takes one answer to the op that it speaks of.
func (c *conn) word(o *op, u int64, k *packet, n *notes) {
	code, s := k.h.BTH.Opcode, k.h.AETH.Syndrome
	switch {
	case code.IsReadResponse():
		o.response(u, k, n)
	case code == ib.RCAtomicAck && o.atomic():
		o.answered, o.found, o.done = true, k.h.AtomicAck.Original, k.at
	case s.IsRNR():
		o.rnr, o.timer = append(o.rnr, k.at), s.Code()
	case s.IsACK() && u == o.ended && o.brings() && !o.answered:
		o.answered, o.done = true, k.at
	case s == ib.NAKPSNSequence:
		n.count("NAKs for packets that were lost", k.frame)
	case s.IsNAK():
		o.answered, o.nak, o.status, o.done, o.refused = true, s, s.Status(), k.at, u-o.begun
	}
}

// response takes one packet of the answer to a READ.
func (o *op) response(u int64, k *packet, n *notes) {
	at := int(u-o.begun) * int(o.conn.mtu)
	if o.opcode != ib.WRRDMARead || at+len(k.payload) > int(o.length) || o.answered {
		if !o.answered {
			n.add(k.frame, "a READ response that fits no READ")
		}
		return
	}
	if at == o.got { // in order, so that no more is kept than came
		o.data = append(o.data, k.payload...)
		o.got += len(k.payload)
	}
	if o.got == int(o.length) {
		o.answered, o.done = true, k.at
	}
}

// all returns the ops of all connections in the order of their first packets.
func all(conns []*conn) (list []*op) {
	for _, c := range conns {
		list = append(append(list, c.asks[0].ops...), c.asks[1].ops...)
	}
	slices.SortStableFunc(list, func(a, b *op) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.frame, b.frame)) })
	return list
}
