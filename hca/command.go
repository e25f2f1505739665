package hca

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// A commandUnit executes device commands one after another: it fetches the
// slot, works on it, lets the table unit change what is the table's, and
// writes the answer back.
type commandUnit struct {
	hca      *HCA
	client   pcie.ClientID
	answered pcie.ClientID
	work     sim.HandlerID
	posted   uint32
	next     uint32
	busy     bool
}

func (c *commandUnit) init(h *HCA) {
	c.hca = h
	c.client = h.Bus.Client(h.Name+".command", c)
	c.answered = h.Bus.Client(h.Name+".command-answer", commandAnswer{c})
	c.work = h.engine.Register(h.Name+".command", c)
}

func (c *commandUnit) ring(now sim.Time, producer uint32) {
	c.posted = producer
	c.begin(now)
}

func (c *commandUnit) slot() *tpt.CommandSlot { return c.hca.Commands.Slot(c.next) }

// begin fetches the next command.
func (c *commandUnit) begin(now sim.Time) {
	if c.busy || c.next == c.posted {
		return
	}
	c.busy = true
	c.hca.Bus.Read(now, pcie.Request{Addr: c.addr(), Len: tpt.CommandBytes, Client: c.client, Class: pcie.Fetch})
}

func (c *commandUnit) addr() uint64 {
	r := c.hca.Commands
	return r.Base + uint64(int(c.next)&(len(r.Slots)-1))*tpt.CommandBytes
}

// Served does nothing: the command is read from the typed ring.
func (c *commandUnit) Served(sim.Time, uint32, uint32, uint32) {}

// Done starts the work on a fetched command.
func (c *commandUnit) Done(now sim.Time, _ uint32, ok bool) {
	if !ok {
		panic("hca: the IOMMU refused a command fetch")
	}
	h := c.hca
	h.engine.At(h.clock.After(now, h.Params.CommandCycles), c.work, 0)
}

// Fire executes a command on queues, or hands one on tables to their unit.
func (c *commandUnit) Fire(now sim.Time, _ uint32) {
	s := c.slot()
	if s.QP.Op == ib.NoQPOp {
		c.hca.Unit.Change(now, c, 0, &s.Table)
		return
	}
	c.hca.queueCommand(now, s)
	c.answer(now)
}

// queueCommand carries out a command on a queue.
func (h *HCA) queueCommand(now sim.Time, s *tpt.CommandSlot) {
	s.Result = tpt.Result{}
	q := &s.QP
	switch q.Op {
	case ib.CreateQP:
		s.QPN, s.Result.Errno = h.CreateQP(&q.Attr)
	case ib.ModifyQP:
		s.Result.Errno, s.Result.Rule = h.ModifyQP(now, q.QPN, q.Mask, &q.Attr)
	case ib.DestroyQP:
		s.Result.Errno, s.Result.Rule = h.DestroyQP(now, q.QPN)
	case ib.CreateCQ:
		s.CQN = h.CreateCQ(q.CQ)
		h.cqs[s.CQN].notice = notice{count: q.Count, period: sim.Duration(q.Period)}
	case ib.DestroyCQ:
		s.Result.Errno = h.DestroyCQ(q.CQN)
	case ib.CreateSRQ:
		s.SRQN, s.Result.Errno = h.CreateSRQ(q.PD, q.RQ, q.Limit)
	case ib.ModifySRQ:
		s.Result.Errno = h.LimitSRQ(q.SRQN, q.Limit)
	case ib.DestroySRQ:
		s.Result.Errno = h.DestroySRQ(q.SRQN)
	case ib.FailPages:
		h.pager.deny(now, q.Pages)
	case ib.NoQPOp:
	}
}

// Execute carries a command out at once: what a scenario declares exists
// before time 0.
func (h *HCA) Execute(s *tpt.CommandSlot) {
	if s.QP.Op != ib.NoQPOp {
		h.queueCommand(0, s)
		return
	}
	s.Result = h.Table.Apply(&s.Table)
}

// Wanted is true: a command that was sent is carried out.
func (c *commandUnit) Wanted(uint32) bool { return true }

// Changed takes the result of the table unit.
func (c *commandUnit) Changed(now sim.Time, _ uint32, r *tpt.Result) {
	s := c.slot()
	s.Result = *r
	if s.Table.Op == tpt.SetPages && r.Errno == ib.OK && s.Table.Pages[0] != tpt.NoPage {
		c.hca.pager.came(now, &s.Table)
	}
	c.answer(now)
}

func (c *commandUnit) answer(now sim.Time) {
	c.hca.Bus.Write(now, pcie.Request{Addr: c.addr(), Len: tpt.CommandBytes, Client: c.answered, Handle: c.next})
}

// commandAnswer waits for an answer to be written.
type commandAnswer struct{ *commandUnit }

// Served makes the answer visible.
func (a commandAnswer) Served(_ sim.Time, n, _, _ uint32) {
	s := a.hca.Commands.Slot(n)
	s.Done = true
	for _, i := range s.Result.Touched {
		a.hca.Visible.Emit(i)
	}
	for _, i := range s.Result.Also {
		a.hca.Visible.Emit(i)
	}
}

// Done tells the driver and takes the next command.
func (a commandAnswer) Done(now sim.Time, n uint32, ok bool) {
	if !ok {
		panic("hca: the IOMMU refused the answer to a command")
	}
	a.next++
	a.busy = false
	a.hca.Software.CommandDone(now, n)
	a.begin(now)
}
