// Package scenario turns a file and the flags beside it into runs: it finds
// openings and profiles, lays the parameters over each other, checks what the
// language alone cannot know, and hands a plan to package run.
//
//	file, --set ──► lang ──► config ──► run ──► Result
//
// Begin with load.go.
//
// Invariants:
//
//	S1  Whatever is wrong in a file is reported before anything runs, all of it
//	    at once.
//	    What the language can say and the model cannot do yet is one of these
//	    mistakes; it is never passed over.
//	S2  Two loads of the same texts have the same hash; what does not decide
//	    the result, such as comments and line numbers, does not count.
//	S3  What Effective writes is, read again, the same run with the same hash.
package scenario
