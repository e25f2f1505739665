package story

import (
	"slices"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// A witness keeps what probes show of one op, and of what it is about.
type witness struct {
	s         *Survey
	v         *run.View
	id        string
	reference string // of the fastest of its kind; "" if it is that itself
	from      sim.Time
	until     sim.Time

	op, fastest *run.Op
	judged      []judged
	misses      [2]map[ib.Index]fill
	before      [2]map[ib.Index]tpt.Entry // of what the op is about, before time 0
	changes     []changed
	refusals    []refusal
	packets     []packet
	more        int // packets beyond those that are kept
	sent        map[sending]bool
	events      []event
	placed      [2]uint64
	contexts    [2]map[ib.QPN]bool // that were asked for before the op
	reached     bool               // a packet of it was taken at the peer
	waited      sim.Duration
	qpn         [2]ib.QPN
	states      [2]ib.QPState
	answering   ib.QPState // of the peer's queue pair, when the first packet came there
	neighbours  []run.Op
	crowd       int // neighbours beyond those that are kept
}

// How much is kept of each kind.
const (
	mostJudged     = 16
	mostChanges    = 64
	mostPackets    = 24
	mostNeighbours = 256
)

// A judged access of the op.
type judged struct {
	at    sim.Time
	end   int
	hit   bool
	fault tpt.Fault
	tpt.Access
	entry tpt.Entry // that judged it
	truth tpt.Entry // in host memory at that instant
	since fill      // of a hit: what brought the copy
}

// A fill is the last time that an entry was brought on chip.
type fill struct {
	at    sim.Time
	op    string
	known bool
	gone  bool // its copies were dropped since
}

// A changed entry that the op is about.
type changed struct {
	at    sim.Time
	end   int
	entry ib.Index
	op    string
	line  int
	done  sim.Time
	cmd   tpt.Command
	res   tpt.Result
	after tpt.Entry
	of    [2]tpt.Entry // of a bind: window and region, as they were judged
	held  []ib.Index   // windows that held on to it, of what was refused
}

// A refusal of the op.
type refusal struct {
	end int
	hca.Refusal
}

// A packet of the op.
type packet struct {
	at      sim.Time
	from    int
	headers ib.Headers
	payload int
	fate    wire.Fate
	again   bool
}

// sending tells a packet from one that is sent again.
type sending struct {
	from int
	psn  ib.PSN
	ack  bool
	said ib.Syndrome
}

type event struct {
	at  sim.Time
	end int
	eqe ib.EQE
}

// watch lets the run be seen.
func (w *witness) watch(v *run.View) {
	w.v = v
	v.Follow(func(n uint32) bool {
		o, known := v.Op(n)
		return known && (o.ID == w.id || o.ID == w.reference)
	})
	v.Ended.Watch(w.ended)
	v.Link.Tap.Watch(w.passed)
	for end := range v.Hosts {
		w.misses[end] = map[ib.Index]fill{}
		w.contexts[end] = map[ib.QPN]bool{}
		h := v.Hosts[end].HCA
		w.before[end] = map[ib.Index]tpt.Entry{}
		for _, i := range w.s.entries[end] {
			w.before[end][i] = h.Table.Entry(i)
		}
		h.Unit.Contexts.Watch(func(l mtp.ContextLookup) {
			if l.At < w.from {
				w.contexts[end][l.QPN] = true
			}
		})
		h.Unit.Judgements.Watch(func(j mtp.Judgement) { w.judge(end, h, &j) })
		h.Unit.Changes.Watch(func(c mtp.Changed) { w.change(end, h, &c) })
		h.Refused.Watch(func(f hca.Refusal) {
			if w.mine(f.Op) {
				w.refusals = append(w.refusals, refusal{end, f})
			}
		})
		h.Raised.Watch(func(e ib.EQE) {
			if w.during() && len(w.events) < mostJudged {
				w.events = append(w.events, event{v.Now(), end, e})
			}
		})
		h.Landed.Watch(func(l *hca.Landing) {
			if w.mine(l.Op) {
				w.placed[end] += uint64(l.N)
			}
		})
		h.Retired.Watch(func(t *hca.Retirement) {
			if !t.Recv && w.mine(t.Op) {
				w.qpn[end] = t.QPN
			}
		})
		h.Reached.Watch(func(st hca.Stage) {
			if st.Stage == hca.StageReceive && !w.reached && w.mine(st.Op) && w.qpn[end] != 0 {
				w.reached = true
				w.answering, _ = h.QPState(w.qpn[end])
			}
		})
		v.Hosts[end].Host.Bus.Taps.Requests.Watch(func(r pcie.Record) {
			if n, known := h.WhoseDMA(r.Client, r.Handle); known && w.mine(n) {
				w.waited += r.Sent.Sub(r.Issued)
			}
		})
	}
}

// during reports whether the op is under way.
func (w *witness) during() bool { now := w.v.Now(); return now >= w.from && now <= w.until }

// mine reports whether a number is that of the op.
func (w *witness) mine(n uint32) bool { return w.during() && named(w.v, n, w.id) }

func (w *witness) ended(o *run.Op) {
	switch {
	case o.ID == w.id:
		c := *o
		w.op = &c
		w.sample()
	case o.ID == w.reference:
		c := *o
		w.fastest = &c
	case !o.Recv && o.Host == w.s.op.Host && !o.Verb && o.Start <= w.until && o.End >= w.from:
		if len(w.neighbours) < mostNeighbours {
			w.neighbours = append(w.neighbours, *o)
		} else {
			w.crowd++
		}
	}
	if o.Verb {
		w.attribute(o)
	}
}

// sample looks at the states of both queue pairs.
func (w *witness) sample() {
	for end, n := range w.qpn {
		if n != 0 {
			w.states[end], _ = w.v.Hosts[end].HCA.QPState(n)
		}
	}
}

// judge keeps an access of the op, and notes who brought which entry.
func (w *witness) judge(end int, h *hca.HCA, j *mtp.Judgement) {
	a := j.Access
	i := a.Key.Index()
	n, known := h.WhoseAccess(a)
	mine := known && a.Judge.Length > 0 && w.mine(n)
	if mine && len(w.judged) < mostJudged {
		w.judged = append(w.judged, judged{j.At, end, a.MPTHit, a.Fault, a.Access, a.Entry, h.Table.Entry(i), w.misses[end][i]})
	}
	if !a.MPTHit && slices.Contains(w.s.entries[end], i) {
		f := fill{at: j.At, known: true}
		if o, ok := w.v.Op(n); known && ok {
			f.op = o.ID
		}
		w.misses[end][i] = f
	}
}

// change keeps what alters an entry that the op is about.
func (w *witness) change(end int, h *hca.HCA, c *mtp.Changed) {
	if c.Done {
		for k := range w.changes {
			if x := &w.changes[k]; x.end == end && x.done == 0 && x.cmd.Op == c.Command.Op && x.res.Index == c.Result.Index {
				x.done = c.At
			}
		}
		return
	}
	n, known := h.WhoseChange(c)
	for _, i := range w.s.entries[end] {
		touched := slices.Contains(c.Result.Touched[:], i) || slices.Contains(c.Result.Also, i)
		mine := known && w.mine(n) && slices.Contains(concerned(c.Command, c.Result), i)
		verbs := !known && !c.Result.Done() && slices.Contains(concerned(c.Command, c.Result), i)
		if !touched && !mine && !verbs {
			continue
		}
		x := changed{at: c.At, end: end, entry: i, cmd: *c.Command, res: *c.Result, after: h.Table.Entry(i)}
		x.cmd.Pages, x.cmd.Runs = nil, nil
		if !c.Result.Done() {
			x.of = [2]tpt.Entry{h.Table.Entry(c.Command.Window), h.Table.Entry(c.Command.Region.Index())}
			x.held = holders(h.Table, i)
		}
		if o, ok := w.v.Op(n); known && ok {
			x.op, x.line = o.ID, o.Line
		}
		if touched {
			if f := w.misses[end][i]; f.known && !f.gone {
				f.gone, f.at = true, c.At
				w.misses[end][i] = f
			}
		}
		if len(w.changes) == mostChanges { // the first and the newest say most
			w.changes = slices.Delete(w.changes, 1, 2)
		}
		w.changes = append(w.changes, x)
	}
}

// holders returns the windows that are bound to a region, the first few.
func holders(t *tpt.Table, region ib.Index) (list []ib.Index) {
	for i, e := range t.Entries() {
		if len(list) == mostEntries {
			break
		}
		if e.Kind.IsWindow() && e.State == tpt.Valid && e.Region == region {
			list = append(list, i)
		}
	}
	return list
}

// attribute finds the changes that a verb has made: drivers do not say whose a
// command is.
func (w *witness) attribute(o *run.Op) {
	end := w.s.end(o.Host)
	for k := range w.changes {
		if x := &w.changes[k]; x.op == "" && x.end == end && o.Start <= x.at && x.at <= o.End && verbs[x.cmd.Op] == o.Request {
			x.op, x.line = o.ID, o.Line
		}
	}
}

// verbs are the calls that change tables by a command of the driver.
var verbs = map[tpt.Op]string{
	tpt.RegMR: "ibv_reg_mr", tpt.RegShared: "ibv_reg_shared_mr", tpt.AllocMR: "ibv_alloc_mr", tpt.ReregMR: "ibv_rereg_mr",
	tpt.DeregMR: "ibv_dereg_mr", tpt.AllocMW: "ibv_alloc_mw", tpt.DeallocMW: "ibv_dealloc_mw",
}

// passed keeps a packet of the op.
func (w *witness) passed(p *wire.Packet) {
	if !w.mine(p.Op) {
		return
	}
	from := int(p.Src)
	answer := p.BTH.Opcode.IsResponse()
	if !answer {
		w.qpn[1-from] = p.BTH.DestQP
	}
	key := sending{from, p.BTH.PSN, answer, p.AETH.Syndrome}
	again := w.sent[key]
	if w.sent == nil {
		w.sent = map[sending]bool{}
	}
	if len(w.sent) < 1<<16 {
		w.sent[key] = true
	}
	x := packet{p.Entered, from, p.Headers, len(p.Payload), p.Fate, again || p.Fate == wire.Copy}
	if len(w.packets) == mostPackets { // the first half stays, and the newest
		w.packets = slices.Delete(w.packets, mostPackets/2, mostPackets/2+1)
		w.more++
	}
	w.packets = append(w.packets, x)
}
