package tpt

import "testing"

// REM-22: the names of the causes, in the order of the steps.
func TestFaultNames(t *testing.T) {
	want := []string{"ok", "bad-index", "bad-key", "not-valid", "pd-mismatch", "qp-mismatch", "no-right", "out-of-range", "no-translation"}
	got := FaultNames()
	if len(got) != len(want) || int(NoTranslation) != len(want)-1 {
		t.Fatalf("%d faults are named, want %d", len(got), len(want))
	}
	for f, name := range want {
		if Fault(f).String() != name {
			t.Errorf("fault %d is called %q, want %q", f, Fault(f), name)
		}
		parsed, err := ParseFault(name)
		if err != nil || parsed != Fault(f) {
			t.Errorf("ParseFault(%q) = %v, %v", name, parsed, err)
		}
		var read Fault
		text, _ := Fault(f).MarshalText()
		if err := read.UnmarshalText(text); err != nil || read != Fault(f) {
			t.Errorf("%q reads back as %v, %v", text, read, err)
		}
	}
	if _, err := ParseFault("no-such"); err == nil {
		t.Error("a fault nobody knows was parsed")
	}
	if got := Fault(99).String(); got != "Fault(99)" {
		t.Errorf("a fault beyond the last prints %q", got)
	}
}
