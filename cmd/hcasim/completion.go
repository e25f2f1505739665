package main

import (
	"github.com/spf13/cobra"

	"hcasim/report"
)

// completeFolders offers folders.
func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeProfiles offers profiles, those of the user's library among them.
func completeProfiles(library *string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return report.ProfileNames(*library), cobra.ShellCompDirectiveNoFileComp
	}
}
