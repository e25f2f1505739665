package timeline

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/tpt"
)

// watchChanges shows what is done to the tables, from applied to done: until
// then accesses judged before may still be under way.
func (h *hostWatch) watchChanges() {
	h.view.HCA.Unit.Changes.Watch(func(c mtp.Changed) {
		if !c.Done {
			h.applied[c.Result] = c.At
			h.touched(c.At, c.Result)
			return
		}
		from, ok := h.applied[c.Result]
		if !ok {
			from = c.At
		}
		delete(h.applied, c.Result)
		h.emit(h.changed(from, &c))
	})
}

func (h *hostWatch) changed(from sim.Time, c *mtp.Changed) *event {
	r := c.Result
	e := h.show(unitChange, from, c.At, nil, c.Command.Op.String())
	e.key, e.qp = uint32(r.Key), h.view.QP(c.Command.QPN)
	if i := r.Key.Index(); i != 0 {
		if name := h.view.ObjectOf(i); name != "" {
			e.name += " " + name
		}
	}
	e.args = append(e.args, hexa("key", uint64(r.Key)))
	if r.OldKey != 0 {
		e.args = append(e.args, hexa("old key", uint64(r.OldKey)))
	}
	if !r.Done() {
		e.name += " → refused"
		if r.Errno != ib.OK {
			e.args = append(e.args, words("errno", r.Errno.String()))
		}
		if r.Status != ib.Success {
			e.args = append(e.args, words("status", r.Status.String()))
		}
		e.args = append(e.args, words("rule", r.Rule))
	}
	return e
}

// An object is a region or window with its entry.
type object struct {
	name   string // "" until it has one
	window bool
	last   string
	since  sim.Time
}

// touched shows the states of the entries that a change altered.
func (h *hostWatch) touched(at sim.Time, r *tpt.Result) {
	for _, i := range r.Touched {
		if i != 0 {
			h.entry(at, i)
		}
	}
	for _, i := range r.Also {
		h.entry(at, i)
	}
}

// entry shows the state of one. A new object has its name when the verb that
// makes it returns: what it was until then is shown late.
func (h *hostWatch) entry(at sim.Time, i ib.Index) {
	e := h.view.HCA.Table.Entry(i)
	o := h.objects[uint32(i)]
	if o == nil {
		if e.State == tpt.Absent {
			return
		}
		o = &object{window: e.Kind.IsWindow()}
		h.objects[uint32(i)] = o
	}
	text := strings.ToUpper(e.State.String())
	if e.State != tpt.Absent {
		text += fmt.Sprintf(":%#x", uint32(ib.MakeKey(i, e.KeyByte)))
	}
	if name := h.view.ObjectOf(i); o.name == "" && name != "" {
		h.name(o, name)
	}
	if o.last != text {
		if o.name == "" && o.last != "" && e.State == tpt.Absent {
			h.name(o, fmt.Sprintf("entry_%#x", uint32(i)))
		}
		o.last, o.since = text, at
		if o.name != "" {
			h.stateOf(o)
		} else {
			h.unnamed = append(h.unnamed, uint32(i))
		}
	}
	if e.State == tpt.Absent {
		delete(h.objects, uint32(i))
	}
}

// name gives an object its name, and shows the state that it has been in.
func (h *hostWatch) name(o *object, name string) {
	o.name = name
	if o.last != "" {
		h.stateOf(o)
	}
}

func (h *hostWatch) stateOf(o *object) {
	group := "region."
	if o.window {
		group = "window."
	}
	h.emit(&event{kind: state, unit: unitKeyState, host: h.i, at: o.since, row: group + o.name, name: o.last})
}

// nameObjects looks for the names of those that have none yet.
func (h *hostWatch) nameObjects(last bool) {
	rest := h.unnamed[:0]
	for _, i := range h.unnamed {
		o := h.objects[i]
		if o == nil || o.name != "" {
			continue
		}
		name := h.view.ObjectOf(ib.Index(i))
		if name == "" && last {
			name = fmt.Sprintf("entry_%#x", i)
		}
		if name != "" {
			h.name(o, name)
		} else {
			rest = append(rest, i)
		}
	}
	h.unnamed = rest
}

// watchStates shows the states of queue pairs, regions and windows, from those
// that are declared on.
func (h *hostWatch) watchStates() {
	a := h.view.HCA
	for n := range ib.QPN(shownStates) {
		if s, ok := a.QPState(n); ok {
			h.qpState(0, n, s)
		}
	}
	for i := ib.Index(1); i <= min(a.Table.MaxEntry(), shownStates); i++ {
		if h.view.ObjectOf(i) != "" {
			h.entry(0, i)
		}
	}
}

// shownStates bounds the objects that are there from the start and have their
// states shown.
const shownStates = 1024

func (h *hostWatch) qpState(at sim.Time, n ib.QPN, s ib.QPState) {
	h.emit(&event{kind: state, unit: unitQPState, host: h.i, at: at, row: "qp." + h.qpName(uint64(n)), name: stateName(s)})
}

func stateName(s ib.QPState) string { return strings.TrimPrefix(s.String(), "IBV_QPS_") }
