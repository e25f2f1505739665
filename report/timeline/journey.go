package timeline

import (
	"slices"
	"strings"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// A fate says whether a request is shown.
type fate uint8

const (
	undecided fate = iota
	chosen
	rejected
)

// A journey is a request on its way, or a verb.
type journey struct {
	op     run.Op
	host   int
	number bool // the model knows it by a number: it is counted as in flight
	ended  bool
	fate   fate
	kept   []*event // while undecided
	near   bool     // something of it was within the window
	used   bool     // an access of it used the key

	// Points of its way, 0 for those not reached.
	rung, fetched, sent, answered, retired sim.Time
	taken                                  []taking // at a responder, not executed yet
	reading                                bool     // it is a READ or an atomic and outstanding
	fault                                  []arg

	flow flow // of the Chrome writer
}

// A taking is a request packet that a responder has taken.
type taking struct {
	at     sim.Time
	host   int
	psn    ib.PSN
	opcode ib.Opcode
}

// of returns the journey of the request that the model knows by a number; nil if
// there is none any more.
func (r *Recorder) of(number uint32) *journey {
	for int(number) >= len(r.byNumber) {
		r.byNumber = append(r.byNumber, nil)
	}
	j := r.byNumber[number]
	if j != nil && !j.ended {
		return j
	}
	o, live := r.view.Op(number)
	if !live || j != nil && j.op.ID == o.ID && j.op.Host == o.Host {
		return j // late work of a request that has ended
	}
	j = r.begin(o)
	j.number = true
	r.byNumber[number], r.open[name{o.Host, o.ID}] = j, j
	r.counted(j, o.Start, 1)
	return j
}

// A name is what an op is called.
type name struct{ host, id string }

func (r *Recorder) begin(o run.Op) *journey {
	j := &journey{op: o, host: r.hostOf(o.Host)}
	switch {
	case !r.options.Picky():
		j.fate = chosen
	case !r.options.ofOp(o.ID) || !r.options.ofQP(o.Host, o.QP):
		j.fate = rejected
	}
	return j
}

// hostOf returns which host has a name; the first, if the op has none.
func (r *Recorder) hostOf(name string) int {
	if r.view.Hosts[1].Name == name {
		return 1
	}
	return 0
}

// counted counts a request that begins or ends.
func (r *Recorder) counted(j *journey, at sim.Time, by int) {
	if !j.number || j.op.Recv {
		return
	}
	r.count(j.host, at, "in flight", "requests", by)
}

// reads counts a READ or an atomic as outstanding: from its first packet to the
// last of its answer.
func (r *Recorder) reads(j *journey, at sim.Time, begins bool) {
	if j.reading == begins {
		return
	}
	by := -1
	if begins {
		by = 1
	}
	j.reading = begins
	r.count(j.host, at, "outstanding READs and atomics", "requests", by)
}

// ended takes the end of an op.
func (r *Recorder) ended(o *run.Op) {
	j := r.open[name{o.Host, o.ID}]
	if j == nil {
		j = r.begin(*o)
	}
	delete(r.open, name{o.Host, o.ID})
	j.op = *o
	r.counted(j, o.End, -1)
	r.reads(j, o.End, false)
	r.finish(j)
}

// finish shows an op as a whole. What of it comes after that is late.
func (r *Recorder) finish(j *journey) {
	r.emit(r.whole(j))
	if j.fate == undecided {
		j.fate, j.kept = rejected, nil
	}
	if j.fate == chosen {
		r.matched++
	}
	j.ended = true
}

// whole is the span of an op on its queue pair's track.
func (r *Recorder) whole(j *journey) *event {
	o := &j.op
	e := &event{kind: span, unit: unitRequests, host: j.host, at: o.Start, end: o.End, row: o.QP, of: j}
	what := strings.TrimPrefix(o.Request, "IBV_WR_")
	switch {
	case o.Recv:
		e.unit = unitReceives
	case o.Verb || o.QP == "":
		e.unit, e.row = unitVerbs, ""
	}
	if !o.Done {
		e.end = max(r.view.Now(), o.Start)
	}
	e.name = "op " + o.ID + ": " + what
	if o.Object != "" {
		e.name += " " + o.Object
	}
	if o.Failed() {
		e.name += " → " + o.Outcome()
	}
	e.args = append(e.args, words("op", o.ID))
	if o.Line > 0 {
		e.args = append(e.args, count("line", uint64(o.Line)))
	}
	e.args = append(e.args, words("status", o.Outcome()))
	if o.QP != "" {
		e.args = append(e.args, words("queue pair", o.Host+"."+o.QP))
	}
	if o.Bytes > 0 {
		e.args = append(e.args, count("bytes", o.Bytes))
	}
	e.args = append(e.args, j.fault...)
	if len(j.fault) == 0 && len(o.Faults) > 0 && o.Faults[0].Rule != "" {
		e.args = append(e.args, words("rule", o.Faults[0].Rule))
	}
	if o.Done {
		e.args = append(e.args, long("latency", o.Latency()))
	}
	for p, d := range o.Parts {
		if d > 0 {
			e.args = append(e.args, long("part "+hca.PartName(sim.Part(p)), d))
		}
	}
	if e.unit == unitRequests {
		e.steps = j.steps(e.end)
	}
	return e
}

// steps cut a request at the points of its way; what it did not reach is no
// cut. They fill it (T3).
func (j *journey) steps(end sim.Time) (all []event) {
	o := &j.op
	left := o.Start.Add(o.Parts[hca.PartPost])
	at := o.Start
	for _, s := range []struct {
		name string
		to   sim.Time
	}{
		{"post (CPU)", left}, {"doorbell", j.rung}, {"fetch WQE, wait turn", j.fetched}, {"gather, send", j.sent},
		{"wire and peer", j.answered}, {"complete", j.retired},
	} {
		if to := min(s.to, end); to > at {
			all = append(all, event{at: at, end: to, name: s.name})
			at = to
		}
	}
	last := "under way"
	if o.Done {
		last = "poll (CPU)"
	}
	if end > at || all == nil {
		all = append(all, event{at: at, end: end, name: last})
	}
	return all
}

// executed returns the packet that a responder took, and forgets it.
func (j *journey) executed(host int, psn ib.PSN, any bool) (t taking, ok bool) {
	i := slices.IndexFunc(j.taken, func(t taking) bool { return t.host == host && (any || t.psn == psn) })
	if i < 0 {
		return t, false
	}
	t = j.taken[i]
	j.taken = slices.Delete(j.taken, i, i+1)
	return t, true
}
