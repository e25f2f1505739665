package run

import (
	"fmt"
	"hash/fnv"
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
				return ofHost(x, err)
			}
		}
	}
	for _, x := range r.world.sides {
		if err := r.declareQPs(x); err != nil {
			return ofHost(x, err)
		}
	}
	for _, x := range r.world.sides {
		x.host.Setup = nil
	}
	return nil
}

// ofHost says of which host a mistake is, behind its place.
func ofHost(x *side, err error) error {
	if m, is := err.(*Mistake); is {
		return &Mistake{m.Pos, "host " + x.name + ": " + m.Message}
	}
	return fmt.Errorf("host %s: %w", x.name, err)
}

// outcome turns a verb's result into an error about a declaration.
func outcome(pos lang.Pos, what string, err *error) host.Then {
	return func(_ sim.Time, o host.Outcome) {
		if o.Errno != ib.OK {
			*err = &Mistake{pos, fmt.Sprintf("%s is refused: %v (%s)%s", what, o.Errno, o.Rule, bound(o.Errno, what))}
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

func (r *runner) declareMemory(x *side) error {
	for i := range x.setup.Mem {
		m := &x.setup.Mem[i]
		if err := r.makeBuffer(x, m.Name, &m.Value, lang.Whole); err != nil {
			return err
		}
	}
	return nil
}

// pageShift returns the log2 of a page size; 4 KiB if none is given.
func pageShift(page *sim.Bytes) uint8 {
	shift := uint8(host.Page4K)
	if page != nil {
		for shift = 0; 1<<shift < uint64(*page); shift++ {
		}
	}
	return shift
}

func protOf(p lang.Prot) host.Prot {
	switch p {
	case lang.ProtR:
		return host.Read
	case lang.ProtNone:
		return 0
	default:
		return host.Read | host.Write
	}
}

// makeBuffer maps a buffer, fills it and enters its name.
func (r *runner) makeBuffer(x *side, name string, m *lang.Mem, index int) error {
	b, err := r.mapBuffer(x, name, m, index, nil)
	if err == nil {
		x.add(name, index, &named{mem: b})
	}
	return err
}

// mapBuffer maps a buffer and fills it. Within a block it becomes one with the
// mapping before it.
func (r *runner) mapBuffer(x *side, name string, m *lang.Mem, index int, in *block) (*buffer, error) {
	proc := x.proc(m)
	b := &buffer{proc: proc, length: uint64(m.Length), page: pageShift(m.Page)}
	size := uint64(1) << b.page
	var va uint64
	switch {
	case m.At != nil:
		b.va = uint64(*m.At)
		va = b.va &^ (size - 1)
	case in != nil:
		va = in.va + uint64(index)*in.stride
		b.va = va
	default:
		va = proc.Place(b.length, b.page)
		b.va = va
	}
	mapping := host.Mapping{VA: va, Join: in != nil, Length: b.length + b.va - va, Page: b.page, Prot: protOf(m.Prot), Loose: m.Pinnable != nil && !*m.Pinnable, Untouched: m.Untouched}
	if m.Fill != nil && m.Fill.Kind == lang.DataFill {
		mapping.Fill = m.Fill.Byte
	}
	if errno := mapPages(proc, mapping, b.va, m.Small); errno != ib.OK {
		return nil, &Mistake{m.Pos, fmt.Sprintf("memory %s cannot be mapped: %v%s", name, errno, unmapped[errno])}
	}
	switch {
	case m.Fill == nil, m.Fill.Kind == lang.DataFill:
	case m.Fill.Kind == lang.DataRandom:
		r.fill(proc, b.va, r.noise(x.name+"."+element(name, index), b.length))
	default:
		r.fill(proc, b.va, r.bytes(m.Fill, b.length))
	}
	if m.Absent {
		proc.PageOut(va, mapping.Length)
	}
	if m.Hole != nil {
		proc.Unmap(b.va+uint64(m.Hole.Offset), uint64(m.Hole.Length))
	}
	return b, nil
}

// mapPages maps memory. The large pages of which a part is to be small consist
// of 4 KiB pages altogether.
func mapPages(p *host.Process, m host.Mapping, va uint64, small *lang.Span) ib.Errno {
	if small == nil || m.Page == host.Page4K {
		return p.Map(m)
	}
	size := uint64(1) << m.Page
	from := (va + uint64(small.Offset)) &^ (size - 1)
	to := (va + uint64(small.Offset) + uint64(small.Length) + size - 1) &^ (size - 1)
	end := (m.VA + m.Length + size - 1) &^ (size - 1)
	for _, part := range [...]struct {
		from, to uint64
		page     uint8
	}{{m.VA, from, m.Page}, {from, to, host.Page4K}, {to, end, m.Page}} {
		if part.from == part.to {
			continue
		}
		m.VA, m.Length, m.Page = part.from, part.to-part.from, part.page
		if errno := p.Map(m); errno != ib.OK {
			return errno
		}
		if m.Page == host.Page4K {
			scatter(p, m.VA, m.Length)
		}
	}
	return ib.OK
}

// scatter moves 4 KiB pages so that no two that are neighbours lie side by side
// in memory, as pages do that came one by one.
func scatter(p *host.Process, va, n uint64) {
	p.PageOut(va, n)
	for _, odd := range [...]uint64{0, 4096} {
		for at := odd; at < n; at += 8192 {
			p.PageIn(va+at, 1)
		}
	}
}

// noise returns n random bytes that are a buffer's own: two buffers of random
// bytes differ, or copying the one to the other would prove nothing.
func (r *runner) noise(buffer string, n uint64) []byte {
	stream := fnv.New64a()
	stream.Write([]byte(buffer))
	rand := sim.NewRand(r.plan.Scenario.Run.Seed, stream.Sum64())
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(rand.Uint64())
	}
	return out
}

// fill writes bytes past the protection of pages.
func (r *runner) fill(p *host.Process, va uint64, data []byte) {
	for at := 0; at < len(data); {
		pa, ok := p.Translate(va + uint64(at))
		if !ok {
			return
		}
		n := min(len(data)-at, int(4096-pa%4096))
		r.memoryOf(p).Write(pa, data[at:at+n])
		at += n
	}
}

// memoryOf returns the memory that a process lives in.
func (r *runner) memoryOf(p *host.Process) *host.Memory {
	for _, x := range r.world.sides {
		for _, q := range x.host.Processes {
			if p == q {
				return x.host.Pager.Memory
			}
		}
	}
	panic("run: a process of no host")
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

// proc returns the address space that memory is of.
func (x *side) proc(m *lang.Mem) *host.Process {
	if m.Proc.Given() {
		return x.procs[m.Proc.Name]
	}
	return x.first
}

// or returns what p points to, or a default.
func or[T any](p *T, d T) T {
	if p != nil {
		return *p
	}
	return d
}

// unmapped says why memory cannot be mapped, and what would help.
var unmapped = map[ib.Errno]string{
	ib.ENOMEM: ", the host has not enough: host.memory.size is how much",
	ib.EINVAL: ": at: is a multiple of the page, and no other memory lies there",
}
