package wire

import "hcasim/sim"

// holds are the packets that a fault keeps back at the end of the wire. Each
// slot has a timer of the same number.
type holds struct {
	timers *sim.Timers
	slots  []holdSlot
	used   int
}

type holdSlot struct {
	handle uint32
	class  Class
	passes uint32 // packets still to overtake it; 0: only time frees it
	used   bool
}

// hold keeps a late packet back. Its place in the receive buffer stays
// reserved.
func (d *direction) hold(now sim.Time, h uint32, p *Packet) {
	i := 0
	for i < len(d.held.slots) && d.held.slots[i].used {
		i++
	}
	if i == len(d.held.slots) {
		d.held.slots = append(d.held.slots, holdSlot{})
		d.held.timers.Add()
	}
	d.held.slots[i] = holdSlot{h, p.Class, p.passes, true}
	d.held.used++
	d.held.timers.Arm(uint32(i), now.Add(p.hold))
}

// overtaken counts a packet that arrived while others are held, and lets go
// those that enough have passed.
func (d *direction) overtaken(now sim.Time, c Class) {
	for i := range d.held.slots {
		s := &d.held.slots[i]
		if !s.used || s.class != c || s.passes == 0 {
			continue
		}
		if s.passes--; s.passes == 0 {
			d.held.timers.Stop(uint32(i))
			d.release(now, uint32(i))
		}
	}
}

// release delivers the packet held in slot i.
func (d *direction) release(now sim.Time, i uint32) {
	s := &d.held.slots[i]
	s.used = false
	d.held.used--
	d.deliver(now, s.handle, d.link.pool.At(s.handle))
}
