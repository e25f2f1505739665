package host

import (
	"hcasim/ib"
	"hcasim/sim"
)

// A PD is a protection domain as the software holds it.
type PD struct {
	N    ib.PDN
	gone bool
}

// An MR is a memory region as the software holds it.
type MR struct {
	PD      *PD
	Process *Process
	VA      uint64 // in the process
	Length  uint64
	IOVA    uint64 // in requests
	Access  ib.AccessFlags
	Index   ib.Index
	LKey    ib.LKey
	RKey    ib.RKey
	FastReg bool
	Pages   uint64 // translation entries
	Shift   uint8  // log2 of their page size

	pin    Pinning
	pinned bool
	gone   bool
	lent   []uint64 // on demand, behind an IOMMU: the frames that the adapter knows, 0 for none

	small, huge uint64 // on demand: the pages behind it, as Pinning counts them
}

// An MW is a memory window as the software holds it.
type MW struct {
	PD    *PD
	Type  ib.MWType
	Index ib.Index
	RKey  ib.RKey // as after the last bind that the software posted

	gone bool
}

// A CQ is a completion queue as the software holds it. A thread polls it all
// the time unless it is manual.
type CQ struct {
	N      ib.CQN
	Ring   *ib.CQRing
	Manual bool // completions are left until Poll

	Count  uint32       // moderation: an event after so many completions
	Period sim.Duration // or so long after the first; both 0: with the first

	busy    sim.Time // until then the poller is busy
	events  eventQueue
	unacked uint32 // events taken and not acknowledged
	gone    bool
}

// A QP is a queue pair as the software holds it.
type QP struct {
	N         ib.QPN
	PD        *PD
	SendCQ    *CQ
	RecvCQ    *CQ
	Attr      ib.QPAttr  // as last set
	State     ib.QPState // as last set: the software does not see the adapter move it to ERR
	MaxInline int

	sent  uint32   // requests posted, by counter
	freed uint32   // known to be over
	rang  sim.Time // when the send doorbell rings, or last rang
	// Of the requests written that no doorbell has been rung for.
	size   sim.Bytes // basic blocks
	inline sim.Bytes // data
	recv   recvSide
	srq    *SRQ
	gone   bool
}

// A qpTable finds queue pairs by their numbers, which are close to each other
// but for those that somebody asked for.
type qpTable struct{ pages []*[qpPage]*QP }

const qpPage = 64

// at returns the queue pair of a number, nil for none.
func (t *qpTable) at(n ib.QPN) *QP {
	if int(n/qpPage) >= len(t.pages) || t.pages[n/qpPage] == nil {
		return nil
	}
	return t.pages[n/qpPage][n%qpPage]
}

func (t *qpTable) set(n ib.QPN, q *QP) {
	for int(n/qpPage) >= len(t.pages) {
		t.pages = append(t.pages, nil)
	}
	if t.pages[n/qpPage] == nil {
		t.pages[n/qpPage] = new([qpPage]*QP)
	}
	t.pages[n/qpPage][n%qpPage] = q
}
