package run

import (
	"fmt"
	"hash/fnv"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

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

// proc returns the address space that memory is of.
func (x *side) proc(m *lang.Mem) *host.Process {
	if m.Proc.Given() {
		return x.procs[m.Proc.Name]
	}
	return x.first
}

// unmapped says why memory cannot be mapped, and what would help.
var unmapped = map[ib.Errno]string{
	ib.ENOMEM: ", the host has not enough: host.memory.size is how much",
	ib.EINVAL: ": at: is a multiple of the page, and no other memory lies there",
}
