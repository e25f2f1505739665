package main

import (
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hcasim/report"
)

// everyCommand visits a command and all below it that are ours.
func everyCommand(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			everyCommand(sub, visit)
		}
	}
}

func rootForTest() *cobra.Command {
	p := &program{out: io.Discard, err: io.Discard, shelf: report.NewShelf("test"), broken: func() error { return nil }}
	return p.root()
}

// TestEveryWordCompletes: a flag whose value is one of a few words, a folder or
// a name offers them, and so does every argument.
func TestEveryWordCompletes(t *testing.T) {
	named := map[string]bool{"format": true, "profile": true, "variant": true, "library": true, "set": true, "template": true, "engine": true, "pcap": true}
	everyCommand(rootForTest(), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if _, found := c.GetFlagCompletionFunc(f.Name); named[f.Name] && !found && !f.Hidden {
				t.Errorf("%s --%s offers nothing", c.CommandPath(), f.Name)
			}
		})
		takes := c.Use != c.Name() // says what it takes
		if takes && c.ValidArgsFunction == nil && c.ValidArgs == nil && c.Name() != "perftest" {
			t.Errorf("%s offers nothing for its arguments", c.Use)
		}
	})
}
