package tpt

import "hcasim/ib"

// CommandBytes is the size of one slot of the command ring, charged to the
// DMA that fetches it and to the one that answers it.
const CommandBytes = 64

// A CommandSlot is one device command in the command ring of host memory, and
// its answer. Exactly one of Table.Op and QP.Op is set.
type CommandSlot struct {
	Table Command
	QP    ib.QPCommand

	Result Result  // of Table; of QP its Errno
	QPN    ib.QPN  // CreateQP
	CQN    ib.CQN  // CreateCQ
	SRQN   ib.SRQN // CreateSRQ
	Done   bool    // the answer has been written
}

// A CommandRing is the command queue: the driver produces, the adapter
// consumes and answers in place.
type CommandRing struct {
	Base  uint64
	Slots []CommandSlot // a power of two
}

// Slot returns the slot that counter n stands for.
func (r *CommandRing) Slot(n uint32) *CommandSlot { return &r.Slots[int(n)&(len(r.Slots)-1)] }
