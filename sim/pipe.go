package sim

import "fmt"

// PipeParams are the numbers of a pipe.
type PipeParams struct {
	Latency  Cycles // from entering to arriving
	Interval Cycles // how long a value keeps the entrance; 0: no limit
	Depth    int    // most values inside; at least 1
}

// A Pipe is a one-way carrier of handles in a clock domain. A value enters at the
// first edge at which the entrance is free, keeps the entrance for Interval
// cycles and arrives Latency cycles after it entered. Values arrive in order.
// When the sink refuses the oldest the pipe stalls; when Depth values are
// inside, Send refuses.
type Pipe struct {
	carrier
	params PipeParams
	pace   Pace // of the entrance
}

// NewPipe returns an empty pipe. The sink is called when a value arrives and
// returns false when it cannot take it now.
func NewPipe(e *Engine, name string, clock Clock, p PipeParams, sink func(now Time, v uint32) bool) *Pipe {
	pipe := &Pipe{params: p}
	pipe.init(e, name, p.Depth, sink)
	if clock.frequency == 0 {
		panic(fmt.Sprintf("sim: %s: pipe without a clock", name))
	}
	pipe.clock, pipe.interval = clock, p.Interval
	return pipe
}

// Send puts v into the pipe, or returns false when it is full: OnRoom then says
// when there is room again.
func (p *Pipe) Send(now Time, v uint32) bool { return p.SendFor(now, v, p.params.Interval.Whole()) }

// SendFor is Send of a value that keeps the entrance for an interval of its own.
func (p *Pipe) SendFor(now Time, v uint32, keeps Interval) bool {
	f := p.admit()
	if f == nil {
		return false
	}
	in := p.pace.Take(p.clock.Next(now), keeps)
	entered := p.clock.Edge(in)
	arrived := entered
	if p.params.Latency != 0 {
		arrived = p.clock.Edge(in + p.params.Latency)
	}
	f.value, f.sent, f.entered, f.arrived = v, now, entered, arrived
	p.depart(arrived)
	return true
}
