package pcie

import "hcasim/sim"

// The things that the bus may have to wait for, as numbers of sim.Stall. Reads
// wait for one of them at a time, writes likewise, and the CPU's stores: for
// what the first in their turn waits for. The others stand behind it.
const (
	StallPosted      uint8 = iota // posted credits of the root complex: writes
	StallNonPosted                // non-posted credits of the root complex: reads
	StallCompletions              // room for completions in the endpoint: reads
	StallTags                     // a tag: reads
	StallOrder                    // writes issued before: reads
	StallWriteGap                 // the DMA engine, between two TLPs or requests: writes
	StallReadGap                  // the same: reads
	StallReadEngine               // a place among the reads that it works on: reads
	StallStores                   // posted credits of the endpoint: the CPU's stores
	Stalls
)

// The queues that wait, each for one thing at a time.
const (
	ofWrites = iota
	ofReads
	ofStores
	queues
)

// stallOf is what a queue stalls for, by what its first waits for.
var stallOf = [queues][room + 1]uint8{
	ofWrites: {nothing: Stalls, gap: StallWriteGap, credit: StallPosted},
	ofReads: {nothing: Stalls, order: StallOrder, gap: StallReadGap, engine: StallReadEngine, tag: StallTags,
		credit: StallNonPosted, room: StallCompletions},
	ofStores: {nothing: Stalls, credit: StallStores},
}

// stalls tells watchers what a queue waits for from now on, which is another
// thing than they were told.
func (b *Bus) stalls(now sim.Time, queue int, w wait) {
	was := b.waits[queue]
	if !b.Taps.Stalls.On() {
		return
	}
	if was != nothing {
		b.Taps.Stalls.Emit(sim.Stall{At: now, For: stallOf[queue][was], Ends: true})
	}
	if w != nothing {
		b.Taps.Stalls.Emit(sim.Stall{At: now, For: stallOf[queue][w]})
	}
	b.waits[queue] = w
}
