package tpt

import "hcasim/ib"

// A Kind is what a protection entry stands for.
type Kind uint8

// The kinds of entry.
const (
	NoKind   Kind = iota
	Region        // a region made by a register verb: valid from birth, never invalidated
	Shared        // a region made from another: same pages, own keys and rights
	FastReg       // a region made valid by a REG_MR work request
	Window1       // a type 1 window: bound by the verb, guarded by its PD
	Window2A      // a type 2 window guarded by its QP
	Window2B      // a type 2 window guarded by its QP and its PD
)

// A State is where an entry stands in its life.
type State uint8

// The states of an entry.
const (
	Absent   State = iota // no object at this index
	Free                  // an object that grants nothing: a window not bound, a fast-register region not registered
	Valid                 // grants what its rights say; of a window: bound
	Unusable              // left over from a failed rereg: only deregistration is possible (RER-7)
)

// An Entry is one line of the memory protection table (MPT): all that a check
// needs to know about a key. It is a value: a cache holds copies of it.
type Entry struct {
	Kind      Kind
	State     State
	KeyByte   uint8
	PageShift uint8          // log2 of the page size of the translation
	Rights    ib.AccessFlags // what is granted; of a window: to the peer
	PD        ib.PDN
	QPN       ib.QPN   // type 2 windows, bound: the queue pair that bound it
	Region    ib.Index // windows, bound: the region behind it
	MTT       uint32   // first translation entry
	Pages     uint32   // number of translation entries
	Start     uint64   // first address that the key grants; 0 when zero-based
	Length    uint64   // bytes granted
	First     uint64   // offset of Start's byte within the memory that MTT describes
}

// EntryBytes is the size of an entry in host memory, charged to every fill.
// ConnectX: 64 bytes.
const EntryBytes = 64

// MTTBytes is the size of one translation entry in host memory.
const MTTBytes = 8
