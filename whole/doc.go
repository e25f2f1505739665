// Package whole writes files and folders that are there whole or not at all.
//
//	NAME.HOST.PID.RANDOM.part ──write──► rename ──► NAME
//	        │
//	        └─ its writer is dead, or interrupted: removed
//
// It knows nothing of what is written. What a name says is true of all
// processes that share a folder, on one machine or on several.
//
// Invariants:
//
//	F1  Under its name a file or a folder is complete: what was there before,
//	    or what has come in its place, never a piece of either, and where the
//	    system can exchange two names (Linux) never nothing.
//	F2  Whoever is interrupted, or whose disk is full, leaves no part. Whoever
//	    is killed does; the next who writes into the folder removes it. Parts
//	    of the living are left alone.
//	F3  Two who write the same folder at once come to the same: the later finds
//	    it equal, or takes its place.
//	F4  A link is followed, and what is no file (a terminal, a pipe, /dev/null)
//	    is written to as it is, not replaced.
//
// A power cut is not a kill: a renamed file may come up empty, or full of
// zeros. A file that takes the place of another is therefore on the disk before
// the old one goes. All others are not waited for, which takes a tenth of a
// second each on a slow disk, more than most points of a sweep: they tell by
// their form or by a digest beside them that they are broken, and are made
// again.
package whole
