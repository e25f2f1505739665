package tpt

import "fmt"

// A Fault says why an access was refused.
//
// Faults stand in the order in which the rules are read (the local and the remote key path alike): an access that
// breaks two reports the first. To the peer and to the requester all of them
// look the same (REM-22); the names are for whoever watches.
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

// faultNames are the words of scenario files, results and traces.
var faultNames = [...]string{
	OK: "ok", BadIndex: "bad-index", BadKey: "bad-key", NotValid: "not-valid",
	PDMismatch: "pd-mismatch", QPMismatch: "qp-mismatch", NoRight: "no-right",
	OutOfRange: "out-of-range", NoTranslation: "no-translation",
}

// FaultNames returns the word of every fault, in order of precedence, "ok"
// first.
func FaultNames() []string { return append([]string(nil), faultNames[:]...) }

// String returns the fault's word, such as "no-right".
func (f Fault) String() string {
	if int(f) < len(faultNames) {
		return faultNames[f]
	}
	return fmt.Sprintf("Fault(%d)", uint8(f))
}

// ParseFault returns the fault whose word is s.
func ParseFault(s string) (Fault, error) {
	for f, name := range faultNames {
		if name == s {
			return Fault(f), nil
		}
	}
	return OK, fmt.Errorf("no fault is called %q", s)
}

// MarshalText writes the fault's word.
func (f Fault) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the fault's word.
func (f *Fault) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFault(string(text))
	return err
}
