package mtp

import (
	"hcasim/sim"
	"hcasim/tpt"
)

// A client's asks wait here until the arbiter lets them in.
type client struct {
	target Client
	weight uint32 // turns in a row
	asks   sim.Ring[uint32]
	name   string
}

// Client registers a client. Lower numbers go first under arbiter: priority;
// weight is how many turns in a row it has under arbiter: weighted, at least 1.
func (u *Unit) Client(name string, c Client, weight uint32) ClientID {
	if !u.weighted {
		weight = 1
	}
	if len(u.clients) == 0 {
		u.left = weight
	}
	u.clients = append(u.clients, client{target: c, weight: weight, name: name})
	return ClientID(len(u.clients) - 1)
}

// Submit asks for an access. It never refuses: a client asks for no more than
// it has buffers for.
func (u *Unit) Submit(now sim.Time, c ClientID, s StreamID, handle uint32, ask *tpt.Access) {
	id := u.accesses.Get()
	a := u.accesses.At(id)
	a.Access = *ask
	a.ID, a.Handle, a.client, a.stream, a.next = id, handle, c, s, none
	a.Fault, a.N, a.MPTHit, a.MTTHit, a.pages, a.found, a.resolved = tpt.OK, 0, false, false, 0, 0, false
	if st := &u.streams[s]; st.tail == none {
		st.head, st.tail = id, id
	} else {
		u.accesses.At(st.tail).next = id
		st.tail = id
	}
	if u.waiting == 0 && u.mptStage.Send(now, id) {
		u.took(c)
		return
	}
	u.clients[c].asks.Push(id)
	u.stall(now, StallEntrance, false)
	if u.waiting++; u.waiting > 1 { // or else it was refused just now
		u.admit(now)
	}
}

// admit lets asks into the pipeline while it has room, as the arbiter says.
func (u *Unit) admit(now sim.Time) {
	for u.waiting > 0 {
		c := u.choose()
		if !u.mptStage.Send(now, *u.clients[c].asks.Peek()) {
			return
		}
		u.clients[c].asks.Pop()
		u.waiting--
		u.stall(now, StallEntrance, true)
		u.took(c)
	}
}

// took counts a turn of a client.
func (u *Unit) took(c ClientID) {
	if !u.weighted {
		u.turn, u.left = c, 0
		return
	}
	if u.turn != c || u.left == 0 {
		u.turn, u.left = c, u.clients[c].weight
	}
	u.left--
}

// choose returns the client that goes next, of those who ask.
func (u *Unit) choose() ClientID {
	n := ClientID(len(u.clients))
	c := u.turn
	if u.priority {
		c = 0
	} else if u.left == 0 { // it comes last again
		c++
	}
	for {
		if c >= n {
			c = 0
		}
		if u.clients[c].asks.Len() > 0 {
			return c
		}
		c++
	}
}
