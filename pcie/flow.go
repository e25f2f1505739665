package pcie

import (
	"fmt"

	"hcasim/sim"
)

// A flow is the flow control of one kind of TLP in one direction: header
// credits, one a TLP, and data credits, one for 16 bytes. Credits that a
// receiver has sent back are on their way for a fixed time; they are booked when
// somebody next looks, so that their return needs no event of its own.
type flow struct {
	name    string
	headers *sim.Credits // nil: unlimited
	data    *sim.Credits // nil: unlimited
	back    sim.Ring[refund]
	awaited bool // somebody found too few, and has not taken since
}

// A refund is credits on their way back.
type refund struct {
	at            sim.Time
	headers, data uint32
}

// dataCredits is what n bytes of one TLP need.
func dataCredits(n uint32) uint32 { return (n + 15) / 16 }

// init names the credits. A total of 0 means that there is no limit.
func (f *flow) init(e *sim.Engine, name string, headers, data uint32) {
	f.name = name
	if headers != 0 {
		f.headers = sim.NewCredits(e, name+"-headers", headers)
	}
	if data != 0 {
		f.data = sim.NewCredits(e, name+"-data", data)
	}
}

func (f *flow) limited() bool { return f.headers != nil || f.data != nil }

// has reports whether there are enough credits.
func (f *flow) has(now sim.Time, headers, data uint32) bool {
	f.settle(now)
	return (f.headers == nil || f.headers.Free() >= headers) &&
		(f.data == nil || f.data.Free() >= data)
}

// take takes credits that has has found to be there.
func (f *flow) take(headers, data uint32) {
	f.awaited = false
	if f.headers != nil && !f.headers.Take(headers) || f.data != nil && !f.data.Take(data) {
		panic(fmt.Sprintf("pcie: %s: %d headers and %d data taken that are not there", f.name, headers, data))
	}
}

// give books credits as back at once.
func (f *flow) give(headers, data uint32) {
	if f.headers != nil {
		f.headers.Give(headers)
	}
	if f.data != nil {
		f.data.Give(data)
	}
}

// giveAt sends credits back, to arrive at at, which must not fall.
func (f *flow) giveAt(at sim.Time, headers, data uint32) {
	if f.limited() {
		f.back.Push(refund{at, headers, data})
	}
}

// settle books what has come back by now.
func (f *flow) settle(now sim.Time) {
	for f.back.Len() > 0 && f.back.Peek().at <= now {
		r := f.back.Pop()
		f.give(r.headers, r.data)
	}
}

// due returns when the next credits come back, if any are on their way.
func (f *flow) due() (at sim.Time, ok bool) {
	if f.back.Len() == 0 {
		return 0, false
	}
	return f.back.Peek().at, true
}

// home reports whether every credit is back or on its way back.
func (f *flow) home() bool {
	var r refund
	for i := range f.back.Len() {
		r.headers += f.back.At(i).headers
		r.data += f.back.At(i).data
	}
	return (f.headers == nil || f.headers.Free()+r.headers == f.headers.Total()) &&
		(f.data == nil || f.data.Free()+r.data == f.data.Total())
}
