// Package keys keeps a book of key values: when each became live and what it
// stood for, who used it, when it died and by what, and whether the same 32
// bits had stood for something else before.
//
//	mtp.Unit.Changes    ──► births and deaths ─┐
//	mtp.Unit.Judgements ──► granted uses ──────┼► Life, Counts
//	refusals of the adapter ───► Refused ──────┘
//
// It does not know who was told a key, nor why one was kept: that a key is no
// longer needed is read from its last granted use. It judges nothing.
//
// Invariants:
//
//	K1  Watching changes nothing: an Audit is a fold over what probes tell.
//	K2  Of one entry at most one life is open, and it is open exactly while
//	    the entry is valid.
//	K3  A life is dead when its change is done: nothing that it had opened is
//	    under way any more.
//	K4  Memory is bounded by the tables, not by the length of the run: beyond
//	    a number of lives only counts are kept.
package keys
