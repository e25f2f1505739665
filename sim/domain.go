package sim

import (
	"fmt"
	"math/bits"
)

// A Ticker is a part that does something in most cycles of its clock.
type Ticker interface {
	// Tick does the work of one cycle, at edge number cycle, which is at now. It
	// returns in how many cycles it wants the next tick; 0 means: not before
	// something wakes it. A wake-up that was asked for is kept even when the part
	// ticks before it, so a tick with nothing to do may come and must do nothing.
	Tick(now Time, cycle Cycles) (again Cycles)
}

// A Member is a Ticker's number within its domain.
type Member uint32

// rows is how many cycles ahead wake-ups are single bits.
const rows = 64

// A Domain ticks the parts that share a clock. While anybody is awake it has one
// live event, while all sleep none. A wake-up less than 64 cycles ahead is a bit
// in the row of its cycle: setting it twice is setting it once.
//
// The order in which members tick within a cycle is that in which they were
// added. Members that speak to each other only through Links of the domain and
// Wake get the same result in any order.
type Domain struct {
	engine  *Engine
	name    string
	clock   Clock
	members []Ticker
	names   []string

	wakeups [][rows]uint64 // by 64 members, by row: a bit per member
	busy    uint64         // a bit per row that has any
	next    Cycles         // of the first busy row, when there is one
	cycle   Cycles         // that is being ticked
	ticking bool
	event   *Timers // one timer, for next
	far     *Timers // a timer per member, for wake-ups further ahead
}

// NewDomain returns a domain without members.
func NewDomain(e *Engine, name string, clock Clock) *Domain {
	d := &Domain{engine: e, name: name, clock: clock}
	d.event = NewTimers(e, name, d.fire)
	d.event.Add()
	d.far = NewTimers(e, name, func(_ Time, index uint32) { d.Wake(Member(index)) })
	return d
}

// Add makes t a member, asleep.
func (d *Domain) Add(name string, t Ticker) Member {
	if d.ticking {
		panic(fmt.Sprintf("sim: %s at %v: member %s added within a tick", d.name, d.engine.now, name))
	}
	if len(d.members)%64 == 0 {
		d.wakeups = append(d.wakeups, [rows]uint64{})
	}
	d.members = append(d.members, t)
	d.names = append(d.names, name)
	return Member(d.far.Add())
}

// MemberName returns the name m was added with.
func (d *Domain) MemberName(m Member) string { return d.names[m] }

// Cycle returns the number of the last edge at or before now.
func (d *Domain) Cycle() Cycles {
	if d.ticking {
		return d.cycle
	}
	return d.clock.Next(d.engine.now+1) - 1
}

// Wake lets m tick at the first edge after now, never at an edge that is now: so
// it does not matter whether the domain has ticked already.
func (d *Domain) Wake(m Member) { d.wakeAt(m, d.Cycle()+1) }

// wakeAt lets m tick in a cycle less than 64 after the current one.
func (d *Domain) wakeAt(m Member, at Cycles) {
	row := at % rows
	d.wakeups[m/64][row] |= 1 << (m % 64)
	if !d.ticking && (d.busy == 0 || at < d.next) {
		d.next = at
		d.event.Arm(0, d.clock.Edge(at))
	}
	d.busy |= 1 << row
}

// fire ticks the cycle that is due, and goes on without the queue for as long as
// nothing else is due before the next.
func (d *Domain) fire(now Time, _ uint32) {
	for {
		d.tick(now, d.next)
		if d.busy == 0 {
			return
		}
		after := d.next + 1
		d.next = after + Cycles(bits.TrailingZeros64(bits.RotateLeft64(d.busy, -int(after%rows))))
		now = d.clock.Edge(d.next)
		if !d.engine.quiet(now) {
			d.event.Arm(0, now)
			return
		}
		d.engine.advance(now)
	}
}

// tick ticks everybody whose bit is set in the row of cycle n.
func (d *Domain) tick(now Time, n Cycles) {
	d.cycle, d.ticking = n, true
	d.busy &^= 1 << (n % rows)
	for w := range d.wakeups {
		wakeups := &d.wakeups[w]
		awake := wakeups[n%rows]
		if awake == 0 {
			continue
		}
		wakeups[n%rows] = 0
		members := d.members[w*64:]
		members = members[:min(64, len(members))]
		var again uint64
		if awake == 1<<len(members)-1 {
			again = d.tickAll(members, w, now, n)
		} else {
			again = d.tickSome(members, awake, w, now, n)
		}
		if again != 0 {
			wakeups[(n+1)%rows] |= again
			d.busy |= 1 << ((n + 1) % rows)
		}
	}
	d.ticking = false
}

// tickAll ticks members in a plain walk, and returns who wants the next cycle.
func (d *Domain) tickAll(members []Ticker, w int, now Time, n Cycles) (next uint64) {
	for i, t := range members {
		again := t.Tick(now, n)
		if again > 1 {
			d.later(Member(w*64+i), n, again)
			continue
		}
		next |= uint64(again) << (i & 63)
	}
	return next
}

// tickSome ticks the members whose bit is set, and returns who wants the next
// cycle.
func (d *Domain) tickSome(members []Ticker, awake uint64, w int, now Time, n Cycles) (next uint64) {
	for ; awake != 0; awake &= awake - 1 {
		i := bits.TrailingZeros64(awake)
		again := members[i].Tick(now, n)
		if again > 1 {
			d.later(Member(w*64+i), n, again)
			continue
		}
		next |= uint64(again) << (i & 63)
	}
	return next
}

// later books a wake-up that is more than a cycle ahead. One beyond the rows is
// a timer that wakes the member from the cycle before.
func (d *Domain) later(m Member, n, again Cycles) {
	if again < rows {
		d.wakeAt(m, n+again)
		return
	}
	d.far.Arm(uint32(m), d.clock.Edge(n+again-1))
}
