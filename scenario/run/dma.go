package run

import (
	"fmt"
	"slices"

	"hcasim/host"
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// A dmaLoad is a dma step at work. What it writes is what stands there: DMA
// moves no bytes that anybody could see, it takes time.
type dmaLoad struct {
	r    *runner
	st   *step
	d    *lang.DMA
	host *host.Host
	rand *sim.Rand

	proc   *host.Process
	pin    host.Pinning
	pinned bool
	runs   []host.Run // the frames of the window
	starts []uint64   // where in them each run begins
	base   uint64     // where in them the window begins
	window uint64     // bytes

	size, stride, cells uint64
	cell                uint64 // of a walk in sequence
	reads, writes       bool
	request             pcie.Request // what all have in common

	warmup    uint64   // operations that are not measured
	warm      sim.Time // nor those that begin before
	count     uint64   // to be measured
	depth     uint64
	posted    uint64
	measuring uint64 // of these, to be measured
	ended     uint64
	refused   uint64

	span   window
	result Traffic
}

// A dmaOp is one operation under way.
type dmaOp struct {
	load     *dmaLoad
	start    sim.Time
	left     uint32 // requests of it that have not ended
	measured bool
	refused  bool
}

// dmaClient is the part of both adapters that has the DMA of dma steps done.
type dmaClient struct{ ops sim.Pool[dmaOp] }

// Served moves nothing.
func (c *dmaClient) Served(sim.Time, uint32, uint32, uint32) {}

// Done ends one request of an operation.
func (c *dmaClient) Done(now sim.Time, h uint32, ok bool) {
	o := c.ops.At(h)
	o.refused = o.refused || !ok
	if o.left--; o.left > 0 {
		return
	}
	done := *o
	c.ops.Put(h)
	done.load.end(now, &done)
}

// dma starts DMA of the adapter.
func (r *runner) dma(now sim.Time, st *step, d *lang.DMA) {
	l := &dmaLoad{r: r, st: st, d: d, host: st.side.host, rand: sim.NewRand(r.plan.Scenario.Run.Seed, uint64(st.Number)<<8)}
	if err := l.prepare(now); err != nil {
		r.failed = err
		r.world.engine.Stop()
		return
	}
	st.verbs++ // until the last operation has ended
	l.fill(now)
}

// prepare reads what the step says.
func (l *dmaLoad) prepare(now sim.Time) error {
	d := l.d
	l.reads, l.writes = d.Op != "write", d.Op != "read"
	l.request = pcie.Request{Client: l.st.side.dma, Class: pcie.Payload, Relaxed: d.Relaxed == "on", Direct: d.Interface == "command"}
	l.result = Traffic{Step: l.st.Number, Opcode: "dma_" + d.Op}
	l.depth, l.count = uint64(or(d.Depth, 1)), uint64(or(d.Count, 1))
	if w := d.Warmup; w != nil {
		l.warmup = uint64(or(w.Count, 0))
		if w.Time != nil {
			l.warm = now.Add(*w.Time)
		}
	}
	warmups := l.warmup
	if l.warm > 0 {
		warmups = unknown
	}
	l.span.start(l.r, now, warmups, l.count)
	return l.memory()
}

// memory finds the frames of the window. Those of a buffer are pinned and
// mapped while the step runs.
func (l *dmaLoad) memory() error {
	d := l.d
	n := l.r.object(d.Of)
	b, ok := n.memory()
	if !ok {
		return l.mistake("there is no such memory")
	}
	window := b.length - min(b.length, uint64(d.Offset))
	if d.Window != nil {
		window = min(window, uint64(*d.Window))
	}
	stride, cells := d.Cells(sim.Bytes(window))
	if cells == 0 {
		return l.mistake(fmt.Sprintf("%s do not fit into %s from %s on", d.Payload(), sim.Bytes(window), d.Offset))
	}
	l.size, l.stride, l.cells, l.window = uint64(d.Payload()), uint64(stride), uint64(cells), window
	va, errno := b.va+uint64(d.Offset), ib.OK
	if l.proc = b.proc; n.mem != nil {
		l.pin, errno = l.host.MapDMA(l.proc, va, window, l.writes)
		l.pinned, l.runs = errno == ib.OK, slices.Collect(l.pin.Runs())
	} else {
		l.runs, errno = l.proc.Runs(va, window)
	}
	if errno != ib.OK {
		return l.mistake(fmt.Sprintf("memory cannot be held for it: %v", errno))
	}
	at := uint64(0)
	for _, r := range l.runs {
		l.starts = append(l.starts, at)
		at += r.N
	}
	l.base = va % 4096
	return nil
}

func (l *dmaLoad) mistake(message string) error { return &Mistake{l.d.Pos, "dma: " + message} }

// place returns the address of a byte of the window, and how many lie behind
// it in one run of frames.
func (l *dmaLoad) place(offset uint64) (pa, n uint64) {
	at := l.base + offset
	i, found := slices.BinarySearch(l.starts, at)
	if !found {
		i--
	}
	within := at - l.starts[i]
	return l.runs[i].PA + within, l.runs[i].N - within
}

// more reports whether another operation is to be issued.
func (l *dmaLoad) more() bool { return l.measuring < l.count && l.refused == 0 }

// fill issues operations until depth are in flight.
func (l *dmaLoad) fill(now sim.Time) {
	for l.more() && l.posted-l.ended < l.depth {
		l.issue(now)
	}
}

// issue begins the next operation. A read behind a write of its own is issued
// last, so that PCIe orders the two; one beside a write first, so that it does
// not.
func (l *dmaLoad) issue(now sim.Time) {
	measured := l.posted >= l.warmup && now >= l.warm
	if measured {
		if l.measuring == 0 {
			l.span.first(now, l.posted)
			l.cache()
		}
		l.measuring++
	}
	l.posted++
	offset := l.next() * l.stride
	h := l.r.dmas.ops.Get()
	parts := uint32(((l.base+offset)%4096 + l.size + 4095) / 4096)
	if l.reads && l.writes {
		parts *= 2
	}
	*l.r.dmas.ops.At(h) = dmaOp{load: l, start: now, left: parts, measured: measured}
	if l.d.Op == "write_read" {
		l.each(now, h, offset, l.host.Bus.Write)
	}
	if l.reads {
		l.each(now, h, offset, l.host.Bus.Read)
	}
	if l.writes && l.d.Op != "write_read" {
		l.each(now, h, offset, l.host.Bus.Write)
	}
}

// next returns the cell that is next.
func (l *dmaLoad) next() uint64 {
	switch l.d.Walk {
	case "fixed":
		return 0
	case "uniform":
		return l.rand.Uint64N(l.cells)
	}
	at := l.cell
	l.cell = (l.cell + 1) % l.cells
	return at
}

// each issues the requests for the bytes of an operation: none crosses a
// frame.
func (l *dmaLoad) each(now sim.Time, h uint32, offset uint64, issue func(now sim.Time, r pcie.Request)) {
	for left := l.size; left > 0; {
		pa, _ := l.place(offset)
		n := min(left, 4096-pa%4096)
		q := l.request
		q.Addr, q.Len, q.Handle = pa, uint32(n), h
		issue(now, q)
		offset, left = offset+n, left-n
	}
}

// end takes the end of an operation, and issues the next.
func (l *dmaLoad) end(now sim.Time, o *dmaOp) {
	l.ended++
	if o.refused {
		l.refused++
		l.result.Failed++
	}
	if o.measured {
		l.result.Count++
		if !o.refused {
			l.result.Bytes += l.size
			if l.reads && l.writes {
				l.result.Bytes += l.size
			}
		}
		l.result.Latency.Add(now.Sub(o.start))
	}
	l.span.end(now, o.measured)
	l.fill(now)
	if l.ended == l.posted && !l.more() {
		l.close(now)
	}
}

// close ends the step.
func (l *dmaLoad) close(now sim.Time) {
	l.result.Elapsed = l.span.close()
	l.r.result.Traffic = append(l.r.result.Traffic, l.result)
	if l.pinned {
		l.host.UnmapDMA(l.proc, l.pin)
	}
	if e := l.st.Expect; l.refused > 0 && (e == nil || e.Event == nil) {
		l.r.brokeOff(l.d.Pos, l.st, "dma", "no access to be refused", fmt.Sprintf("%d refused by the IOMMU", l.refused))
	}
	l.st.verbs--
	l.r.check(now, l.st)
}

// cache sets what the last-level cache holds of the window.
func (l *dmaLoad) cache() {
	llc := l.host.Root.LLC
	if llc == nil {
		return
	}
	switch l.d.Cache {
	case "cold":
		llc.Flush()
	case "host", "device":
		for offset := uint64(0); offset < l.window; {
			pa, n := l.place(offset)
			n = min(n, l.window-offset)
			if l.d.Cache == "host" {
				llc.Touch(pa, n)
			} else {
				n = min(n, 1<<30)
				llc.DeviceWrite(pa, uint32(n))
			}
			offset += n
		}
	}
}
