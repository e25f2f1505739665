// Package rules lists the rules of memory protection that hcasim keeps: those
// that messages, scenarios and comments cite by an id such as MW-9. Each is one
// sentence with its public source. rules.txt is the only place where they
// stand; docs/rules.md is written from it.
//
// It does not know how a rule is kept: that is tpt, host and hca.
//
// Invariants:
//
//	L1  Every id that is cited anywhere in this project is in the list.
//	L2  An id never changes its meaning.
package rules

//go:generate go test -run ^TestDocument$ . -update
