// Package starter writes the files that a user starts from: templates of
// scenarios/templates, under a name of the user's own, with the schemas that an
// editor checks them by.
//
//	template ──► files, renamed ──┐
//	schemas that they name ───────┼──► a folder of the user's
//	docs/ci/github.yml, of ci ────┘
//
// A template is a folder of files that run as they are, and so are tests of
// this project; their names and what they call themselves begin with my- and the
// name of the template, which is what the user's name takes the place of.
//
// Invariants:
//
//	I1  Nothing of the user's is overwritten unless he says so, and nothing is
//	    written where something would be.
//	I2  A schema that is there stays, whatever it says.
package starter
