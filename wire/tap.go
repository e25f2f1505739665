package wire

import "hcasim/sim"

// A Fate is what becomes of a packet on the wire.
type Fate uint8

// The fates. All but Overrun are decided as the packet enters the wire.
const (
	Sound      Fate = iota // arrives as sent
	Lost                   // does not arrive
	Corrupted              // arrives, and is discarded for its ICRC
	Duplicated             // arrives, and a copy of it follows
	Copy                   // is that copy
	Late                   // arrives late, behind packets sent after it
	Overrun                // arrives, and is discarded for want of room
)

var fateNames = [...]string{
	Sound: "sound", Lost: "lost", Corrupted: "corrupted", Duplicated: "duplicated",
	Copy: "copy", Late: "late", Overrun: "overrun",
}

// String returns the fate as a word.
func (f Fate) String() string { return fateNames[f] }

// A Passage is what the link writes on a packet: Send the first part, and the
// rest as it enters the wire.
type Passage struct {
	Bytes sim.Bytes // on the wire, all included
	Src   End
	Dst   End
	Class Class

	Fate    Fate
	Number  uint64   // of its direction, from 0 in the order of entering
	Entered sim.Time // first bit
	Left    sim.Time // last bit
	Arrives sim.Time // last bit at the other end, if it gets there and is not held
}

// A Receipt is a packet that came to its end at a receiver.
type Receipt struct {
	From     End // the sender
	Class    Class
	Number   uint64 // as in its Passage
	Fate     Fate   // Corrupted and Overrun were discarded, others accepted
	Arrived  sim.Time
	Accepted sim.Time // or discarded
}

// Parts are the numbers under which a link books the time of a packet in its
// Trail.
type Parts struct {
	Queue  sim.Part // from Send to the first bit: other packets, credits, pause
	Wire   sim.Part // from the first bit to the last
	Flight sim.Part // from the last bit leaving to it arriving, with holds by faults
	Buffer sim.Part // from there until the receiver takes it
}
