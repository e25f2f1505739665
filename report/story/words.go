package story

import (
	"fmt"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/tpt"
)

// ns writes a duration in nanoseconds, exactly.
func ns(d sim.Duration) string {
	return fmt.Sprintf("%s.%03d ns", thousands(uint64(d)/1000), uint64(d)%1000)
}

// when writes an instant.
func when(t sim.Time) string { return ns(sim.Duration(t)) }

// thousands writes a number with a comma between each three digits.
func thousands(n uint64) string {
	s := fmt.Sprint(n)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// bytes writes how many there are.
func bytes(n uint64) string { return count(n, "byte") }

// count writes how many of something there are, in words that agree.
func count(n uint64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + one + "s"
}

// hex writes a key.
func hex(k ib.Key) string { return fmt.Sprintf("0x%08x", uint32(k)) }

// rights writes access flags without their prefix.
func rights(f ib.AccessFlags) string {
	if f == 0 {
		return "nothing"
	}
	return f.Short()
}

// wanted writes the right that an access needs.
func wanted(f ib.AccessFlags) string {
	if f == 0 {
		return "local read"
	}
	return f.Short()
}

// offset writes where in an entry an access begins.
func offset(e *tpt.Entry, va uint64) string {
	if va < e.Start {
		return fmt.Sprintf("%s before the first byte", bytes(e.Start-va))
	}
	return "offset " + thousands(va-e.Start)
}

// beyond says by how much a range leaves an entry.
func beyond(e *tpt.Entry, r tpt.Range) string {
	switch {
	case r.Length > 0 && r.VA+(r.Length-1) < r.VA:
		return fmt.Sprintf("address %#x + %s passes the top of the address space", r.VA, thousands(r.Length))
	case r.VA < e.Start:
		return fmt.Sprintf("address %#x is %s before the first byte, %#x", r.VA, bytes(e.Start-r.VA), e.Start)
	}
	at := r.VA - e.Start
	return fmt.Sprintf("offset %s + %s > length %s by %s", thousands(at), thousands(r.Length), thousands(e.Length), bytes(at+r.Length-e.Length))
}

// state says what an entry is and stands for.
func state(e *tpt.Entry) string {
	switch {
	case e.State == tpt.Absent:
		return "nothing: no object stands at this index"
	case e.State == tpt.Free && e.Kind.IsWindow():
		return "FREE: a window that is not bound"
	case e.State == tpt.Free:
		return "FREE: a fast-register region that is not registered"
	case e.State == tpt.Unusable:
		return "UNUSABLE: what a failed change, or a region that is gone, left"
	}
	return "VALID"
}
