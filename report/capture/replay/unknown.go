package replay

import (
	"hcasim/ib"
	"hcasim/report/capture/talk"
)

// finish writes the requests out and notes what is not known of them.
func (x *plan) finish() {
	for _, s := range x.sides {
		if s.sends.lost > 0 {
			x.notes.Add(0, "the payloads of %d requests of host %s pass the limit of data (--max-data); zeros stand for them", s.sends.lost, talk.Names[s.n])
		}
	}
	for _, c := range x.conns {
		x.unknown(c)
	}
	for _, o := range x.ops {
		o.text = x.request(o)
		o.told, o.wc = o.Answered, o.Status
		switch {
		case o.gaveUp(x.end):
			o.told, o.wc = true, ib.RNRRetryExcErr
		case o.unready():
			x.notes.Add(o.Frame, "%s: the capture ends with an RNR NAK; no receive is posted, no completion is expected", o.conn.Name(o.Side))
		case !o.Answered && !o.conn.Mute(o.Side):
			x.notes.Add(o.Frame, "%s: no answer is seen; no completion is expected", o.conn.Name(o.Side))
		}
		x.reason(o)
	}
	for _, s := range x.sides {
		for _, l := range s.lives {
			if !l.used {
				x.notes.Add(l.first.Frame, "key 0x%08x of host %s is only seen to die; one byte stands for what it opened", uint32(l.key), talk.Names[s.n])
			}
		}
	}
}

// reason notes a refusal whose cause the packets do not show.
func (x *plan) reason(o *op) {
	need, remote := o.Remote()
	switch {
	case remote && o.Granted() && o.life == nil && ib.Key(o.Key).Index() != 0:
		x.notes.Add(o.Frame, "%s: key 0x%08x reaches farther than %d GiB, or past the end of memory: this request will be refused", o.conn.Name(o.Side), uint32(o.Key), mostSpan>>30)
	case remote && o.Granted() && o.life == nil:
		x.notes.Add(o.Frame, "%s: key 0x%08x is granted, and its index 0 is one that the model never gives out: it will be refused", o.conn.Name(o.Side), uint32(o.Key))
	case o.NAK == ib.NAKInvalidRequest && o.Receives() && o.Opcode != ib.WRRDMAWriteWithImm && o.Length > 0:
		x.notes.Add(o.Frame, "%s: refused as invalid; a receive that is too short stands for the cause", o.conn.Name(o.Side))
	case o.NAK == ib.NAKInvalidRequest && remote && o.conn.access(1-o.Side)&need != 0 && !(o.Atomic() && o.VA%8 != 0):
		x.notes.Add(o.Frame, "%s: refused as invalid, and the packets do not show why; the scenario has no cause for it", o.conn.Name(o.Side))
	case o.NAK == ib.NAKRemoteAccess && o.Refused > 0:
		x.notes.Add(o.Frame, "%s: refused at packet %d of the message; the scenario's key is refused at the first", o.conn.Name(o.Side), o.Refused+1)
	case o.NAK == ib.NAKRemoteOperational && o.Receives() && o.Length > 0:
		x.notes.Add(o.Frame, "%s: refused by an error of the responder; a receive with a wrong key stands for it", o.conn.Name(o.Side))
	case o.NAK == ib.NAKRemoteOperational:
		x.notes.Add(o.Frame, "%s: refused by an error of the responder; the scenario has no cause for it", o.conn.Name(o.Side))
	}
}

// unknown notes what the capture does not say of a connection.
func (x *plan) unknown(c *conn) {
	for h := range c.QPN {
		if !c.Known[h] {
			x.notes.Add(0, "%s: the number of the queue pair of %s is not in the capture; 0x%x is a free one", c.label, talk.Names[h], uint32(c.QPN[h]))
		}
		if len(c.ops[h]) > 0 && c.Mute(h) && !c.UC {
			x.notes.Add(0, "%s: no answer to %s is in the capture; all is taken as granted, no completion is expected", c.label, talk.Names[h])
		}
	}
	for h := range c.Asks {
		if l := &c.Asks[h].Losses; l.Any() {
			x.notes.Add(0, "%s: of what %s asked, packets were sent again: requests lost or unanswered %d, answers lost %d, doubled %d; faults stand for them", c.label, talk.Names[h], len(l.Requests), len(l.Answers), len(l.Doubled))
		}
	}
	if !c.Sure {
		x.notes.Add(0, "%s: the answers fit other queue pairs as well; these two were taken by the order in which they appear", c.label)
	}
	if !c.Exact {
		x.notes.Add(0, "%s: the path MTU is not seen; %d holds every packet", c.label, c.MTU)
	}
	if c.UC {
		x.notes.Add(0, "%s: an unreliable connection has no answers; all is taken as granted, no completion is expected", c.label)
	}
}
