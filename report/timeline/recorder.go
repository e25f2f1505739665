package timeline

import (
	"io"
	"maps"
	"slices"
	"strconv"

	"hcasim/mtp"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
	"hcasim/wire"
)

// A Recorder writes one timeline.
type Recorder struct {
	view     *run.View
	options  Options
	writer   writer
	byNumber []*journey
	open     map[name]*journey // begun, with a number, and not ended
	hosts    [2]hostWatch
	matched  int
	seq      uint64
}

// A writer shows events in one form.
type writer interface {
	take(*event)
	close() error
}

// A hostWatch is what there is to remember of a host.
type hostWatch struct {
	r         *Recorder
	i         int
	view      *run.HostView
	judged    *event // just now, and still in the key stage
	judgedID  uint32
	parked    map[uint32]sim.Time      // accesses that wait for their entry, since when
	rungs     map[string]*ringing      // doorbells not decoded yet, by queue pair
	coming    [2][]*passing            // packets in the receive pipeline, by class
	onWire    map[uint64]*passing      // packets on the way here, by number
	edges     [2]sim.Time              // until when PCIe was busy, up and down
	applied   map[*tpt.Result]sim.Time // changes applied and not done
	coherence *mtp.Coherence
	broken    int                // violations of it that were shown
	objects   map[uint32]*object // by entry, those that are there
	unnamed   []uint32           // of them, in the order in which they came
}

// Watch begins to write a timeline of a kind into to. About stands at its head.
func Watch(v *run.View, kind, about string, o Options, to io.Writer) (*Recorder, error) {
	r := &Recorder{view: v, options: o, open: map[name]*journey{}}
	var err error
	if kind == "vcd" { // signals are whole: what is chosen are times
		r.options = Options{}
		r.writer, err = newVCD(v, about, &o, to)
	} else {
		r.writer = newChrome(v, about, &o, to)
	}
	if err != nil {
		return nil, err
	}
	v.Ended.Watch(r.ended)
	for i := range v.Hosts {
		h := &r.hosts[i]
		*h = hostWatch{r: r, i: i, view: &v.Hosts[i], parked: map[uint32]sim.Time{}, rungs: map[string]*ringing{},
			onWire: map[uint64]*passing{}, applied: map[*tpt.Result]sim.Time{}, objects: map[uint32]*object{}}
		h.watchUnit()
		h.watchChanges()
		h.watchDMA()
		h.watchTLPs()
		h.watchStages()
		h.watchPackets()
		h.watchFaults()
		h.watchStates()
	}
	v.Link.Tap.Watch(func(p *wire.Packet) { r.hosts[p.Src].entered(p) })
	v.Link.Received.Watch(func(t wire.Receipt) { r.hosts[t.From.Peer()].received(&t) })
	return r, nil
}

// Matched returns how many ops were shown.
func (r *Recorder) Matched() int { return r.matched }

// Close writes what is left. The error is of the writer.
func (r *Recorder) Close() error {
	for _, j := range r.byNumber { // a walk in order: r.open has none
		if j != nil && !j.ended {
			r.finish(j)
		}
	}
	for i := range r.hosts {
		r.hosts[i].close()
	}
	return r.writer.close()
}

// emit shows an event, if it is one of those asked for.
func (r *Recorder) emit(e *event) {
	e.seq = r.seq
	r.seq++
	j := e.of
	switch {
	case e.kind == change || e.kind == state:
		r.writer.take(e)
	case j == nil:
		if r.options.overlaps(e.at, max(e.at, e.end)) && r.loose(e) {
			r.writer.take(e)
		}
	case j.fate == chosen:
		r.writer.take(e)
	case j.fate == undecided:
		r.decide(j, e)
	}
}

// loose reports whether an event of no request is asked for.
func (r *Recorder) loose(e *event) bool {
	o := &r.options
	return o.Op == "" && (o.QP == "" || o.ofQP(r.view.Hosts[e.host].Name, e.qp)) && (!o.Keyed || e.key == uint32(o.Key))
}

// decide shows all of a request once it is seen to be one of those asked for.
func (r *Recorder) decide(j *journey, e *event) {
	o := &r.options
	j.kept = append(j.kept, e)
	j.near = j.near || o.overlaps(e.at, max(e.at, e.end))
	j.used = j.used || !o.Keyed || e.key == uint32(o.Key)
	if !j.near || !j.used {
		return
	}
	j.fate = chosen
	for _, e := range j.kept {
		r.writer.take(e)
	}
	j.kept = nil
}

// count changes a count.
func (r *Recorder) count(host int, at sim.Time, row, series string, by int) {
	r.emit(&event{kind: change, unit: unitCount, host: host, at: at, row: row, name: series, delta: by})
}

// show is emit of a span that has to do with a request, if there is one.
func (h *hostWatch) show(u unit, from, to sim.Time, of *journey, name string, args ...arg) *event {
	e := &event{kind: span, unit: u, host: h.i, at: from, end: max(from, to), of: of, name: name}
	if of != nil {
		e.args = append(e.args, words("op", of.op.ID))
		if of.op.Line > 0 {
			e.args = append(e.args, count("line", uint64(of.op.Line)))
		}
	}
	e.args = append(e.args, args...)
	return e
}

func (h *hostWatch) emit(e *event) { h.r.emit(e) }

// close shows what was still waiting for its end.
func (h *hostWatch) close() {
	for _, name := range slices.Sorted(maps.Keys(h.rungs)) {
		h.unrung(name)
	}
	h.nameObjects(true)
}

func hexText(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// qpName returns the name of a queue pair, or its number.
func (h *hostWatch) qpName(n uint64) string {
	if name := h.view.QP(qpn(n)); name != "" {
		return name
	}
	return "queue pair " + hexText(n)
}
