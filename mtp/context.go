package mtp

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A ContextClient waits for queue-pair contexts.
type ContextClient interface {
	// ContextReady is called when the context that was awaited is on chip.
	ContextReady(now sim.Time, handle uint32)
}

// A ContextLookup is a context that was asked for.
type ContextLookup struct {
	At  sim.Time
	QPN ib.QPN
	Hit bool // it was on chip
}

// ContextClient registers a part of the adapter that works on contexts, of what
// comes in or of what goes out.
func (u *Unit) ContextClient(c ContextClient, inward bool) (who uint8) {
	blocks := u.params.Contexts == "block" || inward && u.params.Contexts == "receive"
	u.contexts = append(u.contexts, contextUser{c, blocks})
	return uint8(len(u.contexts) - 1)
}

// A contextUser is a client, and whether its engine waits for contexts.
type contextUser struct {
	ContextClient
	blocks bool
}

// A Presence says where a context is.
type Presence uint8

// The places of a context.
const (
	Here   Presence = iota // in the first level
	Coming                 // awaited by the packet engine, which does nothing else meanwhile
	Away                   // awaited by its queue pair alone
)

// Context says where the context of qpn is. If it is not here it is fetched, and
// the client who is called with handle when it has come: whether it is still
// here later, only another call says.
func (u *Unit) Context(now sim.Time, who uint8, qpn ib.QPN, handle uint32) Presence {
	line := u.qpc.find(uint32(qpn), 0)
	hit := line != none
	if u.Contexts.On() {
		u.Contexts.Emit(ContextLookup{now, qpn, hit})
	}
	if hit {
		u.qpc.hit(line)
		return Here
	}
	return u.awaitContext(now, who, qpn, handle)
}

// awaitContext fetches a context.
func (u *Unit) awaitContext(now sim.Time, who uint8, qpn ib.QPN, handle uint32) Presence {
	where := Away
	if u.contexts[who].blocks || u.qpc.findFar(uint32(qpn)) != none {
		where = Coming
	}
	u.stall(now, StallQPC, false)
	u.fetch.await(now, fillKey{fillQPC, uint32(qpn)}, waiter{kind: waitContext, who: who, id: handle})
	return where
}

// ForgetContext drops the context of a queue pair that was destroyed.
func (u *Unit) ForgetContext(qpn ib.QPN) { u.qpc.Drop(qpn) }
