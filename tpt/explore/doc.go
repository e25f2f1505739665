// Package explore tries out every sequence of operations, up to a length, on a
// small world: two protection domains, three queue pairs, two regions of two
// pages, a fast-register region, a window of each type. Regions are registered,
// changed, broken and deregistered; windows are allocated, bound to either page,
// unbound, invalidated from here and by the peer, and deallocated; queue pairs
// are destroyed and made anew, in either domain; dead keys are used for all that
// a key is used for. In every state it puts every key that was ever handed out,
// and its neighbour, to every use through every queue pair, and holds the
// verdicts to a ledger of grants.
//
// The ledger knows who granted which bytes to whom under which key, when that
// was withdrawn, and which step may be made. It is written from the rules' text
// and calls none of the rules of tpt, because a proof must not prove itself; a
// test holds it to that.
//
//	       judge: may it be made? == done or refused?
//	            ^                        ^
//	ledger -----+           steps --> tpt.Table.Apply --> record in the ledger
//	   |                                     |
//	   +---- live grant, place == agreed? == Check, Span, Page
//
// A state is visited once, whichever way it was come to, and so are states that
// differ by names alone: by index, key byte, pages, the exchange of the two
// regions, or of the two queue pairs of one domain. Accesses change no state,
// so that all of them are tried in each.
//
// It knows no time, no cache and no packet; the orders in which lookups, fills
// and changes may meet are searched by the tests of mtp.
//
// Invariants, cited as E1 and so on:
//
//	E1  An access that is allowed has a live grant of its key, domain, queue
//	    pair, right and range, and reaches the bytes that were granted (else: a
//	    leak). A dead key has none, and no key comes to life again.
//	E2  A live grant can be used by whom it was given to, and a step that the
//	    rules allow is done (else: a loss, or a refused step).
//	E3  A step that the rules forbid is refused, and a refused step changes
//	    nothing.
//	E4  The search visits sequences in a fixed order and stops at the first
//	    disagreement, which, since shorter sequences come first, is a shortest
//	    one.
//	E5  States of one mark go on alike: what is passed over was seen.
package explore
