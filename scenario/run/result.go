package run

import (
	"hcasim/hca"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/scenario/run/keys"
	"hcasim/sim"
	"hcasim/tpt"
)

// An Op is one verb call or one work request, and what came of it.
type Op struct {
	ID      string // step, or step.iteration, or step.iteration.wr
	Step    int
	Line    int
	Host    string
	QP      string // "" for verbs that have none
	Request string // IBV_WR_RDMA_WRITE, ibv_reg_mr …
	Object  string // region or window aimed at, or object made
	Bytes   uint64
	Recv    bool

	Done       bool
	Status     ib.WCStatus // of work requests
	Verb       bool        // Errno counts, not Status
	Errno      ib.Errno
	Rereg      ib.ReregResult
	Unsignaled bool // retired without a completion: Latency is the requester's view

	Start    sim.Time
	End      sim.Time
	Parts    [hca.NumParts]sim.Duration // work requests
	Faults   []Fault
	Expected bool // a failure that an expectation asked for

	// Legs are the parts in the order in which they were met, from the newest to
	// the oldest, of a request that a watcher follows: all of Parts but what the
	// CPU did before and after.
	Legs *sim.Leg
}

// Latency is the time from the first cycle of the call to its result.
func (o *Op) Latency() sim.Duration { return o.End.Sub(o.Start) }

// Outcome returns the status by its libibverbs name, or the errno of a verb.
func (o *Op) Outcome() string {
	switch {
	case !o.Done:
		return "pending"
	case !o.Verb:
		return o.Status.String()
	case o.Rereg != ib.ReregOK:
		return o.Rereg.String() + " " + o.Errno.String()
	default:
		return o.Errno.String()
	}
}

// Failed reports whether the op did not do what it was asked for.
func (o *Op) Failed() bool {
	return o.Done && (o.Verb && o.Errno != ib.OK || !o.Verb && o.Status != ib.Success)
}

// A Fault is one refusal.
type Fault struct {
	At     sim.Time
	Host   string
	Op     string // id of the request at fault
	QPN    ib.QPN
	Remote bool
	Status ib.WCStatus
	NAK    ib.Syndrome
	Cause  tpt.Fault // OK when no key was at fault
	Rule   string
	Access tpt.Access
	Entry  tpt.Entry
}

// A Failure is an expectation that was not met.
type Failure struct {
	Pos      lang.Pos
	Op       string // id, "" for the run as a whole
	What     string // the member of expect:
	Expected string
	Got      string
	Note     string
}

// An End is how a run ended.
type End uint8

// The ends of runs.
const (
	Finished End = iota // nothing is left
	Stopped             // at run.until, as asked
	Limit               // at run.until, with work in flight
	Stuck               // nothing moves, and not everything has settled
	Broken              // an invariant of the model does not hold
)

var endNames = [...]string{Finished: "finished", Stopped: "stopped", Limit: "limit", Stuck: "stuck", Broken: "broken"}

// String returns the end as a word.
func (e End) String() string { return endNames[e] }

// A Traffic is the measured part of a traffic or dma step, of one kind of
// request.
type Traffic struct {
	Step   int
	Opcode string // of requests; dma_read, dma_write, dma_write_read, dma_both
	Count  uint64 // pairs, of dma_write_read and dma_both
	Bytes  uint64 // of payload; of both of a pair
	Failed uint64
	// Elapsed is the time from the end of the last request of the warm-up, or
	// the beginning of the step without one, to the end of the last that is
	// measured: Count over it is the rate of the steady state. All kinds of a
	// step have the same.
	Elapsed sim.Duration
	// Peak is of all kinds of a step together; pingpong and dma have none.
	Peak    Peak
	Latency Histogram

	// Of an offered load: requests that came while it was measured, from the
	// first arrival to where one behind the last would have been. Latency is from
	// the arrival on: what waits in software for a place in its queue has come.
	Offered  uint64
	Arrivals sim.Duration
	Queued   uint64 // of these, that waited so
	Backlog  uint64 // most requests of the step, of all kinds, that did at once
}

// A Result is what came of one run.
type Result struct {
	Name     string
	Ops      []Op
	Omitted  uint64 // ops beyond the most that are kept
	Faults   []Fault
	Keys     []KeyLife // of each host, in the order of their births
	Traffic  []Traffic
	Failures []Failure
	Held     int // expectations that were met
	Asked    int // expectations in all
	Limits   int // thresholds among them
	End      End
	Waits    []string // who waits for what
	Broken   []string // invariants that do not hold
	Now      sim.Time
	Events   uint64
	Stats    []Stat
	// Measured has the figures of Stats, of the measured part of the traffic or
	// dma step that ended last: from the instant at which its Elapsed begins to
	// that at which it ends. What does not grow is as it stands at the end of the
	// run. Without such a step there are none.
	Measured []Stat

	KeysOmitted uint64 // lives beyond the most that are kept
}

// A KeyLife is a key value from its birth to its death.
type KeyLife = keys.Life

// A KeyMeaning is what a key value stands for.
type KeyMeaning = keys.Meaning

// KeyUses are what a key value granted.
type KeyUses = keys.Uses

// OK reports whether the run finished as it should and met all expectations.
func (r *Result) OK() bool {
	return len(r.Failures) == 0 && (r.End == Finished || r.End == Stopped)
}

// A Stat is a figure of the run.
type Stat struct {
	Name  string
	Value string
	Unit  string
	Doc   string
}
