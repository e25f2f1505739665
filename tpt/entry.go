package tpt

import (
	"fmt"

	"hcasim/ib"
)

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

// The sets of kinds that the rules speak of, a bit for each.
const (
	windows  = 1<<Window1 | 1<<Window2A | 1<<Window2B
	regions  = 1<<Region | 1<<Shared | 1<<FastReg
	guardsPD = regions | 1<<Window1 | 1<<Window2B // the PD is looked at
	guardsQP = 1<<Window2A | 1<<Window2B          // the QP number is looked at
)

func (k Kind) in(set uint) bool { return set>>(k&15)&1 != 0 }

// IsWindow reports whether k is one of the three kinds of window.
func (k Kind) IsWindow() bool { return k.in(windows) }

// IsRegion reports whether k is one of the three kinds of region.
func (k Kind) IsRegion() bool { return k.in(regions) }

// Type2 reports whether k is a window bound by a work request and invalidated
// by one.
func (k Kind) Type2() bool { return k.in(guardsQP) }

var kindNames = [...]string{
	NoKind: "none", Region: "region", Shared: "shared", FastReg: "fast-register",
	Window1: "window-1", Window2A: "window-2A", Window2B: "window-2B",
}

// String returns the kind's word, such as "window-2B".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A State is where an entry stands in its life.
type State uint8

// The states of an entry.
const (
	Absent   State = iota // no object at this index
	Free                  // an object that grants nothing: a window not bound, a fast-register region not registered
	Valid                 // grants what its rights say; of a window: bound
	Unusable              // a region after a failed rereg (RER-7), or a window whose region is gone (DER-1, orphan): grants nothing
)

var stateNames = [...]string{Absent: "absent", Free: "free", Valid: "valid", Unusable: "unusable"}

// String returns the state's word, such as "valid".
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// An Entry is one line of the memory protection table (MPT): all that a check
// needs to know about a key. It is a value: a cache holds copies of it.
//
// What a bind decides once is in the entry already: the range of a window is
// the range that accesses are judged by (mw_range, bind_range_check), and its
// translation is the region's, so that one entry answers for one access.
type Entry struct {
	Kind      Kind
	State     State
	KeyByte   uint8          // of an absent entry: the byte last in use (KEY-14)
	PageShift uint8          // log2 of the page size of the translation, 12..30
	Rights    ib.AccessFlags // what is granted; of a window: to the peer
	PD        ib.PDN
	QPN       ib.QPN   // type 2 windows, bound: the queue pair that bound it
	Region    ib.Index // windows, bound: the region behind it
	MTT       uint32   // first translation entry
	Pages     uint32   // number of translation entries
	Start     uint64   // first address that the key grants; 0 when zero-based
	Length    uint64   // bytes granted; Start+Length does not pass 2^64
	First     uint64   // offset of Start's byte within the memory that MTT describes
}

// same reports whether e is f in every field: what the compiler makes of ==
// compares them one by one, and a watcher asks this of every access.
func (e *Entry) same(f *Entry) bool {
	return e.head()^f.head()|
		(e.owners()^f.owners())|
		(e.places()^f.places())|
		uint64(e.Pages^f.Pages)|
		(e.Start^f.Start)|(e.Length^f.Length)|(e.First^f.First) == 0
}

func (e *Entry) head() uint64 {
	return uint64(e.Kind) | uint64(e.State)<<8 | uint64(e.KeyByte)<<16 | uint64(e.PageShift)<<24 | uint64(e.Rights)<<32
}

func (e *Entry) owners() uint64 { return uint64(e.PD) | uint64(e.QPN)<<32 }

func (e *Entry) places() uint64 { return uint64(e.Region) | uint64(e.MTT)<<32 }

// EntryBytes is the size of an entry in host memory, charged to every fill.
// ConnectX: 64 bytes.
const EntryBytes = 64

// MTTBytes is the size of one translation entry in host memory.
const MTTBytes = 8
