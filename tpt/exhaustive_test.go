package tpt

import (
	"testing"

	"hcasim/ib"
)

// Every access of a small world against every entry of it, judged a second
// time by plain sentences.
func TestCheckExhaustive(t *testing.T) {
	entries, accesses := smallEntries(), smallAccesses()
	t.Logf("%d entries, %d accesses", len(entries), len(accesses))
	granted := 0
	for _, e := range entries {
		for _, a := range accesses {
			got, want := Check(e, a), plainVerdict(e, a)
			if got != want {
				t.Fatalf("Check(%+v, %+v) = %v, want %v", e, a, got, want)
			}
			if got == OK {
				granted++
			}
		}
	}
	if granted == 0 {
		t.Error("nothing in this world is granted")
	}
}

// plainVerdict is the order of 3.1 and 3.2 as sentences with names.

func smallEntries() (all []Entry) {
	for _, kind := range allKinds {
		for _, state := range []State{Absent, Free, Valid, Unusable} {
			for bits := range 32 {
				e := Entry{Kind: kind, State: state, KeyByte: uint8(bits & 1), PD: ib.PDN(1 + bits>>1&1), Start: 16, Length: 16}
				if kind.Type2() {
					e.QPN = ib.QPN(1 + bits>>2&1)
				} else if bits>>2&1 != 0 {
					e.Start = 0
				}
				e.Rights = []ib.AccessFlags{0, ib.RemoteRead, ib.RemoteWrite | ib.LocalWrite, ib.RemoteAtomic | ib.LocalWrite}[bits>>3]
				all = append(all, e)
			}
		}
	}
	return all
}

func smallAccesses() (all []Access) {
	for _, need := range []ib.AccessFlags{0, ib.LocalWrite, ib.RemoteRead, ib.RemoteWrite, ib.RemoteAtomic} {
		for bits := range 8 {
			for _, va := range []uint64{0, 15, 16, 24, 31, 32} {
				for _, n := range []uint64{0, 1, 8, 16, 17} {
					all = append(all, Access{
						Key: ib.MakeKey(5, uint8(bits&1)), PD: ib.PDN(1 + bits>>1&1), QPN: ib.QPN(1 + bits>>2&1),
						Need: need, Remote: need&remoteAccess != 0, Judge: Range{va, n},
					})
				}
			}
		}
	}
	return all
}
