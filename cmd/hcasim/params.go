package main

import (
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
)

func (p *program) paramsCommand() *cobra.Command {
	var library string
	c := &cobra.Command{
		Use:   "params [PATH]",
		Short: "Show what can be set: name, default, range and meaning of each parameter",
		Long: "params shows what can be set: name, default, range and meaning of each parameter, and of one\n" +
			"what each profile says. hcasim help params tells how they are named, written and laid over\n" +
			"each other.",
		Example: "  hcasim params                          # all\n" +
			"  hcasim params hca.cache.mpt            # a group\n" +
			"  hcasim params hca.cache.mpt.entries    # one, with what each profile says",
		Args: atMostOne("PATH"),
		ValidArgsFunction: func(_ *cobra.Command, _ []string, begun string) (paths []string, d cobra.ShellCompDirective) {
			for _, path := range report.ParamPaths() {
				if strings.HasPrefix(path, begun) {
					paths = append(paths, path)
				}
			}
			return paths, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return report.Params(p.out, strings.Join(args, ""), library)
		},
	}
	c.Flags().StringVar(&library, "library", "", "`FOLDER` with profiles/ of your own")
	complete(c, map[string]cobra.CompletionFunc{"library": completeFolders})
	return c
}
