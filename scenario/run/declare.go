package run

import (
	"fmt"
	"hash/fnv"

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
				return fmt.Errorf("host %s: %w", x.name, err)
			}
		}
	}
	for _, x := range r.world.sides {
		if err := r.declareQPs(x); err != nil {
			return fmt.Errorf("host %s: %w", x.name, err)
		}
	}
	for _, x := range r.world.sides {
		x.host.Setup = nil
	}
	return nil
}

// outcome turns a verb's result into an error about a declaration.
func outcome(pos lang.Pos, what string, err *error) host.Then {
	return func(_ sim.Time, o host.Outcome) {
		if o.Errno != ib.OK {
			*err = &Mistake{pos, fmt.Sprintf("%s is refused: %v (%s)", what, o.Errno, o.Rule)}
		}
	}
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

// makeBuffer maps a buffer and fills it.
func (r *runner) makeBuffer(x *side, name string, m *lang.Mem, index int) error {
	proc := x.first
	if m.Proc.Given() {
		proc = x.procs[m.Proc.Name]
	}
	b := &buffer{proc: proc, length: uint64(m.Length), page: pageShift(m.Page)}
	size := uint64(1) << b.page
	var va uint64
	if m.At != nil {
		b.va = uint64(*m.At)
		va = b.va &^ (size - 1)
	} else {
		va = proc.Place(b.length, b.page)
		b.va = va
	}
	mapping := host.Mapping{VA: va, Length: b.length + b.va - va, Page: b.page, Prot: protOf(m.Prot), Loose: m.Pinnable != nil && !*m.Pinnable}
	if m.Fill != nil && m.Fill.Kind == lang.DataFill {
		mapping.Fill = m.Fill.Byte
	}
	if errno := proc.Map(mapping); errno != ib.OK {
		return &Mistake{m.Pos, fmt.Sprintf("memory %s cannot be mapped: %v", name, errno)}
	}
	x.add(name, index, &named{mem: b})
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
	return nil
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

func (r *runner) declareRegions(x *side) (err error) {
	for i := range x.setup.MR {
		m := &x.setup.MR[i]
		each(m.Value.Count, func(index int) {
			if err == nil {
				err = r.declareMR(x, m.Name, &m.Value, index)
			}
		})
	}
	for i := range x.setup.FR {
		f := &x.setup.FR[i]
		each(f.Value.Count, func(index int) {
			mr := &host.MR{}
			x.host.AllocMR(0, mr, r.object(f.Value.PD).pd, pagesOf(&f.Value), outcome(f.Pos, "region "+f.Name, &err))
			x.add(f.Name, index, &named{mr: mr, dead: true}).learn(ib.Key(mr.LKey))
			r.own(x, f.Name, index)
		})
	}
	for i := range x.setup.MW {
		w := &x.setup.MW[i]
		each(w.Value.Count, func(index int) {
			mw := &host.MW{}
			x.host.AllocMW(0, mw, r.object(w.Value.PD).pd, ib.MWType(w.Value.Type), outcome(w.Pos, "window "+w.Name, &err))
			x.add(w.Name, index, &named{mw: mw, dead: true}).learn(ib.Key(mw.RKey))
			r.own(x, w.Name, index)
		})
	}
	return err
}

func pagesOf(a *lang.AllocMR) uint32 {
	if a.Pages != nil {
		return *a.Pages
	}
	return 16
}

// declareMR registers one region.
func (r *runner) declareMR(x *side, name string, m *lang.RegMR, index int) (err error) {
	reg, err := r.registration(x, name, m, index)
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
	n.learn(ib.Key(mr.LKey))
	r.own(x, name, index)
}

// own lets changes of an entry find the object that it belongs to.
func (r *runner) own(x *side, name string, index int) {
	n := x.names[element(name, index)]
	r.owners[x.end][n.index()] = n
}

// registration returns what a reg_mr asks for. A region without a buffer
// gets one of its own.
func (r *runner) registration(x *side, name string, m *lang.RegMR, index int) (host.Registration, error) {
	reg := host.Registration{Access: m.Access, Process: x.first}
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
		mem := lang.Mem{Pos: m.Pos, At: m.At, Page: m.Page, Fill: m.Fill, Prot: m.Prot, Proc: m.Proc, Length: 4096}
		if m.Length != nil {
			mem.Length = max(*m.Length, 1)
		}
		if err := r.makeBuffer(x, name, &mem, index); err != nil {
			return reg, err
		}
		b := x.names[element(name, index)].mem
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

func (r *runner) declareQueues(x *side) (err error) {
	for i := range x.setup.CQ {
		c := &x.setup.CQ[i]
		cq := &host.CQ{Manual: r.byHand(x, c.Name)}
		depth := uint32(0)
		if c.Value.Depth != nil {
			depth = *c.Value.Depth
		}
		x.host.CreateCQ(0, cq, depth, x.cqeBytes(), outcome(c.Pos, "completion queue "+c.Name, &err))
		x.add(c.Name, lang.Whole, &named{cq: cq})
	}
	for i := range x.setup.SRQ {
		s := &x.setup.SRQ[i]
		srq := &host.SRQ{}
		x.host.CreateSRQ(0, srq, r.object(s.Value.PD).pd, or(s.Value.MaxWR, 0), or(s.Value.MaxSGE, 0), or(s.Value.Limit, 0), outcome(s.Pos, "shared receive queue "+s.Name, &err))
		x.add(s.Name, lang.Whole, &named{srq: srq})
	}
	return err
}

func (x *side) cqeBytes() uint32 { return uint32(x.hca.Params.CQEBytes) }

func (r *runner) declareQPs(x *side) (err error) {
	for i := range x.setup.QP {
		q := &x.setup.QP[i]
		each(q.Value.Count, func(index int) {
			if err == nil {
				err = r.declareQP(x, q.Name, &q.Value, index)
			}
		})
	}
	return err
}

// declareQP makes one queue pair, connected to a peer that is made in the
// same way: numbers are given in the order of the file.
func (r *runner) declareQP(x *side, name string, q *lang.QP, index int) (err error) {
	attr, sizes := queueAttr(&q.QPAttr)
	attr.Type, attr.State = ib.RC, ib.RTS
	if q.Type != nil {
		attr.Type = *q.Type
	}
	if q.State != nil {
		attr.State = *q.State
	}
	if q.Peer.Given() {
		peer := q.Peer
		if index != lang.Whole {
			peer.Index = index
		}
		attr.Dest = r.numberOf(peer)
		if p := r.declared(peer); p != nil && q.RQPSN == nil && p.PSN != nil {
			attr.RQPSN = ib.PSN(*p.PSN)
		}
	}
	send, recv := r.queuesOf(x, q)
	if send == nil {
		cq := &host.CQ{Manual: r.byHand(x, name)}
		x.host.CreateCQ(0, cq, 2*max(sizes.Send, x.host.Params.Queue.Send)+2*max(sizes.Recv, x.host.Params.Queue.Recv), x.cqeBytes(), outcome(q.Pos, "completion queue of "+name, &err))
		send, recv = cq, cq
	}
	sizes.SRQ = r.sharedOf(q)
	qp := &host.QP{}
	x.host.CreateQP(0, qp, r.object(q.PD).pd, send, recv, attr, sizes, outcome(q.Pos, "queue pair "+name, &err))
	x.add(name, index, &named{qp: qp})
	return err
}

// queuesOf returns the completion queues that a queue pair names, nil if none.
func (r *runner) queuesOf(_ *side, q *lang.QP) (send, recv *host.CQ) {
	if n := r.object(q.CQ); n != nil {
		send, recv = n.cq, n.cq
	}
	if n := r.object(q.SendCQ); n != nil {
		send = n.cq
	}
	if n := r.object(q.RecvCQ); n != nil {
		recv = n.cq
	}
	if send == nil {
		send = recv
	}
	if recv == nil {
		recv = send
	}
	return send, recv
}

// sharedOf returns the shared receive queue of a queue pair, nil for none.
func (r *runner) sharedOf(q *lang.QP) *host.SRQ {
	if n := r.object(q.SRQ); n != nil {
		return n.srq
	}
	return nil
}

// declared returns the declaration of a queue pair.
func (r *runner) declared(ref lang.Ref) *lang.QP {
	q, _ := r.side(ref.Host).setup.QP.Get(ref.Name)
	return q
}

// numberOf returns the number that a declared queue pair has or will have.
func (r *runner) numberOf(ref lang.Ref) ib.QPN {
	n := firstQPN
	for i := range r.side(ref.Host).setup.QP {
		q := &r.side(ref.Host).setup.QP[i]
		if q.Name == ref.Name {
			return n + ib.QPN(max(ref.Index, 0))
		}
		if q.Value.Count != nil {
			n += ib.QPN(*q.Value.Count)
		} else {
			n++
		}
	}
	return 0
}

const firstQPN ib.QPN = 0x10

// queueAttr returns the attributes of a queue pair with the language's
// defaults.
func queueAttr(a *lang.QPAttr) (ib.QPAttr, host.QPSizes) {
	attr := ib.QPAttr{
		Access: or(a.Access, 0), PathMTU: or(a.MTU, 1024), Timeout: or(a.Timeout, 14), RetryCnt: or(a.RetryCnt, 7),
		RNRRetry: or(a.RNRRetry, 7), MinRNRTimer: or(a.MinRNRTimer, 12),
		MaxRdAtomic: or(a.MaxRdAtomic, 16), MaxDestRdAtomic: or(a.MaxDestRdAtomic, 16),
		SQPSN: ib.PSN(or(a.PSN, 100)), RQPSN: ib.PSN(or(a.RQPSN, 100)), SigAll: or(a.SigAll, false),
	}
	z := host.QPSizes{Send: or(a.SQ, 0), Recv: or(a.RQ, 0), MaxSGE: or(a.MaxSGE, 0), MaxInline: -1}
	if a.MaxInline != nil {
		z.MaxInline = int(*a.MaxInline)
	}
	return attr, z
}

// or returns what p points to, or a default.
func or[T any](p *T, d T) T {
	if p != nil {
		return *p
	}
	return d
}
