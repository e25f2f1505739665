package main

import "github.com/spf13/cobra"

// importCommand is the command that reads what others have written.
func (p *program) importCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "import",
		Short: "Read what a real adapter did, and simulate the same",
		Example: "  hcasim import pcap capture.pcapng -o capture.yaml\n" +
			"  hcasim import perftest ib_write_lat.log",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.importPcapCommand(), p.importPerftestCommand())
	return c
}
