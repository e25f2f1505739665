package tpt

import "hcasim/ib"

// atomicBytes is the size of the word that an atomic works on (REM-16).
const atomicBytes = 8

// Check decides an access from the one entry its key points to. It reads its
// two arguments and nothing else; e is the zero Entry where the index names
// nothing. The order is that of the checks of the local and the remote key
// path.
func Check(e Entry, a Access) Fault { return e.Judge(&a) }

// Judge is Check of an entry and an access where they lie.
func (e *Entry) Judge(a *Access) Fault {
	n := a.Judge.Length
	if a.Need&ib.RemoteAtomic != 0 {
		n = max(n, atomicBytes) // never zero-length (REM-4)
	} else if n == 0 {
		return OK // C9-88, REM-4, 3.1 step 1: the key is not looked at
	}
	switch {
	case e.State == Absent, e.Kind.in(windows) && !a.Remote: // a window has no L_Key (MW-2, KEY-11)
		return BadIndex
	case e.KeyByte != a.Key.Byte():
		return BadKey
	case e.State != Valid:
		return NotValid
	case e.Kind.in(guardsPD) && e.PD != a.PD:
		return PDMismatch
	case e.Kind.in(guardsQP) && e.QPN != a.QPN:
		return QPMismatch
	case e.Rights&a.Need != a.Need:
		return NoRight
	case !e.covers(a.Judge.VA, n):
		return OutOfRange
	}
	return OK
}

// covers reports whether [va, va+n), n > 0, lies within what e grants. It
// subtracts rather than adds: an address before Start becomes an offset that
// no Length reaches, and a range that passes the top of the address space is
// longer than what remains of the entry (REM-12).
func (e *Entry) covers(va, n uint64) bool {
	offset := va - e.Start
	return offset < e.Length && n <= e.Length-offset
}
