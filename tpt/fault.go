package tpt

// A Fault says why an access was refused. Faults stand in the order in which
// the rules are read (semantics of the local and the remote key path alike):
// an access that breaks two reports the first.
type Fault uint8

// The faults, in order of precedence.
const (
	OK            Fault = iota
	BadIndex            // no entry at this index that such a key could mean
	BadKey              // the key byte is of another use of the index
	NotValid            // the entry stands for no memory now
	PDMismatch          // the entry belongs to another protection domain
	QPMismatch          // a type 2 window, used through a queue pair it is not bound to
	NoRight             // the entry does not grant this kind of access
	OutOfRange          // the range leaves the region or window
	NoTranslation       // the range is granted, but no page stands behind it
)
