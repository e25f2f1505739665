package main

import "github.com/spf13/cobra"

// importCommand is the command that reads what others have written.
func (p *program) importCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "import",
		Short: "Read what a real adapter did, and simulate the same",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.importPerftestCommand())
	return c
}
