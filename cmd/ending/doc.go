// Package ending brings a program to its end, whatever ends it: its own return, a
// signal, or a reader who has gone.
//
//	done ────────────────► its status
//	INT, TERM, HUP ──────► 75, once what is unfinished is removed
//	a reader has gone ───► the signal PIPE, as of any other tool (141 in a shell)
//	a second signal ─────► at once
//
// It knows no command. HUP is left alone where nohup has turned it off.
//
// Invariants:
//
//	N1  Whatever ends the program, no part is left that it could still remove,
//	    and nothing is finished after it has begun to end.
//	N2  What could not be written to the standard output is not passed over: the
//	    status is Unwritten, whatever the command made of it.
package ending
