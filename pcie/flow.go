package pcie

import (
	"fmt"

	"hcasim/sim"
)

// A flow is the flow control of one kind of TLP in one direction: header
// credits, one a TLP, and data credits, one for 16 bytes. Credits that a
// receiver has sent back are on their way for a fixed time; they are booked when
// somebody finds too few, so that their return needs no event of its own.
type flow struct {
	headers, data uint32 // free, of those that are booked
	limited       bool
	awaited       bool // somebody found too few, and has not taken since
	back          sim.Ring[refund]

	allHeaders, allData uint32
	name                string
}

// A refund is credits on their way back.
type refund struct {
	at            sim.Time
	headers, data uint32
}

const (
	plenty    = 1 << 31 // stands for no limit: so many are never out
	fewBacked = 16      // refunds that may lie unbooked
)

// dataCredits is what n bytes of one TLP need.
func dataCredits(n uint32) uint32 { return (n + 15) / 16 }

// init names the credits. A total of 0 means that there is no limit.
func (f *flow) init(name string, headers, data uint32) {
	f.name = name
	f.limited = headers != 0 || data != 0
	if headers == 0 {
		headers = plenty
	}
	if data == 0 {
		data = plenty
	}
	f.headers, f.data = headers, data
	f.allHeaders, f.allData = headers, data
}

// has reports whether there are enough credits, of those that are booked. If not
// ask settled.
func (f *flow) has(headers, data uint32) bool { return headers <= f.headers && data <= f.data }

// settled is has when all that has come back is booked.
func (f *flow) settled(now sim.Time, headers, data uint32) bool {
	f.settle(now)
	return f.has(headers, data)
}

// take takes credits that has or settled has found to be there.
func (f *flow) take(headers, data uint32) {
	f.awaited = false
	if f.limited {
		f.headers -= headers
		f.data -= data
		f.check()
	}
}

// give books credits as back at once.
func (f *flow) give(headers, data uint32) {
	f.headers += headers
	f.data += data
	f.check()
}

// check holds the credits to P8.
func (f *flow) check() {
	if f.headers > f.allHeaders || f.data > f.allData {
		f.wrong()
	}
}

//go:noinline
func (f *flow) wrong() {
	panic(fmt.Sprintf("pcie: %s: %d of %d headers and %d of %d data free", f.name, f.headers, f.allHeaders, f.data, f.allData))
}

// giveAt sends credits back, to arrive at at, which must not fall.
func (f *flow) giveAt(now, at sim.Time, headers, data uint32) {
	if !f.limited {
		return
	}
	if f.back.Len() >= fewBacked {
		f.settle(now)
	}
	f.back.Push(refund{at, headers, data})
}

// settle books what has come back by now.
func (f *flow) settle(now sim.Time) {
	for f.back.Len() > 0 && f.back.Peek().at <= now {
		r := f.back.Pop()
		f.headers += r.headers
		f.data += r.data
	}
	f.check()
}

// due returns when the next credits come back, if any are on their way: to
// somebody who has found too few.
func (f *flow) due() (at sim.Time, ok bool) {
	if f.back.Len() == 0 {
		return 0, false
	}
	return f.back.Peek().at, true
}

// missing says, a line each, which credits are neither back nor on their way
// back, and how many are free.
func (f *flow) missing(now sim.Time) (lines []string) {
	f.settle(now)
	headers, data := f.headers, f.data
	for i := range f.back.Len() {
		headers += f.back.At(i).headers
		data += f.back.At(i).data
	}
	if headers == f.allHeaders && data == f.allData {
		return nil
	}
	say := func(kind string, free, all uint32) {
		if all != plenty {
			lines = append(lines, fmt.Sprintf("%d of %d credits %s-%s free", free, all, f.name, kind))
		}
	}
	say("headers", f.headers, f.allHeaders)
	say("data", f.data, f.allData)
	return lines
}
