package wire

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A FaultKind is what a fault on purpose does to a packet.
type FaultKind uint8

// The kinds of faults.
const (
	// Drop: the packet takes its time on the wire and never arrives.
	Drop FaultKind = iota
	// Corrupt: the receiver finds the ICRC wrong and discards it.
	Corrupt
	// Duplicate: a copy follows it on the wire.
	Duplicate
	// Delay: it arrives later by Fault.Delay; what is behind it overtakes.
	Delay
	// Reorder: it arrives right after the next Fault.Passes packets of its
	// direction and class, or after Fault.Delay if they do not come.
	Reorder
)

var faultKindNames = [...]string{
	Drop: "drop", Corrupt: "corrupt", Duplicate: "duplicate", Delay: "delay", Reorder: "reorder",
}

// String returns the word of a scenario: drop, corrupt, …
func (k FaultKind) String() string { return faultKindNames[k] }

// ParseFaultKind returns the kind that s names.
func ParseFaultKind(s string) (FaultKind, bool) {
	for k, name := range faultKindNames {
		if name == s {
			return FaultKind(k), true
		}
	}
	return 0, false
}

// Always is the chance of a fault that is certain, in parts per million.
const Always = 1_000_000

// A Match says which packets a fault looks at. The zero Match is all of them;
// each By… field set narrows it.
type Match struct {
	ByFrom   bool
	From     End
	ByClass  bool
	Class    Class
	ByOpcode bool
	Opcode   ib.Opcode
	ByQP     bool
	DestQP   ib.QPN
	ByPSN    bool
	PSN      ib.PSN
	ByOp     bool
	Op       uint32 // Packet.Op
	Of       Ops    // nil, or those that it has
}

// Ops are some of the senders' own records, by Packet.Op.
type Ops interface{ Has(op uint32) bool }

// matches reports whether the fault looks at p.
func (m *Match) matches(p *Packet) bool {
	return !(m.ByFrom && m.From != p.Src ||
		m.ByClass && m.Class != ClassOf(p.BTH.Opcode) ||
		m.ByOpcode && m.Opcode != p.BTH.Opcode ||
		m.ByQP && m.DestQP != p.BTH.DestQP ||
		m.ByPSN && m.PSN != p.BTH.PSN ||
		m.ByOp && m.Op != p.Op ||
		m.Of != nil && !m.Of.Has(p.Op))
}

// A Fault is something that is to go wrong on the wire. Of the packets that
// match, numbered from 1 in the order they enter the wire, those from Nth on
// are in question, Count of them, and each is hit with a chance of PPM. Of
// several faults that would hit a packet the one added first does. The copy
// that a Duplicate makes is neither counted nor hit.
type Fault struct {
	Kind FaultKind
	Match
	Nth    uint64       // first of the matching packets in question; 0 is 1
	Count  uint64       // how many of them; 0: all that follow
	PPM    uint32       // chance, parts per million: 0 never, Always for sure
	Delay  sim.Duration // Delay: how much later. Reorder: the longest wait
	Passes uint32       // Reorder: how many packets overtake; 0 is 1
}

// A plan is a fault at work.
type plan struct {
	Fault
	random *sim.Rand
	seen   uint64 // packets that matched
	hits   uint64
}

// hit counts p if it matches and reports whether the fault is for it. It draws
// only for packets in question, from a stream of its own, so that no fault
// moves another.
func (f *plan) hit(p *Packet) bool {
	if !f.matches(p) {
		return false
	}
	f.seen++
	first := max(f.Nth, 1)
	if f.seen < first || f.Count != 0 && f.seen-first >= f.Count {
		return false
	}
	return f.random.Chance(f.PPM)
}

// A FaultID names a fault that was added to a link.
type FaultID int

// AddFault puts a fault to work, for packets that enter the wire from now on.
func (l *Link) AddFault(f Fault) FaultID {
	id := FaultID(len(l.faults))
	l.faults = append(l.faults, plan{Fault: f, random: sim.NewRand(l.seed, uint64(id))})
	return id
}

// Hits returns how many packets the fault has struck.
func (l *Link) Hits(id FaultID) uint64 { return l.faults[id].hits }

// judge decides what becomes of a sound packet as it enters the wire, and
// reports whether a copy is to follow it.
func (l *Link) judge(p *Packet) (twice bool) {
	var struck *plan
	for i := range l.faults {
		// Every fault counts for itself, whichever strikes.
		if f := &l.faults[i]; f.hit(p) && struck == nil {
			struck = f
		}
	}
	if p.BadICRC {
		p.Fate = Corrupted
	}
	if struck == nil || p.BadICRC && struck.Kind != Drop {
		return false
	}
	struck.hits++
	switch struck.Kind {
	case Drop:
		p.Fate = Lost
	case Corrupt:
		p.Fate = Corrupted
	case Duplicate:
		p.Fate = Duplicated
	case Delay:
		p.Fate, p.hold, p.passes = Late, struck.Delay, 0
	case Reorder:
		p.Fate, p.hold, p.passes = Late, struck.Delay, max(struck.Passes, 1)
	}
	return p.Fate == Duplicated
}
