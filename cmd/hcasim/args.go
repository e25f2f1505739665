package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/scenario/lang"
)

// noArgs takes no arguments. What stands there is meant for a command below, if
// there are any.
func noArgs(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.HasSubCommands():
		return noCommand(c, args[0])
	}
	return fmt.Errorf("%s takes no arguments, and %q is one (%s --help)", c.CommandPath(), args[0], c.CommandPath())
}

// noCommand says that there is no such command, and which may have been meant;
// letters that changed places count as one slip, as in rnu.
func noCommand(c *cobra.Command, word string) error {
	c.SuggestionsMinimumDistance = 2
	near := lang.DidYouMean(word, commandNames(c))
	if alike := c.SuggestionsFor(word); len(alike) > 0 && !strings.HasPrefix(near, "did") {
		near = fmt.Sprintf("did you mean %q?", alike[0])
	}
	if !c.HasParent() && !strings.HasPrefix(near, "did") {
		near = "the help lists them"
	}
	return fmt.Errorf("%s has no command %q; %s (%s --help)", c.CommandPath(), word, near, c.CommandPath())
}

// atMostOne takes one argument or none.
func atMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s wants one %s, not %d (%s --help)", c.CommandPath(), what, len(args), c.CommandPath())
		}
		return nil
	}
}

// commandNames are the commands and topics below one.
func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return names
}
