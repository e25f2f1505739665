package report

import (
	"bytes"
	"fmt"

	"hcasim/report/causes"
	"hcasim/scenario/run"
	"hcasim/tpt"
)

// mostFaults is how many refusals are shown one by one.
const mostFaults = 20

// reasons say in a few words what each cause means.
var reasons = [...]string{
	tpt.OK:            "no key is at fault",
	tpt.BadIndex:      "the key's index names nothing that such a key could mean",
	tpt.BadKey:        "the key byte is of another use of the index",
	tpt.NotValid:      "the entry stands for no memory now",
	tpt.PDMismatch:    "the entry belongs to another protection domain",
	tpt.QPMismatch:    "a type 2 window, used through a queue pair that it is not bound to",
	tpt.NoRight:       "the entry does not grant this kind of access",
	tpt.OutOfRange:    "the range leaves the region or the window",
	tpt.NoTranslation: "the range is granted, but no page stands behind it",
}

// refusals shows who said no, when, why and by which rule.
func (rec *Record) refusals(w *bytes.Buffer) error {
	for i := range rec.Result.Faults {
		if i == mostFaults {
			fmt.Fprintf(w, "… and %d more refusals\n", len(rec.Result.Faults)-i)
			break
		}
		fmt.Fprintln(w, refusal(&rec.Result.Faults[i]))
	}
	return nil
}

// refusal writes one on a line.
func refusal(f *run.Fault) string {
	who := "op " + f.Op
	if f.Op == "" {
		who = fmt.Sprintf("qp %d", f.QPN)
	}
	text := fmt.Sprintf("%s refused at %s, t = %s   cause %v", who, f.Host, instant(f.At), f.Cause)
	if f.Cause == tpt.OK {
		text = fmt.Sprintf("%s refused at %s, t = %s   ", who, f.Host, instant(f.At))
		if c := causes.OfRule(f.Rule); c != nil {
			text += "cause " + c.Name + ": "
		}
		text += answer(f)
	} else {
		text += ": " + reasons[f.Cause]
	}
	if f.Rule != "" {
		text += " (rule " + f.Rule + ")"
	}
	return text
}

// answer says of a refusal without a key at fault how it was answered.
func answer(f *run.Fault) string {
	if f.Remote && f.NAK.IsNAK() {
		return fmt.Sprintf("NAK %#02x", uint8(f.NAK))
	}
	return f.Status.String()
}
