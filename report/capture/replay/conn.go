package replay

import (
	"cmp"
	"fmt"
	"slices"

	"hcasim/ib"
	"hcasim/report/capture/talk"
)

// A conn is a connection with the requests that the plan makes of each side's.
type conn struct {
	*talk.Conn
	label string   // of both its queue pairs
	ops   [2][]*op // by the host that asks
}

// An op is a request, and what the plan makes of it.
type op struct {
	*talk.Op
	conn *conn
	from place // of what it brings, at its own host
	life *life // of the key that granted it
	told bool  // its completion is expected
	wc   ib.WCStatus
	text string // of its work request
}

// connsOf returns the connections of a talk, and all that is asked over them in
// the order of the first packets.
func connsOf(t *talk.Talk) (conns []*conn, ops []*op) {
	for i, heard := range t.Conns {
		c := &conn{Conn: heard, label: fmt.Sprintf("q%d", i+1)}
		for side := range heard.Asks {
			for _, o := range heard.Asks[side].Ops {
				c.ops[side] = append(c.ops[side], &op{Op: o, conn: c})
			}
			ops = append(ops, c.ops[side]...)
		}
		conns = append(conns, c)
	}
	slices.SortStableFunc(ops, func(a, b *op) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Frame, b.Frame)) })
	return conns, ops
}

// access returns the rights that one end gave the other: those of what was
// granted, and of what only a key stopped.
func (c *conn) access(h int) (a ib.AccessFlags) {
	for _, o := range c.ops[1-h] {
		need, remote := o.Remote()
		if o.Length == 0 && o.Granted() {
			need, remote = zeroNeed[o.Opcode], true
		}
		if remote && (o.Granted() || o.NAK == ib.NAKRemoteAccess || len(o.RNR) > 0) {
			a |= need
		}
	}
	return a
}

// zeroNeed are the rights that the queue pair must give to requests of no
// bytes, whose keys nobody looks at.
var zeroNeed = map[ib.WROpcode]ib.AccessFlags{
	ib.WRRDMAWrite: ib.RemoteWrite, ib.WRRDMAWriteWithImm: ib.RemoteWrite, ib.WRRDMARead: ib.RemoteRead,
}

func (c *conn) received(h int) (n int) {
	for _, o := range c.ops[1-h] {
		if o.Receives() {
			n++
		}
	}
	return n
}

// denied reports whether a key was refused to one side of a connection.
func denied(c *conn, side int) bool {
	return slices.ContainsFunc(c.ops[side], func(o *op) bool { return o.NAK == ib.NAKRemoteAccess })
}

// end returns the address of the last byte that an op reaches, cut at the top
// of memory.
func (o *op) end() uint64 {
	if e := o.VA + uint64(o.Length) - 1; e >= o.VA {
		return e
	}
	return ^uint64(0)
}

// unready reports whether a request met RNR NAKs to the last.
func (o *op) unready() bool { return len(o.RNR) > 0 && !o.Answered }

// gaveUp reports whether it was not repeated any more, in a capture that ends
// at an instant.
func (o *op) gaveUp(end int64) bool {
	return o.unready() && end-o.RNR[len(o.RNR)-1] > 2*int64(ib.RNRTimer(o.Timer))
}
