package run

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
	"hcasim/tpt"
)

// events compares the asynchronous events since the step began, on all hosts.
func (v *verdict) events(e *lang.Events) {
	got := v.told()
	var names []string
	for _, g := range got {
		names = append(names, g.side.name+": "+g.what())
	}
	ok := len(got) == len(e.List)
	left := slices.Clone(got)
	for i := range e.List {
		w := &e.List[i]
		at := slices.IndexFunc(left, func(g event) bool { return v.isEvent(w, g) })
		if at < 0 {
			ok = false
			break
		}
		left = slices.Delete(left, at, at+1)
	}
	want := "none"
	if !e.None {
		var list []string
		for i := range e.List {
			list = append(list, showEvent(&e.List[i]))
		}
		want = strings.Join(list, ", ")
	}
	v.hold(ok, e.Pos, "event", want, orNone(names))
}

func (g event) what() string {
	if g.iommu {
		return fmt.Sprintf("IOMMU fault at %#x", g.addr)
	}
	return g.eqe.Event.String()
}

func showEvent(w *lang.EventExpect) string {
	text := "IOMMU fault"
	if w.Event != nil {
		text = w.Event.String()
	}
	if w.QP.Given() {
		text += " of " + w.QP.Name
	}
	if w.On.Text != "" {
		text = w.On.Text + ": " + text
	}
	return text
}

func (v *verdict) isEvent(w *lang.EventExpect, g event) bool {
	if w.IOMMU != g.iommu || w.Event != nil && *w.Event != g.eqe.Event || !on(w.On, g.side) {
		return false
	}
	if n := v.r.object(w.QP); n != nil && n.qp != nil {
		return n.side == g.side && n.qp.N == g.eqe.QPN
	}
	return true
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// fault compares the refusals since the step began.
func (v *verdict) fault(f *lang.FaultExpect) {
	got := v.r.rec.faults[v.from.faults:]
	var names []string
	found := false
	for _, g := range got {
		names = append(names, fmt.Sprintf("%v at %s (%s)", g.Cause, g.Host, g.Rule))
		found = found || on(f.At, &side{name: g.Host}) && (f.Cause == nil || *f.Cause == g.Cause) && (f.Rule == "" || f.Rule == g.Rule)
	}
	if f.None {
		v.hold(len(got) == 0, f.Pos, "fault", "none", orNone(names))
		return
	}
	want := "any"
	if f.Cause != nil {
		want = f.Cause.String()
	}
	if f.At.Text != "" {
		want += " at " + f.At.Text
	}
	if f.Rule != "" {
		want += " (" + f.Rule + ")"
	}
	v.hold(found, f.Pos, "fault", want, orNone(names))
}

// state compares the state of a queue pair.
func (v *verdict) state(s *lang.StateExpect) {
	n := v.r.object(s.QP)
	if n == nil || n.qp == nil {
		v.hold(false, s.Pos, "qp "+s.QP.String(), "a state", "no such queue pair")
		return
	}
	got, _ := n.side.hca.QPState(n.qp.N)
	var names []string
	for _, w := range s.State {
		names = append(names, w.String())
	}
	v.hold(slices.Contains(s.State, got), s.Pos, "qp "+s.QP.String(), strings.Join(names, " or "), got.String())
}

// host compares objects and counts of one host.
func (v *verdict) host(name string, h *lang.HostExpect) {
	for i := range h.Objects {
		v.object(&h.Objects[i])
	}
	now := v.r.census()
	for _, c := range h.Counts {
		what := name + "." + c.What
		want := c.N
		if c.Unchanged {
			want = v.from.counts[what]
		}
		v.hold(now[what] == want, c.Pos, "count of "+c.What, fmt.Sprint(want), fmt.Sprint(now[what]))
	}
}

// object compares the state of a region, window or queue pair as the table
// has it.
func (v *verdict) object(o *lang.ObjectExpect) {
	n := v.r.object(o.Of)
	what := o.Of.String()
	if n == nil {
		v.hold(o.State != nil && *o.State == tpt.Absent, o.Pos, what, "a state", "no such object")
		return
	}
	v.place(o, n, what)
	if o.QPState != nil {
		v.state(&lang.StateExpect{Pos: o.Pos, QP: o.Of, State: []ib.QPState{*o.QPState}})
	}
	e := v.r.entry(n)
	if o.State != nil {
		v.hold(e.State == *o.State, o.Pos, what, o.State.String(), e.State.String())
	}
	rights := e.Rights
	if o.Access != nil {
		v.hold(rights == *o.Access, o.Pos, what+" access", o.Access.String(), rights.String())
	}
	if pd := v.r.object(o.PD); pd != nil {
		v.hold(e.PD == pd.pd.N, o.Pos, what+" pd", o.PD.Name, fmt.Sprint(e.PD))
	}
	if q := v.r.object(o.QP); q != nil {
		v.hold(e.QPN == q.qp.N, o.Pos, what+" qp", o.QP.Name, fmt.Sprint(e.QPN))
	}
	if m := v.r.object(o.MR); m != nil {
		v.hold(e.Region == m.mr.Index, o.Pos, what+" mr", o.MR.Name, fmt.Sprintf("entry %d", e.Region))
	}
	if o.Addr != nil {
		v.hold(e.Start == uint64(*o.Addr), o.Pos, what+" addr", fmt.Sprintf("%#x", uint64(*o.Addr)), fmt.Sprintf("%#x", e.Start))
	}
	if o.Length != nil {
		v.hold(e.Length == uint64(*o.Length), o.Pos, what+" length", o.Length.String(), sim.Bytes(e.Length).String())
	}
	if o.Windows != nil {
		bound := n.side.hca.Table.Bound(n.index())
		v.hold(bound == *o.Windows, o.Pos, what+" windows", fmt.Sprint(*o.Windows), fmt.Sprint(bound))
	}
	if o.Posted != nil && n.qp != nil {
		posted := n.side.hca.PostedReceives(n.qp.N)
		v.hold(posted == *o.Posted, o.Pos, what+" posted", fmt.Sprint(*o.Posted), fmt.Sprint(posted))
	}
}

// key compares keys.
func (v *verdict) key(k *lang.KeyExpect) {
	if k.Distinct != nil {
		v.distinct(k)
		return
	}
	n := v.r.object(k.Of)
	var got, before ib.Key
	what := "key"
	if n != nil {
		got, before, what = n.key(), n.keyAt(v.from.learned), "key of "+k.Of.String()
	} else if inc, ok := v.st.Do.(*lang.IncRKey); ok {
		before = v.r.value(&inc.Key, nil, false)
		got = before.Next()
	}
	hex := func(k ib.Key) string { return fmt.Sprintf("%#08x", uint32(k)) }
	if k.New != nil {
		v.hold((got != before) == *k.New, k.Pos, what, map[bool]string{true: "a new one", false: "the same"}[*k.New], hex(got)+", before "+hex(before))
	}
	if k.Equals != nil {
		want := v.r.value(k.Equals, n, true)
		v.hold(got == want, k.Pos, what, hex(want), hex(got))
	}
	if k.Differs != nil {
		other := v.r.value(k.Differs, n, true)
		v.hold(got != other, k.Pos, what, "not "+hex(other), hex(got))
	}
	if k.Byte.Given {
		want := uint8(k.Byte.Apply(int64(before.Byte())))
		v.hold(got.Byte() == want, k.Pos, what+" byte", fmt.Sprintf("%#02x", want), fmt.Sprintf("%#02x", got.Byte()))
	}
	if k.SameIndex != nil {
		v.hold((got.Index() == before.Index()) == *k.SameIndex, k.Pos, what+" index", fmt.Sprint(before.Index()), fmt.Sprint(got.Index()))
	}
}

// distinct asks that no two objects have the same index, and none has 0.
func (v *verdict) distinct(k *lang.KeyExpect) {
	all, ok := v.r.newList(k.Distinct, 1)
	problem := ""
	if !ok {
		problem, all = "not all were made", &list{}
	}
	seen := map[ib.Index]int{}
	for at := range all.n {
		i := all.at(at).index()
		if other, twice := seen[i]; twice {
			problem = fmt.Sprintf("%s and %s have index %d", all.name(other), all.name(at), i)
		}
		if i == 0 {
			problem = all.name(at) + " has index 0"
		}
		seen[i] = at
	}
	v.hold(problem == "", k.Pos, "keys", "distinct indices, none 0", problem)
}

// elements returns the object that a reference names, or all of an array.
func (r *runner) elements(ref lang.Ref) (list []*named) {
	if ref.Index != lang.Whole {
		return []*named{r.object(ref)}
	}
	x := r.side(ref.Host)
	if x.names[element(ref.Name, 1)] == nil {
		if n := r.object(ref); n != nil {
			list = append(list, n)
		}
		return list
	}
	for i := 0; ; i++ {
		n := x.names[element(ref.Name, i)]
		if n == nil {
			return list
		}
		list = append(list, n)
	}
}
