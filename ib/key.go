package ib

// An LKey names a memory region to the adapter that issued it, in work
// requests of its own host. Bits 31..8 are the index of the protection entry,
// bits 7..0 the key byte (IBA 10.6.7.2.4).
type LKey uint32

// An RKey names a memory region or window to a peer. Same layout as LKey.
type RKey uint32

// A Key is either of the two once it is known which table it points into.
type Key uint32

// An Index is the upper 24 bits of a key: the number of a protection entry.
// Index 0 is never given out (KEY-14).
type Index uint32

// MakeKey joins an index (24 bits) and a key byte.
func MakeKey(i Index, b uint8) Key { return Key(uint32(i)<<8 | uint32(b)) }

// Index returns the entry that k points to.
func (k Key) Index() Index { return Index(k >> 8) }

// Byte returns the part of k that proves its holder was given it.
func (k Key) Byte() uint8 { return uint8(k) }

// Next returns k with its key byte incremented modulo 256, the index
// unchanged, as ibv_inc_rkey does (KEY-8).
func (k Key) Next() Key { return k&^0xff | Key(uint8(k)+1) }

// The numbers of the objects that belong to one adapter. All are 24 bits on
// the wire; zero names nothing.
type (
	// PDN numbers a protection domain.
	PDN uint32
	// QPN numbers a queue pair.
	QPN uint32
	// CQN numbers a completion queue.
	CQN uint32
	// SRQN numbers a shared receive queue.
	SRQN uint32
)
