package mtp

import (
	"math/bits"

	"hcasim/sim"
	"hcasim/tpt"
)

// places says where the copies of one kind stand on chip: in one level, or in a
// far one before which there is a small near one. What the near level holds the
// far one holds too, so that it only says where there. The near level may be
// shared with other kinds, and then has a place for each part of a copy.
type places struct {
	first   *tpt.Cache // the near level, or the only one
	name    uint32     // kind, in the near level's names
	scale   uint32     // names of one copy there
	unit    uint32     // 1 if parts have names of their own, else 0
	ordered bool       // what is used of a shared near level is used of the far one
	shared  bool
	base    *tpt.Cache // the level with the copies: the far one, or the only one
	nears   []uint8    // by line of base: the parts that may be near; nil: there is one level

	refill sim.Cycles      // from the far level to the near one
	work   sim.Cycles      // on a copy that came from host memory, before it is of use
	holds  [2]sim.Interval // how long a miss keeps the packet engine, by fill.near
}

// kindShift leaves the lower bits of a name to the index.
const kindShift = 30

// farSeed makes the far level's random choices others than the near one's.
const farSeed = 1 << 32

// none ends a list of handles, and is the line of what is not on chip.
const none = tpt.NoLine

func newCache(p FarParams, seed uint64) *tpt.Cache {
	if p.Replace == "direct" {
		p.Ways = 1
	}
	return tpt.NewCache(tpt.CacheConfig{Entries: p.Entries, Ways: p.Ways, Replace: p.Replace, Hash: p.Hash, Seed: seed})
}

// nameOf is what the first level calls a part of k.
func (p *places) nameOf(k, part uint32) uint32 { return p.name | (k*p.scale + part*p.unit) }

// find returns where k stands, to one who needs a part of it, if that is near.
// He says hit then.
func (p *places) find(k, part uint32) (line uint32) { return p.first.Lookup(p.nameOf(k, part)) }

// hit notes that what was found in a line is used.
func (p *places) hit(line uint32) {
	if p.ordered {
		p.base.Touch(line)
	}
}

// levels reports whether there are two.
func (p *places) levels() bool { return p.nears != nil }

// findFar returns where k stands in the far level, none if there is no such.
func (p *places) findFar(k uint32) (line uint32) {
	if !p.levels() {
		return none
	}
	return p.base.Lookup(k)
}

// place returns a line for k, near too unless its parts have places of their
// own there, and whose copy is on chip no more.
func (p *places) place(k uint32) (line, evicted uint32, was bool) {
	line, evicted, was = p.base.Fill(k)
	if !p.levels() {
		return line, evicted, was
	}
	if was {
		p.leave(evicted, line)
	}
	if p.scale == 1 {
		p.approach(k, 0, line)
	}
	return line, evicted, was
}

// approach holds a part of k near, which stands in a line of the far level.
func (p *places) approach(k, part, line uint32) {
	p.first.FillFor(p.nameOf(k, part), line)
	p.nears[line] |= 1 << part
}

// leave forgets what is near of k, which stood in a line of the far level.
func (p *places) leave(k, line uint32) {
	for m := p.nears[line]; m != 0; m &= m - 1 {
		p.first.Drop(p.nameOf(k, uint32(bits.TrailingZeros8(m))))
	}
	p.nears[line] = 0
}

// bring holds a part of k near, if that level is shared and the far one has k.
func (p *places) bring(k, part uint32) {
	if !p.shared {
		return
	}
	if line := p.base.Peek(k); line != none {
		p.approach(k, part, line)
	}
}

// lines returns how many copies are on chip at most.
func (p *places) lines() uint32 { return uint32(p.base.Lines()) }

// drop forgets where k stands.
func (p *places) drop(k uint32) {
	if line := p.base.Drop(k); line != none && p.levels() {
		p.leave(k, line)
	}
}

// Clear forgets everything.
func (p *places) Clear() {
	if p.shared {
		p.first.DropIf(func(name uint32) bool { return name>>kindShift == p.name>>kindShift })
	} else {
		p.first.Clear()
	}
	p.base.Clear()
	clear(p.nears)
}
