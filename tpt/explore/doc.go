// Package explore tries out every sequence of operations, up to a length, on a
// small world: two protection domains, three queue pairs, two regions, a
// fast-register region, a window of each type. After every step it puts every
// key that was ever handed out, and its neighbour, to every use through every
// queue pair, and holds the verdicts to a ledger of grants.
//
// The ledger knows who granted which bytes to whom under which key, and when
// that was withdrawn. It is written from the rules' text and calls none of
// the rules of tpt, because a proof must not prove itself.
//
//	steps --> tpt.Table.Apply --> done or refused --> ledger
//	              |                                     |
//	              +--> Check, Walk  == agreed? ==  live grant, place
//
// It knows no time, no cache and no packet.
//
// Invariants, cited as E1 and so on:
//
//	E1  An access that is allowed has a live grant, and reaches the bytes that
//	    were granted (else: a leak).
//	E2  A live grant can be used by whom it was given to (else: a loss).
//	E3  A refused step is not followed further: it changed nothing.
//	E4  The search visits sequences in a fixed order and stops at the first
//	    disagreement, which, since shorter sequences come first, is a shortest
//	    one.
package explore
