package tpt

import (
	"testing"

	"hcasim/ib"
)

// Beside Check's verdict stands the rule that tells most.
func TestFaultRule(t *testing.T) {
	local := func(_ *Entry, a *Access) { a.Remote, a.Need = false, 0 }
	for _, c := range []struct {
		kind  Kind
		f     Fault
		rule  string
		alter func(e *Entry, a *Access)
	}{
		{Region, OK, "", nil},
		{Region, BadIndex, "KEY-1", func(e *Entry, _ *Access) { *e = Entry{} }},
		{Window1, BadIndex, "KEY-11", local},
		{Region, BadKey, "KEY-2", func(_ *Entry, a *Access) { a.Key++ }},
		{Window2B, NotValid, "MW-9", func(e *Entry, _ *Access) { e.State = Free }},
		{Window1, NotValid, "DER-1", func(e *Entry, _ *Access) { e.State = Unusable }},
		{FastReg, NotValid, "MR-4", func(e *Entry, _ *Access) { e.State = Free }},
		{Region, NotValid, "RER-7", func(e *Entry, _ *Access) { e.State = Unusable }},
		{Region, PDMismatch, "REM-13", func(_ *Entry, a *Access) { a.PD++ }},
		{Region, PDMismatch, "PD-2", func(e *Entry, a *Access) { local(e, a); a.PD++ }},
		{Window1, PDMismatch, "PD-2", func(_ *Entry, a *Access) { a.PD++ }},
		{Window2A, QPMismatch, "MW-11", func(_ *Entry, a *Access) { a.QPN++ }},
		{Window2B, NoRight, "BND-5", func(e *Entry, _ *Access) { e.Rights = 0 }},
		{Window2B, NoRight, "MW-5", func(e *Entry, _ *Access) { e.Rights = ib.RemoteRead }},
		{Region, NoRight, "MR-7", func(e *Entry, a *Access) { local(e, a); e.Rights, a.Need = 0, ib.LocalWrite }},
		{Region, NoRight, "KEY-10", func(e *Entry, _ *Access) { e.Rights = ib.LocalWrite }},
		{Region, NoRight, "ACC-3", func(e *Entry, _ *Access) { e.Rights = ib.RemoteRead }},
		{Region, NoRight, "ACC-4", func(e *Entry, a *Access) { e.Rights, a.Need = ib.RemoteRead, ib.RemoteAtomic }},
		{Region, OutOfRange, "REM-11", func(_ *Entry, a *Access) { a.Judge.VA = 0 }},
		{Region, OutOfRange, "REM-11", func(_ *Entry, a *Access) { a.Judge.VA, a.Judge.Length = 0, 1 }},
		{Region, OutOfRange, "REM-11", func(_ *Entry, a *Access) { a.Need, a.Judge.VA, a.Judge.Length = ib.RemoteAtomic, 8, 0 }},
		{Region, OutOfRange, "MR-9", func(e *Entry, a *Access) { local(e, a); a.Judge.VA = 0 }},
		{Window1, OutOfRange, "MW-7", func(_ *Entry, a *Access) { a.Judge.VA = 0 }},
		{Window2B, OutOfRange, "MW-8", func(e *Entry, _ *Access) { e.Rights |= ib.ZeroBased; e.Start = 0 }},
		{Region, OutOfRange, "REM-12", func(_ *Entry, a *Access) { a.Judge.VA = ^uint64(0) - 8 }},
	} {
		e, a := granted(c.kind)
		if c.alter != nil {
			c.alter(&e, &a)
		}
		f := Check(e, a)
		if f != c.f || f.Rule(e, a) != c.rule {
			t.Errorf("%v: %v by %q, want %v by %q", c.kind, f, f.Rule(e, a), c.f, c.rule)
		}
	}
	e, a := granted(Region)
	if got := NoTranslation.Rule(e, a); got != "MR-2" {
		t.Errorf("no-translation by %q", got)
	}
}
