package talk

import (
	"sort"

	"hcasim/ib"
)

// answer reads what came back to a side.
func (c *Conn) answer(side int, n *Notes) {
	d := &c.Asks[side]
	if len(d.Ops) == 0 || len(d.answers) == 0 {
		return
	}
	last := d.Ops[0].begun
	behind := 0 // of ops, those that are acknowledged as far as they can be
	for _, k := range d.answers {
		u := last + int64(k.Headers.BTH.PSN.Sub(ib.PSN(last&(1<<24-1))))
		i := sort.Search(len(d.Ops), func(i int) bool { return d.Ops[i].ended >= u })
		if i == len(d.Ops) || d.Ops[i].begun > u {
			n.count("answers to what is not in the capture", k.Frame)
			continue
		}
		last, k.u = u, u
		for ; behind < i; behind++ {
			if o := d.Ops[behind]; !o.Answered && o.Brings() {
				o.Answered, o.Done = true, k.At
			}
		}
		c.word(d.Ops[i], u, k, n)
		if o := d.Ops[i]; o.Answered && o.Status != ib.Success {
			for _, later := range d.Ops[i+1:] {
				later.Answered, later.Status, later.Done = true, ib.WRFlushErr, k.At
			}
			return
		}
	}
}

// word takes one answer to the op that it speaks of.
func (c *Conn) word(o *Op, u int64, k *Packet, n *Notes) {
	code, s := k.Headers.BTH.Opcode, k.Headers.AETH.Syndrome
	switch {
	case code.IsReadResponse():
		o.response(u, k, n)
	case code == ib.RCAtomicAck && o.Atomic():
		o.Answered, o.Found, o.Done = true, k.Headers.AtomicAck.Original, k.At
	case s.IsRNR():
		o.RNR, o.Timer = append(o.RNR, k.At), s.Code()
	case s.IsACK() && u == o.ended && o.Brings() && !o.Answered:
		o.Answered, o.Done = true, k.At
	case s == ib.NAKPSNSequence:
		n.count("NAKs for packets that were lost", k.Frame)
	case s.IsNAK():
		o.Answered, o.NAK, o.Status, o.Done, o.Refused = true, s, s.Status(), k.At, u-o.begun
	}
}

// response takes one packet of the answer to a READ.
func (o *Op) response(u int64, k *Packet, n *Notes) {
	at := int(u-o.begun) * int(o.Conn.MTU)
	if o.Opcode != ib.WRRDMARead || at+len(k.Payload) > int(o.Length) || o.Answered {
		if !o.Answered {
			n.Add(k.Frame, "a READ response that fits no READ")
		}
		return
	}
	if at == o.got { // in order, so that no more is kept than came
		o.Data = append(o.Data, k.Payload...)
		o.got += len(k.Payload)
	}
	if o.got == int(o.Length) {
		o.Answered, o.Done = true, k.At
	}
}
