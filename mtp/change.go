package mtp

import (
	"hcasim/ib"
	"hcasim/pcie"
	"hcasim/sim"
	"hcasim/tpt"
)

// A ChangeClient is told when a change that it asked for is done.
type ChangeClient interface {
	// Wanted is asked as the turn of a change has come. One that is not wanted
	// any more is not made, and ends as flushed.
	Wanted(handle uint32) bool
	// Changed is called once per change. The change is in force and nothing
	// under the old key is under way any more (M5). r is valid during the call.
	Changed(now sim.Time, handle uint32, r *tpt.Result)
}

// Changed tells a watcher of a change. Done is false when it has just been
// applied and true when it is done.
type Changed struct {
	At      sim.Time
	Done    bool
	Command *tpt.Command
	Result  *tpt.Result
	Client  ChangeClient // who asked
	Handle  uint32       // the client's own
}

// epochs bounds the changes whose fence is open at once.
const epochs = 64

// A change is one command on its way through the table unit.
type change struct {
	client  ChangeClient
	handle  uint32
	command tpt.Command
	result  tpt.Result
	missing uint32 // entries still being fetched
	writing uint32 // write-backs under way
	epoch   uint8  // accesses of this epoch and of those before hold the fence
	fenced  bool   // applied with effect: waits for its fence
	behind  bool   // others were in front of it when it came
}

// changer is the table unit. It alone calls Apply.
//
// Accesses are counted by the epoch in which they were judged; a change that
// took effect closes the epoch, and is done when no access of that epoch is
// left. Epochs end in order, so a ring of counters is enough.
type changer struct {
	unit    *Unit
	bus     *pcie.Bus
	client  pcie.ClientID
	changes sim.Pool[change]
	queue   sim.Ring[uint32] // not yet begun
	current uint32           // being fetched or worked on
	work    sim.HandlerID
	held    bool             // the current change waits for fences (M6)
	fences  sim.Ring[uint32] // applied, not yet done, oldest first
	epoch   uint8
	judged  [epochs]uint32 // accesses judged in each epoch and not yet released
}

func (c *changer) init(u *Unit, name string, bus *pcie.Bus) {
	c.unit, c.bus, c.current = u, bus, none
	c.client = bus.Client(name+".table", c)
	c.work = u.engine.Register(name+".table", c)
}

func (c *changer) idle() bool {
	return c.queue.Len() == 0 && c.current == none && c.fences.Len() == 0
}

// Change asks for a change to the tables.
func (u *Unit) Change(now sim.Time, client ChangeClient, handle uint32, cmd *tpt.Command) {
	c := &u.changes
	id := c.changes.Get()
	behind := c.current != none || c.queue.Len() > 0
	*c.changes.At(id) = change{client: client, handle: handle, command: *cmd, behind: behind}
	if behind {
		u.stall(now, StallChanges, false)
	}
	c.queue.Push(id)
	c.begin(now)
}

// enter counts an access into the epoch that is open.
func (c *changer) enter() uint8 {
	c.judged[c.epoch%epochs]++
	return c.epoch
}

// leave counts it out again; then the fences may have ended.
func (c *changer) leave(epoch uint8) { c.judged[epoch%epochs]-- }

// ended completes what has waited for an access that has left.
func (c *changer) ended(now sim.Time) {
	if c.fences.Len() > 0 {
		c.finish(now)
	}
}

// begin takes the next change: it fetches the entries that it needs.
func (c *changer) begin(now sim.Time) {
	if c.current != none || c.queue.Len() == 0 {
		return
	}
	c.current = c.queue.Pop()
	ch := c.changes.At(c.current)
	if ch.behind {
		c.unit.stall(now, StallChanges, true)
	}
	ch.missing = 1
	for _, i := range needs(&ch.command) {
		if i == 0 || !c.unit.table.Holds(i) || c.unit.mpt.Lookup(i) != nil {
			continue
		}
		ch.missing++
		c.unit.fetch.await(now, fillKey{fillMPT, uint32(i)}, waiter{kind: waitChange})
	}
	c.fetched(now)
}

// needs returns the entries that a command reads before it changes them.
func needs(cmd *tpt.Command) [2]ib.Index {
	switch cmd.Op {
	case tpt.BindMW:
		return [2]ib.Index{cmd.Window, cmd.Region.Index()}
	case tpt.FastRegMR, tpt.LocalInv, tpt.RemoteInv:
		return [2]ib.Index{cmd.Key.Index()}
	case tpt.ReregMR, tpt.DeregMR, tpt.DeallocMW, tpt.RegShared:
		return [2]ib.Index{cmd.Index}
	default:
		return [2]ib.Index{}
	}
}

// fetched counts an entry that is at hand; the last one starts the work.
func (c *changer) fetched(now sim.Time) {
	ch := c.changes.At(c.current)
	if ch.missing--; ch.missing == 0 {
		c.unit.engine.At(c.unit.clock.After(now, c.unit.params.ChangeCycles), c.work, 0)
	}
}

// Fire applies the current change, its entries fetched and its cycles spent.
func (c *changer) Fire(now sim.Time, _ uint32) {
	ch := c.changes.At(c.current)
	if c.fences.Len() > 0 && (writesMTT(ch.command.Op) || c.fences.Len() == epochs-1) {
		c.held = true // M6; finish comes back here when the fences have ended
		return
	}
	c.apply(now)
}

// writesMTT reports whether op may write or re-use translation entries.
func writesMTT(op tpt.Op) bool {
	switch op {
	case tpt.RegMR, tpt.AllocMR, tpt.ReregMR, tpt.FastRegMR, tpt.SetPages:
		return true
	default:
		return false
	}
}

func (c *changer) apply(now sim.Time) {
	id := c.current
	ch := c.changes.At(id)
	r := &ch.result
	if !ch.client.Wanted(ch.handle) {
		r.Status = ib.WRFlushErr
		c.current = none
		c.complete(now, id)
		c.begin(now)
		return
	}
	*r = c.unit.table.Apply(&ch.command)
	if c.unit.Changes.On() {
		c.unit.Changes.Emit(Changed{At: now, Command: &ch.command, Result: r, Client: ch.client, Handle: ch.handle})
	}
	c.current = none
	if r.Touched[0] == 0 && r.MTTCount == 0 {
		c.complete(now, id)
		c.begin(now)
		return
	}
	c.dropCopies(&ch.command, r)
	ch.fenced, ch.epoch = true, c.epoch
	c.epoch = (c.epoch + 1) % epochs
	c.fences.Push(id)
	c.writeBack(now, id)
	c.finish(now)
	c.begin(now)
}

// dropCopies makes the copies of what changed unusable (CACHE-2). A run that a
// rereg moved to is new to its region, but the lines that it lies in may be on
// chip for the sake of their other entries.
func (c *changer) dropCopies(cmd *tpt.Command, r *tpt.Result) {
	u := c.unit
	if u.caches.Invalidate != "lazy" {
		for _, i := range r.Touched {
			if i != 0 {
				c.renew(i)
			}
		}
		for _, i := range r.Also {
			u.mpt.Drop(i)
		}
	}
	if u.caches.Invalidate != "keep_fills" {
		u.fetch.distrust(r)
	}
	c.dropPages(r.MTT, r.MTTCount)
	if cmd.Op == tpt.ReregMR && r.MTTCount > 0 {
		e := u.table.Entry(r.Index)
		c.dropPages(e.MTT, e.Pages)
	}
}

// renew drops the copy of an entry that a change made, or, where the adapter
// writes through, puts the new entry in its place.
func (c *changer) renew(i ib.Index) {
	u := c.unit
	u.mpt.Drop(i)
	if e := u.table.Entry(i); u.caches.Renew && e.State != tpt.Absent {
		u.mpt.Fill(i, &e)
	}
}

// dropPages makes the copies of a run of translation entries unusable: line by
// line, or the whole cache when the run is longer than the cache is large.
func (c *changer) dropPages(first, n uint32) {
	if n == 0 {
		return
	}
	u := c.unit
	from, to := first/lineEntries, (first+n-1)/lineEntries
	if u.caches.Invalidate != "keep_fills" {
		u.fetch.distrustLines(from, to)
	}
	switch {
	case u.caches.Invalidate == "lazy":
	case to-from >= u.mtt.lines():
		u.mtt.Clear()
	default:
		for l := from; l <= to; l++ {
			u.mtt.Drop(mttLine(l))
		}
	}
}

// writeBack writes the changed entries to the table in host memory.
func (c *changer) writeBack(now sim.Time, id uint32) {
	ch := c.changes.At(id)
	for _, i := range ch.result.Touched {
		if i == 0 {
			continue
		}
		ch.writing++
		c.bus.Write(now, pcie.Request{
			Addr: c.unit.layout.MPT + uint64(i)*tpt.EntryBytes, Len: tpt.EntryBytes,
			Client: c.client, Handle: id,
		})
	}
}

// contextWrite is the handle of a write-back that nobody waits for.
const contextWrite = none

// writeContext writes an evicted queue-pair context back.
func (c *changer) writeContext(now sim.Time, qpn ib.QPN) {
	l := &c.unit.layout
	c.bus.Write(now, pcie.Request{
		Addr: l.QPC + uint64(qpn)*uint64(l.QPCBytes), Len: l.QPCBytes,
		Client: c.client, Handle: contextWrite,
	})
}

// Served is the commit of a write-back: the table is the truth already.
func (c *changer) Served(sim.Time, uint32, uint32, uint32) {}

// Done counts a write-back that has landed.
func (c *changer) Done(now sim.Time, handle uint32, ok bool) {
	if !ok {
		panic("mtp: the IOMMU refused a table write-back")
	}
	if handle == contextWrite {
		return
	}
	ch := c.changes.At(handle)
	if ch.writing--; ch.writing == 0 {
		c.finish(now)
	}
}

// finish completes the changes whose fences have ended, oldest first, then
// lets a change that waits for them go on.
func (c *changer) finish(now sim.Time) {
	ended := false
	for c.fences.Len() > 0 {
		id := *c.fences.Peek()
		ch := c.changes.At(id)
		if ch.writing > 0 || c.judged[ch.epoch] > 0 {
			break
		}
		c.fences.Pop()
		c.complete(now, id)
		ended = true
	}
	if ended && c.held {
		c.held = false
		c.unit.engine.At(now, c.work, 0)
	}
}

// complete tells the client and forgets the change.
func (c *changer) complete(now sim.Time, id uint32) {
	ch := c.changes.At(id)
	if c.unit.Changes.On() {
		c.unit.Changes.Emit(Changed{At: now, Done: true, Command: &ch.command, Result: &ch.result, Client: ch.client, Handle: ch.handle})
	}
	ch.client.Changed(now, ch.handle, &ch.result)
	c.changes.Put(id)
}
