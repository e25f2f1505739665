package run

import (
	"fmt"
	"strings"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// declare makes what exists before time 0. It costs nothing. Refusals are
// mistakes of the file: the caller reports them.
func (r *runner) declare() error {
	for _, x := range r.world.sides {
		x.host.Setup = x.hca
		for _, step := range [...]func(*side) error{r.declareDomains, r.declareMemory, r.declareRegions, r.declareQueues} {
			if err := step(x); err != nil {
				return x.mistake(err)
			}
		}
	}
	for _, x := range r.world.sides {
		if err := r.declareQPs(x); err != nil {
			return x.mistake(err)
		}
	}
	for _, x := range r.world.sides {
		x.host.Setup = nil
	}
	return nil
}

// mistake says on which host a declaration was refused, behind its place.
func (x *side) mistake(err error) error {
	if m, at := err.(*Mistake); at {
		return &Mistake{m.Pos, "host " + x.name + ": " + m.Message}
	}
	return fmt.Errorf("host %s: %w", x.name, err)
}

// outcome turns a verb's result into an error about a declaration.
func outcome(pos lang.Pos, what string, err *error) host.Then {
	return func(_ sim.Time, o host.Outcome) {
		if o.Errno != ib.OK {
			why := o.Errno.String()
			if o.Rule != "" {
				why += " (" + o.Rule + ")"
			}
			*err = &Mistake{pos, what + " is refused: " + why + bound(o.Errno, what)}
		}
	}
}

// bounds are what a declaration can be too much for, by its first word.
var bounds = map[string]string{
	"region":     "hca.limit.mr, hca.limit.mtt and host.memory.pin_limit",
	"window":     "hca.limit.mw",
	"domain":     "hca.limit.pd",
	"queue":      "hca.limit.qp, and host.memory.size for the queues,",
	"shared":     "hca.limit.srq, and host.memory.size for the queue,",
	"completion": "host.memory.size",
}

// bound names what would have to be larger.
func bound(errno ib.Errno, what string) string {
	kind, _, _ := strings.Cut(what, " ")
	if errno != ib.ENOMEM || bounds[kind] == "" {
		return ""
	}
	return "; " + bounds[kind] + " may be larger"
}

// A Mistake is a declaration that the model refuses.
type Mistake struct {
	Pos     lang.Pos
	Message string
}

// Error returns position and message.
func (m *Mistake) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", m.Pos.File, m.Pos.Line, m.Pos.Column, m.Message)
}

func (r *runner) declareDomains(x *side) (err error) {
	for _, p := range x.setup.Proc {
		x.procs[p.Text] = x.host.Process(p.Text)
	}
	if len(x.setup.Proc) == 0 {
		x.procs["main"] = x.host.Process("main")
	}
	x.first = x.host.Processes[0]
	for _, d := range x.setup.PD {
		pd := &host.PD{}
		x.host.AllocPD(0, pd, outcome(d.Pos, "domain "+d.Text, &err))
		x.add(d.Text, lang.Whole, &named{pd: pd})
	}
	return err
}

// each calls f for the elements of an array, or once with Whole.
func each(count *uint32, f func(index int)) {
	if count == nil {
		f(lang.Whole)
		return
	}
	for i := range *count {
		f(int(i))
	}
}

// declareRegions makes regions and windows in the order of their kinds, but
// first of all those that ask for a key: else another may have its index.
func (r *runner) declareRegions(x *side) error {
	for _, asking := range [...]bool{true, false} {
		for i := range x.setup.MR {
			m := &x.setup.MR[i]
			var err error
			switch {
			case (m.Value.Key != nil) != asking:
			case m.Value.Count != nil:
				err = r.declareMRs(x, m.Name, &m.Value)
			default:
				err = r.declareMR(x, m.Name, &m.Value, lang.Whole, nil)
			}
			if err != nil {
				return err
			}
		}
		for i := range x.setup.FR {
			f := &x.setup.FR[i]
			if (f.Value.Key != nil) != asking {
				continue
			}
			if err := r.declareFRs(x, f.Name, &f.Value); err != nil {
				return err
			}
		}
	}
	for i := range x.setup.MW {
		if err := r.declareMWs(x, x.setup.MW[i].Name, &x.setup.MW[i].Value); err != nil {
			return err
		}
	}
	return nil
}

// fastRegion returns what an alloc_mr asks for.
func (r *runner) fastRegion(a *lang.AllocMR) host.FastRegion {
	return host.FastRegion{PD: r.object(a.PD).pd, Pages: or(a.Pages, 16), Key: ib.Key(or(a.Key, 0))}
}

// declareMR registers one region.
func (r *runner) declareMR(x *side, name string, m *lang.RegMR, index int, in *block) (err error) {
	reg, err := r.registration(x, name, m, index, in)
	if err != nil {
		return err
	}
	mr := &host.MR{}
	x.host.RegMR(0, mr, reg, outcome(m.Pos, "region "+name, &err))
	if err == nil {
		r.enter(x, name, index, mr)
	}
	return err
}

// enter books a region that has been made. If it made its own buffer, the
// name already stands for that: it stands for both now.
func (r *runner) enter(x *side, name string, index int, mr *host.MR) {
	n := x.names[element(name, index)]
	if n == nil || n.mr != nil {
		n = x.add(name, index, &named{})
	}
	n.mr = mr
	r.learn(n, ib.Key(mr.LKey))
	r.own(x, name, index)
}

// own lets changes of an entry find the object that it belongs to.
func (r *runner) own(x *side, name string, index int) {
	n := x.names[element(name, index)]
	r.owners[x.end][n.index()] = n
}

// registration returns what a reg_mr asks for. A region without a buffer
// gets one of its own.
func (r *runner) registration(x *side, name string, m *lang.RegMR, index int, in *block) (host.Registration, error) {
	reg := host.Registration{Access: m.Access, Process: x.first, Key: ib.Key(or(m.Key, 0))}
	if pd := r.object(m.PD); pd != nil {
		reg.PD = pd.pd
	}
	if m.Proc.Given() {
		reg.Process = x.procs[m.Proc.Name]
	}
	switch {
	case m.Buf.Given():
		b := r.object(m.Buf).mem
		reg.Process = b.proc
		reg.VA, reg.Length = b.va+uint64(m.Offset), b.length-uint64(m.Offset)
		if index > 0 && m.Length != nil { // the elements of an array lie one behind the other
			reg.VA += uint64(index) * uint64(*m.Length)
		}
		reg.Page = b.page
	case m.Addr != nil:
		reg.VA = uint64(*m.Addr)
	default:
		mem := ownMemory(m)
		b, err := r.mapBuffer(x, name, &mem, index, in)
		if err != nil {
			return reg, err
		}
		if in == nil || r.spoken.element(x.name, name, index) {
			x.add(name, index, &named{mem: b})
		}
		reg.Process, reg.VA, reg.Length, reg.Page = b.proc, b.va, b.length, b.page
	}
	if m.Length != nil {
		reg.Length = uint64(*m.Length)
	}
	if m.Page != nil {
		reg.Page = pageShift(m.Page)
	}
	reg.IOVA = reg.VA
	if m.Iova != nil {
		reg.IOVA = uint64(*m.Iova)
	}
	return reg, nil
}

// ownMemory is the buffer of a region that names none.
func ownMemory(m *lang.RegMR) lang.Mem {
	mem := lang.Mem{Pos: m.Pos, At: m.At, Page: m.Page, Fill: m.Fill, Prot: m.Prot, Proc: m.Proc, Length: 4096}
	if m.Length != nil {
		mem.Length = max(*m.Length, 1)
	}
	return mem
}

// or returns what p points to, or a default.
func or[T any](p *T, d T) T {
	if p != nil {
		return *p
	}
	return d
}
