package study

import "hcasim/scenario/suite"

// A Question says which items to hold to the model, and how.
type Question = suite.Options

// ItemIDs returns the ids of the suite in a folder; "" is the one that the
// program carries.
func ItemIDs(folder string) []string { return suite.IDs(folder) }

// CheckFile reads a file of kind validation or testbed and returns how many
// simulations it asks for. The error is a *scenario.Mistakes.
func CheckFile(name, library string, sets []string) (runs int, err error) {
	return suite.Check(name, suite.Options{Library: library, Sets: sets, Workers: 1})
}
