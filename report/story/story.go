package story

import (
	"fmt"

	"hcasim/ib"
	"hcasim/report/causes"
	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
)

// formatVersion is that of the JSON document. It is raised when a member goes
// away or changes its meaning.
const formatVersion = 1

// A Story is all that is told of one op. Times are in picoseconds.
type Story struct {
	Format       string    `json:"format"` // hcasim.story
	Version      int       `json:"version"`
	ModelVersion int       `json:"model_version"`
	Name         string    `json:"name"`
	Hash         string    `json:"hash"`
	Op           string    `json:"op"`
	Where        string    `json:"where"` // file:line
	Asked        []string  `json:"asked"`
	Status       string    `json:"status"`
	Start        sim.Time  `json:"start_ps"`
	End          sim.Time  `json:"end_ps"` // 0: it has not ended
	Latency      uint64    `json:"latency_ps"`
	Verdict      string    `json:"verdict"`
	Cause        string    `json:"cause,omitempty"`
	Means        string    `json:"means,omitempty"`
	Rule         string    `json:"rule,omitempty"`
	RuleText     string    `json:"rule_text,omitempty"`
	Culprit      string    `json:"culprit,omitempty"` // the op whose failure ended this one
	Checks       []Check   `json:"checks,omitempty"`
	Entry        []string  `json:"entry,omitempty"`
	Keys         []Key     `json:"keys,omitempty"`
	Packets      []Frame   `json:"packets,omitempty"`
	MorePackets  int       `json:"packets_omitted,omitempty"`
	Told         []string  `json:"told,omitempty"`
	Memory       []string  `json:"memory,omitempty"`
	Path         []Segment `json:"path,omitempty"`
	Waits        []string  `json:"waits,omitempty"`
	Savings      []Saving  `json:"savings,omitempty"`
	Change       []string  `json:"change,omitempty"`
	See          []string  `json:"see,omitempty"`
}

// A Source says where a result lies, how a user names it, and where its steps
// stand in his file.
type Source struct {
	Name  string      // as it stands in commands: the folder, or the file
	Flags string      // that commands on it need as well
	File  string      // of the user; "" when nobody knows
	Lines map[int]int // by step: of that file, where they are not those of the scenario that runs
	Kept  bool        // it is a folder
}

// at returns file:line of an op.
func (src *Source) at(o *run.Op) string { return src.line(o.Step, o.Line) }

func (src *Source) line(step, line int) string {
	if src.Lines != nil {
		line = src.Lines[step]
	}
	if line <= 0 {
		return fmt.Sprintf("%s step %d", src.File, step)
	}
	return fmt.Sprintf("%s:%d", src.File, line)
}

// A teller makes the story of one op.
type teller struct {
	*Story
	s      *Survey
	w      *witness
	src    *Source
	op     *run.Op
	fault  *run.Fault // that ended it; nil if none did
	own    bool       // it is of the op itself
	cause  *causes.Cause
	from   int // end of the host that asked
	domain [2]map[ib.PDN]string
}

// Tell runs the scenario again and tells what became of the op that Look found.
func Tell(s *Survey, src *Source) (*Story, error) {
	w := &witness{s: s, id: s.op.ID, from: s.op.Start, until: s.op.End}
	if !s.op.Done {
		w.until = sim.Never
	}
	for i := range s.Result.Faults {
		if f := &s.Result.Faults[i]; f.Op == s.op.ID && f.At >= w.from {
			w.until = max(w.until, f.At)
		}
	}
	if at := s.kinds[kind{s.op.Host, s.op.Request, s.op.Bytes}]; at != nil && at.fastest.ID != s.op.ID {
		w.reference = at.fastest.ID
	}
	if _, err := s.again(w.watch); err != nil {
		return nil, err
	}
	if w.op == nil { // it has not ended
		w.op = &s.op
		w.sample()
	}
	w.op.Faults, w.op.Expected = s.op.Faults, s.op.Expected
	t := &teller{Story: &Story{}, s: s, w: w, src: src, op: w.op, from: s.end(s.op.Host)}
	t.tell()
	return t.Story, nil
}

// tell fills in the story from its head to its end.
func (t *teller) tell() {
	o := t.op
	t.Format, t.Version, t.ModelVersion = "hcasim.story", formatVersion, scenario.ModelVersion
	t.Name, t.Hash, t.Op, t.Where = t.s.Run.Name, t.s.Run.Hash(), o.ID, t.src.at(o)
	t.Status, t.Start = o.Outcome(), o.Start
	if o.Done {
		t.End, t.Latency = o.End, uint64(o.Latency())
	}
	t.names()
	t.find()
	t.asked()
	t.verdict()
	t.checks()
	t.entry()
	t.keys()
	t.frames()
	t.told()
	t.memory()
	t.path()
	t.savings()
	t.waits()
	t.Change = t.advice()
	t.see()
}

// names learns what the protection domains are called.
func (t *teller) names() {
	for end := range t.domain {
		t.domain[end] = map[ib.PDN]string{}
	}
	for i := range t.s.Result.Keys {
		if l := &t.s.Result.Keys[i]; l.PD != "" {
			t.domain[t.s.end(l.Host)][l.PDN()] = l.PD
		}
	}
}

// pd calls a domain by its name.
func (t *teller) pd(end int, n ib.PDN) string {
	if name := t.domain[end][n]; name != "" {
		return name
	}
	return fmt.Sprintf("PD %d", n)
}

// qp calls a queue pair by its name.
func (t *teller) qp(end int, n ib.QPN) string {
	if name := t.host(end).QP(n); name != "" {
		return name
	}
	return fmt.Sprintf("QP %#x", uint32(n))
}

func (t *teller) host(end int) *run.HostView { return &t.w.v.Hosts[end] }

// find looks for the refusal that ended the op: its own; of a receive, that of
// the request it was taken for; of what was flushed, the first of its queue.
func (t *teller) find() {
	o := t.op
	faults := t.s.Result.Faults
	switch {
	case len(o.Faults) > 0:
		t.fault, t.own = &o.Faults[0], true
	case !o.Done || !o.Failed() || o.Verb:
	case o.Recv || o.Status == ib.WRFlushErr:
		for i := range faults {
			f := &faults[i]
			if f.Host != o.Host || f.At > o.End || f.QPN == 0 || o.Status != ib.WRFlushErr && !f.Remote {
				continue
			}
			if name := t.host(t.from).QP(f.QPN); name == o.QP || o.Recv && t.shared(o.QP) {
				t.fault = f // the last before its end, so that an earlier life of the queue is not meant
			}
		}
	}
	if t.fault == nil && len(t.w.refusals) > 0 { // of a load, which keeps none with its ops
		r := &t.w.refusals[0]
		for i := range faults {
			if f := &faults[i]; f.At == r.At && f.QPN == r.QPN && t.s.end(f.Host) == r.end {
				t.fault, t.own = f, true
			}
		}
	}
	t.findCause()
	if t.fault != nil && !t.own && t.fault.Op != o.ID {
		t.Culprit = t.fault.Op
	}
	if t.Culprit == "" && o.Status == ib.WRFlushErr && o.Done && !o.Verb {
		t.Culprit = t.firstFailure()
	}
}

// shared reports whether a receive's queue is a shared one.
func (t *teller) shared(name string) bool {
	for i := range t.s.Run.Hosts {
		if t.s.Run.Hosts[i].Name != t.op.Host {
			continue
		}
		for _, q := range t.s.Run.Hosts[i].Value.QP {
			if q.Name == name {
				return false
			}
		}
	}
	return t.op.Request == "ibv_post_srq_recv"
}

// firstFailure returns the op that put the queue pair into its error state.
func (t *teller) firstFailure() string {
	id, at := "", sim.Never
	for i := range t.s.Result.Ops {
		o := &t.s.Result.Ops[i]
		if o.Host == t.op.Host && o.QP == t.op.QP && o.Done && !o.Verb && o.Failed() && o.Status != ib.WRFlushErr && o.End < at && o.End <= t.op.End {
			id, at = o.ID, o.End
		}
	}
	return id
}

// findCause names the cause.
func (t *teller) findCause() {
	o := t.op
	switch {
	case t.fault != nil && t.own && changes(o.Request):
		t.cause = causes.OfRule(t.fault.Rule)
		if t.cause == nil || t.fault.Cause != tpt.OK {
			t.cause = ofChange(o.Request)
		}
	case t.fault != nil && t.fault.Cause != tpt.OK:
		t.cause = causes.OfFault(t.fault.Cause)
		if t.invalidating() {
			t.cause, _ = causes.Find(causes.Invalidate)
		}
	case t.fault != nil:
		t.cause = causes.OfRule(t.fault.Rule)
		if o.Verb && t.own && (t.cause == nil || t.cause.Name != causes.Post) {
			t.cause, _ = causes.Find(causes.Verb)
			if posts(o.Request) {
				t.cause, _ = causes.Find(causes.Post)
			}
		}
	case !o.Done || !o.Failed():
		return
	case o.Verb && posts(o.Request):
		t.cause, _ = causes.Find(causes.Post)
	case o.Verb:
		t.cause, _ = causes.Find(causes.Verb)
	case o.Status == ib.RetryExcErr:
		t.cause, _ = causes.Find(causes.NoAnswer)
	case o.Status == ib.RNRRetryExcErr:
		t.cause, _ = causes.Find(causes.NoRecv)
	case o.Status == ib.WRFlushErr:
		t.cause, _ = causes.Find(causes.Flushed)
	}
	if t.fault != nil && !t.own && o.Status == ib.WRFlushErr {
		t.cause, _ = causes.Find(causes.Flushed)
	}
	if t.cause != nil {
		t.Cause, t.Means = t.cause.Name, t.cause.Means
	}
}

// invalidating reports whether what was refused is the invalidate of a peer.
func (t *teller) invalidating() bool {
	switch t.fault.Rule {
	case "INV-2", "INV-3", "INV-4", "INV-8":
		return true
	}
	return false
}

// changes reports whether a request changes the tables.
func changes(request string) bool {
	return request == "IBV_WR_BIND_MW" || request == "ibv_bind_mw" || request == "IBV_WR_LOCAL_INV" || request == "IBV_WR_REG_MR"
}

// ofChange is the cause of a change that was refused.
func ofChange(request string) *causes.Cause {
	name := causes.Bind
	switch request {
	case "IBV_WR_LOCAL_INV":
		name = causes.Invalidate
	case "IBV_WR_REG_MR":
		name = causes.Register
	}
	c, _ := causes.Find(name)
	return c
}

// posts reports whether a request is posted to a queue, not a verb of its own.
func posts(request string) bool {
	return len(request) > 4 && request[:4] == "IBV_" || request == "ibv_post_recv" || request == "ibv_post_srq_recv"
}
