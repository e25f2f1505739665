package host

import (
	"testing"

	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// answerTime is how long the test's adapter works on a command.
const answerTime = 3 * sim.Microsecond

// An adapter stands in for a real one: it carries commands out on a table, one
// after another, answerTime each, and keeps the doorbells that it hears.
type adapter struct {
	host  *Host
	table *tpt.Table
	later later
	free  sim.Time
	done  uint32 // commands answered or under way
	rung  []ring
	queue uint32 // numbers given to queues

	commands []sim.Time // when each command's doorbell came
}

// A ring is a doorbell as it arrived.
type ring struct {
	at       sim.Time
	qpn      ib.QPN
	register uint64
	value    uint32
}

func (a *adapter) MMIO(now sim.Time, addr uint64, value uint32) {
	qpn, register := ib.DoorbellOf(addr)
	a.rung = append(a.rung, ring{now, qpn, register, value})
	if qpn != 0 || register != ib.DoorbellCommand {
		return
	}
	for ; a.done != value; a.done++ {
		n := a.done
		a.commands = append(a.commands, now)
		a.free = max(a.free, now).Add(answerTime)
		a.later.at(a.free, func(now sim.Time) {
			a.Execute(a.host.Commands.Slot(n))
			a.host.CommandDone(now, n)
		})
	}
}

// Execute carries a command out.
func (a *adapter) Execute(s *tpt.CommandSlot) {
	if s.QP.Op == ib.NoQPOp {
		s.Result = a.table.Apply(&s.Table)
		return
	}
	s.Result = tpt.Result{}
	a.queue++
	s.QPN, s.CQN, s.SRQN = ib.QPN(15+a.queue), ib.CQN(a.queue), ib.SRQN(a.queue)
}

// A bench is one host with such an adapter and a process of 1 GiB that holds a
// pattern.
type bench struct {
	*Host
	t       testing.TB
	engine  *sim.Engine
	adapter *adapter
	proc    *Process
	pd      PD
}

const benchVA = 0x4000_0000

func newBench(t testing.TB, change func(p *Params, l *tpt.Limits)) *bench {
	p, l, v := DefaultParams(), tpt.DefaultLimits(), tpt.SpecVariant()
	if change != nil {
		change(&p, &l)
	}
	e := sim.NewEngine()
	b := &bench{t: t, engine: e, Host: New(e, "h", p, &v)}
	b.adapter = &adapter{host: b.Host, table: tpt.NewTable(l, v, 1)}
	b.adapter.later.init(e, "adapter")
	b.Bus = pcie.New(e, "h.pcie", p.PCIe, pcie.DefaultDeviceParams(), b.Root, b.adapter)
	b.Commands = &tpt.CommandRing{Base: room(b.Allocate(4 * tpt.CommandBytes)), Slots: make([]tpt.CommandSlot, 4)}
	b.Completion = func(sim.Time, *CQ, *ib.CQE) {}
	b.proc = b.Process("main")
	b.setup(func() { b.AllocPD(0, &b.pd, b.fine) })
	return b
}

// setup lets something exist before time 0.
func (b *bench) setup(f func()) {
	b.Setup = b.adapter
	f()
	b.Setup = nil
}

// buffer maps n bytes with pages of a size.
func (b *bench) buffer(va, n uint64, page uint8, prot Prot) {
	b.t.Helper()
	if errno := b.proc.Map(Mapping{VA: va, Length: n, Page: page, Prot: prot, Fill: 0x5A}); errno != ib.OK {
		b.t.Fatal(errno)
	}
}

func (b *bench) fine(_ sim.Time, o Outcome) {
	b.t.Helper()
	if o.Errno != ib.OK {
		b.t.Fatal(o.Errno, o.Rule)
	}
}

// call runs a verb to its end and returns what it came to, and how long it
// took. The clock stands where it ended.
func (b *bench) call(verb func(now sim.Time, then Then)) (out Outcome, took sim.Duration) {
	b.t.Helper()
	start, returned := b.engine.Now(), 0
	verb(start, func(now sim.Time, o Outcome) {
		out, took = o, now.Sub(start)
		returned++
	})
	if !b.engine.Run(sim.Time(sim.Second)) || returned != 1 {
		b.t.Fatalf("it returned %d times", returned)
	}
	if out.CPU+out.Device != took {
		b.t.Errorf("%v of the CPU and %v of the adapter are not %v", out.CPU, out.Device, took)
	}
	return out, took
}

// region registers n bytes at va.
func (b *bench) region(mr *MR, va, n uint64, access ib.AccessFlags) (Outcome, sim.Duration) {
	b.t.Helper()
	return b.call(func(now sim.Time, then Then) {
		b.RegMR(now, mr, Registration{PD: &b.pd, Process: b.proc, VA: va, Length: n, IOVA: va, Access: access}, then)
	})
}

// device returns the time that a command takes that has nothing before it:
// the doorbell's flight, the work, the interrupt.
func (b *bench) device() sim.Duration {
	b.t.Helper()
	start := b.engine.Now()
	n := len(b.adapter.commands)
	out, _ := b.call(func(now sim.Time, then Then) { b.AllocPD(now, &PD{}, then) })
	flight := b.adapter.commands[n].Sub(start.Add(out.CPU))
	return flight + answerTime + b.Params.CPU.Interrupt
}
