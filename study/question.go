package study

import (
	"slices"
	"strings"

	"hcasim/scenario/suite"
)

// A Question says which items to hold to the model, and how.
type Question = suite.Options

// ItemsCalled are the items of a question's suite whose ids begin as was typed,
// but for those that it asks for: the id in the case of what was typed, a tab,
// and what it is about, as shells complete.
func ItemsCalled(begun string, o Question) (words []string) {
	asked := o.IDs
	o.Heads, o.IDs = true, nil
	about := map[string]string{}
	if s, err := suite.Load(o); err == nil { // ids are there for files with mistakes too
		for _, item := range s.Items {
			about[item.ID] = "\t" + short(item.About)
		}
	}
	for _, id := range suite.IDs(o.Folder) {
		same := func(other string) bool { return strings.EqualFold(id, other) }
		if !strings.HasPrefix(id, strings.ToUpper(begun)) || slices.ContainsFunc(asked, same) {
			continue
		}
		words = append(words, begun+id[len(begun):]+about[id])
	}
	return words
}

// CheckFile reads a file of kind validation or testbed and returns how many
// simulations it asks for. The error is a *scenario.Mistakes.
func CheckFile(name, library string, sets []string) (runs int, err error) {
	return suite.Check(name, suite.Options{Library: library, Sets: sets, Workers: 1})
}
