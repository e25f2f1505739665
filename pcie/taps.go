package pcie

import "hcasim/sim"

// Taps are the places where a bus can be watched. Watching changes nothing.
type Taps struct {
	// TLPs shows every TLP as its last bit arrives, for captures: each completion
	// alone. The completions of one read are shown together at the last one's
	// arrival, so the two directions may come up to a read's length out of order.
	TLPs sim.Probe[TLP]
	// Requests shows each DMA as it is done.
	Requests sim.Probe[Record]
	// Up and Down show the passages over the link, as the other end has taken
	// them. What is shown is the bus's own: only to be read, and not to be kept.
	Up, Down sim.Probe[*TLP]
	// Stalls reports what the queues wait for: the bus tells no more than one
	// beginning and end of each at a time.
	Stalls sim.Probe[sim.Stall]
}

// A Record is one DMA from its request to its end.
type Record struct {
	Bus string
	Request
	Write  bool
	OK     bool     // no part was refused
	Issued sim.Time // Read or Write was called
	Sent   sim.Time // the first TLP was given to the link: until then it waited for order, tags, credits
	Served sim.Time // the last part was read or committed
	Done   sim.Time
}

func (b *Bus) record(now sim.Time, r *request) Record {
	return Record{Bus: b.name, Request: r.asked, Write: r.write(), OK: !r.failed,
		Issued: r.issued, Sent: r.sent, Served: r.served, Done: now}
}

// show shows one TLP, and what the link carries as one completion cut as it is.
func (b *Bus) show(whole *TLP) {
	tlp := *whole
	if tlp.Kind == Cpl {
		tlp.Len = 0
	}
	if tlp.Kind != CplD {
		b.Taps.TLPs.Emit(tlp)
		return
	}
	l := &b.link
	addr, left, after := tlp.Addr, tlp.Len, tlp.Bytes
	for left > 0 {
		n := completionEnd(addr, left, l.cut, uint32(l.host.RCB))
		after -= n + l.completion
		tlp.At = whole.At - sim.Time(l.Time(sim.Bytes(after)))
		tlp.Addr, tlp.Len, tlp.Bytes, tlp.Count = addr, n, n+l.completion, 1
		b.Taps.TLPs.Emit(tlp)
		addr, left = addr+uint64(n), left-n
	}
}

// Asked returns the DMA that a TLP is a part of, while that is under way; of a
// CPU store there is none.
func (b *Bus) Asked(t *TLP) (q Request, ok bool) {
	if t.Kind == MMIO {
		return Request{}, false
	}
	return b.records.At(t.of).asked, true
}

// Stored returns the value that a CPU store writes.
func (t *TLP) Stored() uint32 { return t.of }
