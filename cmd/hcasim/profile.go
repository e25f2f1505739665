package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hcasim/report"
)

// oneProfile asks for the name of a profile.
func oneProfile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("hcasim profile show wants one NAME (hcasim profile list)")
	}
	return nil
}

func (p *program) profileCommand() *cobra.Command {
	var library string
	c := &cobra.Command{
		Use:   "profile",
		Short: "List the profiles, or show one with the source of each value",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().StringVar(&library, "library", "", "`FOLDER` with profiles/ of your own")
	if err := c.RegisterFlagCompletionFunc("library", completeFolders); err != nil {
		panic("hcasim: no flag to complete: " + err.Error())
	}
	c.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List the profiles",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return report.Profiles(p.out, library) },
	}, &cobra.Command{
		Use:               "show NAME",
		Short:             "Show a profile, with the source of each value",
		Example:           "  hcasim profile show connectx5-like",
		Args:              oneProfile,
		ValidArgsFunction: only(1, completeProfiles(&library)),
		RunE:              func(_ *cobra.Command, args []string) error { return report.Profile(p.out, args[0], library) },
	})
	return c
}
