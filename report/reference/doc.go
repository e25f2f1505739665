// Package reference is the language of the scenarios as a book: each step, verb,
// value and expectation with its fields, in the terminal and as docs/language.md.
//
//	comments and tags of scenario/lang ─► scenarios/schema ─► reference ─┬─► hcasim help language
//	                                                                     └─► docs/language.md
//
// It does not know the language itself: what a field takes and means is read from
// the schema, which editors read too. Only the order of the book, the names of
// its entries and the examples are here.
//
// Begin reading with the book, in book.go, and read.go, which fills it from the
// schema.
//
// Invariants:
//
//	E1  Every definition of the schema belongs to an entry, and every field of
//	    it is told.
//	E2  Every entry has an example, and the loader takes it.
//	E3  The page in the terminal and the document say the same.
package reference

//go:generate go test -run ^TestDocument$ . -update
