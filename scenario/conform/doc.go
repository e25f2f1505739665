// Package conform holds hcasim to a real stack: it turns what was seen of Linux
// Soft-RoCE (scenarios/conformance/facts) into scenarios, one file for each
// group of cases, and counts in docs/conformance.md where hcasim agrees.
//
// It does not know what is right. A case has what the specification asks and
// what kernels 6.1 and 6.12 did; where hcasim comes to something else, a row of
// differences.csv says what and why, and that is what the scenario then asks.
//
// # The facts
//
// cases.csv has a case in each row: its steps, what the specification asks,
// what was seen on each kernel, and the packets on the wire. A step is
//
//	HOST VERB NAME …            b reg_mr mb pb bb+8192 8192 LOCAL_WRITE
//	HOST OPCODE QP KEY=VALUE …  a RDMA_WRITE qa local=ba:64:ma remote=bb+8192:mb.byte+1
//
// with places as BUFFER+OFFSET or a number, and keys as the name of a region or
// window, NAME@N for its Nth key from 0, and a change of the byte or the index.
// An outcome is a list of WHAT=VALUE|VALUE…:
//
//	3.errno  3.wc  3.rereg      of step 3; a completion is STATUS/BYTES/inv
//	qp.qa  mem.bb  u64.bb+8192  at the end: a state, N@FIRST..LAST bytes changed, a word
//	event.b  keys.mb+mb2
//
// A few cases could not stay as they were run. rkey-lkey has a second region:
// here both adapters count their entries from 1, and the first key of one would
// be good at the other. Where a registration is refused the request behind it
// has key 0, and what is registered again has another name.
//
// # Invariants
//
// C1. The scenarios are what the facts make: nobody edits them by hand.
//
// C2. A difference is true: what it says that hcasim does is asked in the
// scenario, and is not what the facts say.
//
// C3. Every case is asked under spec and under rxe.
package conform

//go:generate go test -run ^TestGenerated$ -update .
