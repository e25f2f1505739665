package host

import (
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// An Outcome is what a verb that enters the kernel came to.
type Outcome struct {
	Errno  ib.Errno
	Rereg  ib.ReregResult
	Rule   string       // the rule that refused, if it is one of protection
	CPU    sim.Duration // spent in the CPU
	Device sim.Duration // waiting for the adapter
}

// Then is called as a verb returns.
type Then func(now sim.Time, o Outcome)

// driver is the kernel's side: it spends CPU time, and puts commands into the
// command ring one after another.
type driver struct {
	host    *Host
	poll    sim.HandlerID
	sent    uint32
	waiting []order                                           // commands for which the ring had no slot
	asked   map[uint32]func(now sim.Time, s *tpt.CommandSlot) // by counter
}

// An order is a command that is still to be sent.
type order struct {
	fill func(s *tpt.CommandSlot)
	then func(now sim.Time, s *tpt.CommandSlot)
}

func (d *driver) init(h *Host) {
	d.host = h
	d.poll = h.engine.Register(h.Name+".poll", poller{h})
	d.asked = map[uint32]func(sim.Time, *tpt.CommandSlot){}
}

// command sends a device command and waits for its answer.
func (h *Host) command(now sim.Time, fill func(s *tpt.CommandSlot), then func(now sim.Time, s *tpt.CommandSlot)) {
	if h.Setup != nil {
		var s tpt.CommandSlot
		fill(&s)
		h.Setup.Execute(&s)
		then(now, &s)
		return
	}
	d := &h.driver
	if len(d.asked) == len(h.Commands.Slots) {
		d.waiting = append(d.waiting, order{fill, then})
		return
	}
	s := h.Commands.Slot(d.sent)
	*s = tpt.CommandSlot{}
	fill(s)
	d.asked[d.sent] = then
	d.sent++
	h.Bus.MMIO(now, ib.Doorbell(0, ib.DoorbellCommand), d.sent, 8)
}

// CommandDone takes the interrupt that says a command was answered. It is the
// adapter's to call.
func (h *Host) CommandDone(now sim.Time, counter uint32) {
	h.later.at(now.Add(h.Params.CPU.Interrupt), func(now sim.Time) {
		d := &h.driver
		then := d.asked[counter]
		delete(d.asked, counter)
		s := *h.Commands.Slot(counter)
		if len(d.waiting) > 0 {
			o := d.waiting[0]
			d.waiting = d.waiting[1:]
			h.command(now, o.fill, o.then)
		}
		then(now, &s)
	})
}

// spend lets the CPU work for a while before going on.
func (h *Host) spend(now sim.Time, d sim.Duration, then func(now sim.Time)) {
	if h.Setup != nil {
		then(now)
		return
	}
	h.later.at(now.Add(d), then)
}

// A verb is a call under way.
type verb struct {
	host  *Host
	start sim.Time
	out   Outcome
	then  Then
}

func (h *Host) begin(now sim.Time, then Then) *verb { return &verb{host: h, start: now, then: then} }

// work spends CPU time.
func (v *verb) work(now sim.Time, d sim.Duration, next func(now sim.Time)) {
	if v.host.Setup == nil {
		v.out.CPU += d
	}
	v.host.spend(now, d, next)
}

// ask sends a command and passes its answer on if it was carried out; else
// undo, then the verb returns with the answer's errno.
func (v *verb) ask(now sim.Time, fill func(s *tpt.CommandSlot), undo func(), next func(now sim.Time, s *tpt.CommandSlot)) {
	sent := now
	v.host.command(now, fill, func(now sim.Time, s *tpt.CommandSlot) {
		v.out.Device += now.Sub(sent)
		v.out.Errno, v.out.Rereg, v.out.Rule = s.Result.Errno, s.Result.Rereg, s.Result.Rule
		if s.Result.Errno != ib.OK {
			if undo != nil {
				undo()
			}
			v.done(now)
			return
		}
		next(now, s)
	})
}

// refuse returns from the verb with an errno of its own.
func (v *verb) refuse(now sim.Time, e ib.Errno, rule string) {
	v.out.Errno, v.out.Rule = e, rule
	v.done(now)
}

func (v *verb) done(now sim.Time) { v.then(now, v.out) }

// Query is one of ibv_query_*: the kernel answers from what it knows.
func (h *Host) Query(now sim.Time, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap, v.done)
}

// QueryQP is ibv_query_qp: what the adapter knows of a queue pair is for it to
// say, and some drivers ask.
func (h *Host) QueryQP(now sim.Time, then Then) {
	v := h.begin(now, then)
	v.work(now, h.Params.CPU.Trap+h.Params.CPU.QueryQP, v.done)
}

// tableCommand fills a command for the tables.
func tableCommand(c tpt.Command) func(s *tpt.CommandSlot) {
	return func(s *tpt.CommandSlot) { s.Table = c }
}

// queueCommand fills a command for a queue.
func queueCommand(c ib.QPCommand) func(s *tpt.CommandSlot) {
	return func(s *tpt.CommandSlot) { s.QP = c }
}
