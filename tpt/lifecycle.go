package tpt

// A move is one step that a life may take.
type move struct {
	kind Kind
	from State
	op   Op
	to   State
}

// moves is the whole lifecycle. What is not listed is refused.
var moves = [...]move{
	{Region, Absent, RegMR, Valid},
	{Region, Valid, ReregMR, Valid},
	{Region, Valid, Break, Unusable}, // RER-7
	{Region, Valid, SetPages, Valid}, // on-demand only
	{Region, Valid, DeregMR, Absent},
	{Region, Unusable, DeregMR, Absent},

	{Shared, Absent, RegShared, Valid},
	{Shared, Valid, DeregMR, Absent},

	{FastReg, Absent, AllocMR, Free},
	{FastReg, Free, FastRegMR, Valid},
	{FastReg, Free, LocalInv, Free}, // INV-7
	{FastReg, Free, RemoteInv, Free},
	{FastReg, Valid, LocalInv, Free},
	{FastReg, Valid, RemoteInv, Free},
	{FastReg, Free, DeregMR, Absent}, // DER-6
	{FastReg, Valid, DeregMR, Absent},

	{Window1, Absent, AllocMW, Free},
	{Window1, Free, BindMW, Valid},
	{Window1, Valid, BindMW, Valid}, // a new key byte, the old binding gone (BIN-1)
	{Window1, Unusable, BindMW, Valid},
	{Window1, Free, Unbind, Free},
	{Window1, Valid, Unbind, Free}, // BIN-2
	{Window1, Unusable, Unbind, Free},
	{Window1, Valid, Orphan, Unusable},
	{Window1, Free, DeallocMW, Absent},
	{Window1, Valid, DeallocMW, Absent}, // DER-7
	{Window1, Unusable, DeallocMW, Absent},

	{Window2A, Absent, AllocMW, Free},
	{Window2A, Free, BindMW, Valid}, // and only then (BIN-3)
	{Window2A, Valid, LocalInv, Free},
	{Window2A, Valid, RemoteInv, Free},
	{Window2A, Unusable, LocalInv, Free},
	{Window2A, Unusable, RemoteInv, Free},
	{Window2A, Valid, Orphan, Unusable},
	{Window2A, Free, DeallocMW, Absent},
	{Window2A, Valid, DeallocMW, Absent},
	{Window2A, Unusable, DeallocMW, Absent},

	{Window2B, Absent, AllocMW, Free},
	{Window2B, Free, BindMW, Valid},
	{Window2B, Valid, LocalInv, Free},
	{Window2B, Valid, RemoteInv, Free},
	{Window2B, Unusable, LocalInv, Free},
	{Window2B, Unusable, RemoteInv, Free},
	{Window2B, Valid, Orphan, Unusable},
	{Window2B, Free, DeallocMW, Absent},
	{Window2B, Valid, DeallocMW, Absent},
	{Window2B, Unusable, DeallocMW, Absent},
}

// ways is moves by kind, state and operation: the state led to plus one, 0
// where there is no way.
var ways = func() (w [Window2B + 1][Unusable + 1][numOps]uint8) {
	for _, m := range moves {
		w[m.kind][m.from][m.op] = uint8(m.to) + 1
	}
	return w
}()

// Next returns the state to which op leads an entry of kind k, and whether op
// is allowed at all in state from. It knows the entry only; Apply knows what
// else must hold.
func Next(k Kind, from State, op Op) (to State, allowed bool) {
	way := ways[k][from][op]
	if way == 0 {
		return from, false
	}
	return State(way - 1), true
}
