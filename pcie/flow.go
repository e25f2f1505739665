package pcie

import (
	"fmt"

	"hcasim/sim"
)

// Credits are header credits, one a TLP, in the upper half, and data credits, one
// for 16 bytes, in the lower. The top bit of each half is clear.
type credits uint64

const (
	header credits = 1 << 32
	tops   credits = 1<<63 | 1<<31
	plenty         = 1 << 30 // stands for no limit: so many are never out
)

// creditsFor is what one TLP with n bytes of data needs.
func creditsFor(n uint32) credits { return header + credits(dataCredits(n)) }

// dataCredits is what n bytes of one TLP need.
func dataCredits(n uint32) uint32 { return (n + 15) / 16 }

// cover reports whether c has no less of both kinds than need.
func (c credits) cover(need credits) bool { return (c|tops-need)&tops == tops }

func (c credits) headers() uint32 { return uint32(c >> 32) }
func (c credits) data() uint32    { return uint32(c) }

// A flow is the flow control of one kind of TLP in one direction. Credits that a
// receiver has sent back are on their way for a fixed time; they are booked when
// somebody finds too few, so that their return needs no event of its own. Where
// nobody can find too few before they are there, they are booked at once.
type flow struct {
	free    credits // of those that are booked
	all     credits
	ample   credits // as many as can be taken while some come back
	limited bool
	awaited bool // somebody found too few, and has not taken since
	back    sim.Ring[refund]
	name    string
}

// A refund is credits on their way back.
type refund struct {
	at sim.Time
	credits
}

// fewBacked is how many refunds may lie unbooked.
const fewBacked = 16

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
	f.all = credits(headers)*header + credits(data)
	f.free = f.all
	if f.limited {
		f.ample = (1<<31 - 1) * header // never there
	}
}

// hasten tells that while credits come back no more link bytes than these are
// sent of the flow's TLPs, each of at least so many.
func (f *flow) hasten(bytes, least uint64) {
	if n := bytes/least + 1; f.limited {
		f.ample = credits(n)*header + credits(n+bytes/16)
	}
}

// has reports whether there are enough credits.
func (f *flow) has(now sim.Time, need credits) bool {
	return f.free.cover(need) || f.settle(now).cover(need)
}

// take takes credits that has has found to be there.
func (f *flow) take(need credits) {
	f.awaited = false
	if f.free -= need; f.free&tops != 0 {
		f.wrong()
	}
}

// give books credits as back at once.
func (f *flow) give(back credits) {
	f.free += back
	f.check()
}

// giveAt sends credits back, to arrive at at, which must not fall.
func (f *flow) giveAt(now, at sim.Time, back credits) {
	if !f.free.cover(f.ample) {
		f.sendBack(now, refund{at, back})
		return
	}
	f.free += back
	f.check()
}

// sendBack has credits come back at their time.
func (f *flow) sendBack(now sim.Time, r refund) {
	if f.back.Len() >= fewBacked {
		f.settle(now)
	}
	f.back.Push(r)
}

// settle books what has come back by now, and returns what is free.
func (f *flow) settle(now sim.Time) credits {
	for f.back.Len() > 0 && f.back.Peek().at <= now {
		f.free += f.back.Pop().credits
	}
	f.check()
	return f.free
}

// check holds the credits to P8, as take does.
func (f *flow) check() {
	if !f.all.cover(f.free) {
		f.wrong()
	}
}

//go:noinline
func (f *flow) wrong() {
	panic(fmt.Sprintf("pcie: %s: %d of %d headers and %d of %d data free",
		f.name, int32(f.free.headers()), f.all.headers(), int32(f.free.data()), f.all.data()))
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
	home := f.free
	for i := range f.back.Len() {
		home += f.back.At(i).credits
	}
	if home == f.all {
		return nil
	}
	say := func(kind string, free, all uint32) {
		if all != plenty {
			lines = append(lines, fmt.Sprintf("%d of %d credits %s-%s free", free, all, f.name, kind))
		}
	}
	say("headers", f.free.headers(), f.all.headers())
	say("data", f.free.data(), f.all.data())
	return lines
}
