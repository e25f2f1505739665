package pcie

import "hcasim/sim"

// The bus is several handlers of the engine, one for each thing that can happen
// to it. Each is the bus itself under another name. What commit and serve do is
// told beside the root complex.
type (
	onEnter  Bus // arg: the write that leaves the endpoint's overhead
	onPump   Bus // the transmitter looks again
	onStart  Bus // arg: the read TLP that waited for writes
	onServe  Bus // arg: the TLP whose data are there
	onCommit Bus // arg: the TLP that is in memory now
	onDone   Bus // arg: the request that the endpoint has handled
	onStore  Bus // the oldest store of the CPU reaches the root port
	onDown   Bus // the root complex's transmitter looks again
)

func (b *onPump) Fire(now sim.Time, _ uint32)  { (*Bus)(b).wake(now) }
func (b *onStore) Fire(now sim.Time, _ uint32) { (*Bus)(b).store(now) }
func (b *onDown) Fire(now sim.Time, _ uint32)  { (*Bus)(b).drain(now) }

func (e *onEnter) Fire(now sim.Time, h uint32) {
	b := (*Bus)(e)
	b.tx.entering--
	b.queueWrite(now, h, b.records.At(h))
}

func (e *onStart) Fire(now sim.Time, h uint32) {
	b := (*Bus)(e)
	b.access(now, h, &b.records.At(h).TLP, now)
}

func (e *onDone) Fire(now sim.Time, h uint32) {
	b := (*Bus)(e)
	b.done(now, h, b.records.At(h))
}

func (b *Bus) register(e *sim.Engine) {
	b.enterID = e.Register(b.name+".enter", (*onEnter)(b))
	b.pumpID = e.Register(b.name+".transmit", (*onPump)(b))
	b.startID = e.Register(b.name+".start", (*onStart)(b))
	b.serveID = e.Register(b.name+".serve", (*onServe)(b))
	b.commitID = e.Register(b.name+".commit", (*onCommit)(b))
	b.doneID = e.Register(b.name+".done", (*onDone)(b))
	b.storeID = e.Register(b.name+".store", (*onStore)(b))
	b.downID = e.Register(b.name+".drain", (*onDown)(b))
}
