package pcie

import "hcasim/sim"

// The bus is several handlers of the engine, one for each thing that can happen
// to it. Each is the bus itself under another name.
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

func (b *onEnter) Fire(now sim.Time, r uint32)  { (*Bus)(b).enter(now, r) }
func (b *onPump) Fire(now sim.Time, _ uint32)   { (*Bus)(b).wake(now) }
func (b *onStart) Fire(now sim.Time, h uint32)  { (*Bus)(b).access(now, h, b.tlps.At(h), now) }
func (b *onServe) Fire(now sim.Time, h uint32)  { (*Bus)(b).serve(now, h) }
func (b *onCommit) Fire(now sim.Time, h uint32) { (*Bus)(b).commit(now, h) }
func (b *onDone) Fire(now sim.Time, r uint32)   { (*Bus)(b).done(now, r) }
func (b *onStore) Fire(now sim.Time, _ uint32)  { (*Bus)(b).store(now) }
func (b *onDown) Fire(now sim.Time, _ uint32)   { (*Bus)(b).drain(now) }

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
