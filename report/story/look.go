package story

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/scenario"
	"hcasim/scenario/lang"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/tpt"
)

// A Runner runs the scenario once, before the eyes of a watcher.
type Runner func(watch func(*run.View)) (*run.Result, error)

// A kind is requests that may be compared with each other.
type kind struct {
	host, request string
	bytes         uint64
}

// span is the fastest and the slowest of a kind, of those that did not fail.
type span struct {
	fastest, slowest run.Op
	n                uint64
}

// A Survey is a run as it is before one asks for an op of it.
type Survey struct {
	Run    *scenario.Run
	Result *run.Result

	again   Runner
	view    *run.View
	kinds   map[kind]*span
	order   []kind
	op      run.Op
	found   bool
	failed  []run.Op      // the first few
	entries [2][]ib.Index // that the op is about
	recent  [2][]recent   // changes of the tables, the last few
}

// A recent change and the entries that it names.
type recent struct {
	at      sim.Time
	entries []ib.Index
}

// Look runs a scenario and finds an op of it; with id "" none.
func Look(r *scenario.Run, again Runner, id string) (*Survey, error) {
	s := &Survey{Run: r, again: again, kinds: map[kind]*span{}}
	wanted := s.resolve(id)
	if err := s.look(wanted); err != nil || id == "" || s.found {
		return s, err
	}
	within, ok := s.within(wanted)
	if !ok {
		return nil, s.unknown(id)
	}
	s.kinds, s.order, s.failed = map[kind]*span{}, nil, nil
	return s, s.look(within)
}

// look runs it once.
func (s *Survey) look(id string) (err error) {
	s.Result, err = s.again(func(v *run.View) {
		s.view = v
		v.Ended.Watch(func(o *run.Op) { s.ended(o, id) })
		if id == "" {
			return
		}
		for end := range v.Hosts {
			h := &v.Hosts[end]
			h.HCA.Unit.Judgements.Watch(func(j mtp.Judgement) {
				if n, known := h.HCA.WhoseAccess(j.Access); known && j.Access.Judge.Length > 0 && named(v, n, id) {
					s.about(end, j.Access.Key.Index())
				}
			})
			h.HCA.Unit.Changes.Watch(func(c mtp.Changed) {
				if n, known := h.HCA.WhoseChange(&c); known && named(v, n, id) {
					s.about(end, concerned(c.Command, c.Result)...)
				} else if !known {
					s.remember(end, &c)
				}
			})
		}
	})
	if err != nil || id == "" || s.found {
		return err
	}
	for i := range s.Result.Ops { // one that has not ended
		if o := &s.Result.Ops[i]; o.ID == id {
			s.op, s.found = *o, true
		}
	}
	return nil
}

// named reports whether the op of a number has an id.
func named(v *run.View, number uint32, id string) bool {
	o, known := v.Op(number)
	return known && o.ID == id
}

// ended keeps what is compared later, and the op that is asked for.
func (s *Survey) ended(o *run.Op, id string) {
	if o.ID == id {
		s.op, s.found = *o, true
		if o.Verb {
			s.ofVerb(o)
		}
	}
	if Worth(o) && len(s.failed) < mostRefused {
		s.failed = append(s.failed, *o)
	}
	if o.Recv || o.Failed() {
		return
	}
	k := kind{o.Host, o.Request, o.Bytes}
	at := s.kinds[k]
	if at == nil {
		if len(s.kinds) == mostKinds {
			return
		}
		at = &span{fastest: *o, slowest: *o}
		s.kinds[k], s.order = at, append(s.order, k)
	}
	at.n++
	if o.Latency() < at.fastest.Latency() {
		at.fastest = *o
	}
	if o.Latency() > at.slowest.Latency() {
		at.slowest = *o
	}
}

// mostKinds bounds the kinds that are told apart.
const mostKinds = 1000

// about notes entries that the op is about.
func (s *Survey) about(end int, entries ...ib.Index) {
	for _, i := range entries {
		if i != 0 && !slices.Contains(s.entries[end], i) && len(s.entries[end]) < mostEntries {
			s.entries[end] = append(s.entries[end], i)
		}
	}
}

// mostEntries bounds the entries of one op: a request has few pieces.
const mostEntries = 8

// concerned are the entries that a change is about.
func concerned(c *tpt.Command, r *tpt.Result) []ib.Index {
	switch c.Op {
	case tpt.BindMW:
		return []ib.Index{c.Window, c.Region.Index()}
	case tpt.FastRegMR, tpt.LocalInv, tpt.RemoteInv:
		return []ib.Index{c.Key.Index()}
	default:
		return []ib.Index{c.Index, r.Index}
	}
}

// remember keeps the last changes that drivers asked for: which verb that was is
// known when it returns.
func (s *Survey) remember(end int, c *mtp.Changed) {
	if list := s.recent[end]; len(list) == mostEntries {
		s.recent[end] = append(list[:0], list[1:]...)
	}
	s.recent[end] = append(s.recent[end], recent{c.At, concerned(c.Command, c.Result)})
}

// ofVerb takes the entries that a verb is about.
func (s *Survey) ofVerb(o *run.Op) {
	end := s.end(o.Host)
	for _, c := range s.recent[end] {
		if c.at >= o.Start {
			s.about(end, c.entries...)
		}
	}
}

// end returns which end of the link a host is at.
func (s *Survey) end(host string) int {
	if s.view.Hosts[1].Name == host {
		return 1
	}
	return 0
}

// resolve turns the name that a file gives a step or a request into its number.
func (s *Survey) resolve(id string) string {
	found := id
	if id == "" {
		return found
	}
	lang.EachStep(s.Run.Ops, func(st *lang.Step) {
		number := strconv.Itoa(st.Number)
		if st.ID == id {
			found = number
		}
		switch a := st.Do.(type) {
		case *lang.PostSend:
			for k := range a.WRs {
				if a.WRs[k].ID == id {
					found = request(number, k, len(a.WRs))
				}
			}
		case *lang.PostRecv:
			for k := range a.WRs {
				if a.WRs[k].ID == id {
					found = request(number, k, len(a.WRs))
				}
			}
		}
	})
	return found
}

func request(step string, k, n int) string {
	if n == 1 {
		return step
	}
	return fmt.Sprintf("%s.%d", step, k+1)
}

// within chooses from the ops of a step: the first that failed for a reason of
// its own, else the first that failed, else the slowest.
func (s *Survey) within(step string) (id string, ok bool) {
	var failed, flushed, slowest string
	longest := sim.Duration(0)
	consider := func(o *run.Op) {
		if !strings.HasPrefix(o.ID, step+".") {
			return
		}
		switch {
		case len(o.Faults) > 0 || o.Failed() && o.Status != ib.WRFlushErr:
			failed = cmp.Or(failed, o.ID)
		case o.Failed():
			flushed = cmp.Or(flushed, o.ID)
		case slowest == "" || o.Latency() > longest:
			slowest, longest = o.ID, o.Latency()
		}
	}
	for i := range s.Result.Ops {
		consider(&s.Result.Ops[i])
	}
	for i := range s.failed {
		consider(&s.failed[i])
	}
	for _, k := range s.order {
		consider(&s.kinds[k].slowest)
	}
	id = cmp.Or(failed, flushed, slowest)
	return id, id != ""
}

// unknown says that there is no such op, and which are near.
func (s *Survey) unknown(id string) error {
	type candidate struct {
		id   string
		away int
	}
	var near []candidate
	seen := map[string]bool{}
	add := func(known string) {
		if !seen[known] {
			seen[known] = true
			near = append(near, candidate{known, levenshtein.ComputeDistance(id, known)})
		}
	}
	for i := range s.Result.Ops {
		add(s.Result.Ops[i].ID)
	}
	for _, k := range s.order {
		add(s.kinds[k].slowest.ID)
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.away - b.away })
	var ids []string
	for _, c := range near[:min(len(near), 5)] {
		ids = append(ids, c.id)
	}
	if ids == nil {
		return fmt.Errorf("there is no op %q: %s has none at all", id, s.Run.Name)
	}
	return fmt.Errorf("there is no op %q in %s; the nearest are %s", id, s.Run.Name, strings.Join(ids, ", "))
}
