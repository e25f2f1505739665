// Package causes is the list of reasons for which a request fails: what each
// means, how it arises, how to mend it, and what libibverbs shows of it. Help,
// docs/faults.md and stories of single requests all read it.
//
//	causes ──┬─► hcasim help faults, docs/faults.md
//	         └─► hcasim explain: what to change
//
// It does not know how a refusal is decided: that is tpt, host and hca. What it
// says of real adapters was measured by others, and is cited.
//
// Invariants:
//
//	E1  Every refusal of the model has a cause here, and every cause has at
//	    least one way to mend it.
//	E2  A cause that tpt knows has tpt's word, and its place in tpt's order.
//	E3  What adapters report is sourced, or left out.
package causes

//go:generate go test -run ^TestDocument$ . -update
