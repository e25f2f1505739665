package report

import (
	"fmt"
	"strings"

	"hcasim/tpt"
)

// Faults explains the causes of refusals, for the help.
func Faults() string {
	var b strings.Builder
	b.WriteString("An access that a key does not allow is refused. The cause is the first of these\n" +
		"that applies; a scenario asks for it with  expect: {fault: {at: HOST, cause: CAUSE}}.\n" +
		"The peer and the requester do not see the cause: all look the same to them.\n\n")
	for f := tpt.OK + 1; int(f) < len(reasons); f++ {
		fmt.Fprintf(&b, "  %-15s %s\n", f, reasons[f])
	}
	b.WriteString("\nSeen by the requester: IBV_WC_LOC_PROT_ERR for a key of its own, and\n" +
		"IBV_WC_REM_ACCESS_ERR for one of the peer's. Both queue pairs end in the error\n" +
		"state, and what stands behind in them is flushed (IBV_WC_WR_FLUSH_ERR).")
	return b.String()
}
