package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/scenario"
)

// What is offered at most, and looked into: a completion answers at once.
const (
	mostOffered = 200
	mostFiles   = 64
)

// complete says how the values of flags are completed.
func complete(c *cobra.Command, flags map[string]cobra.CompletionFunc) {
	for name, f := range flags {
		if err := c.RegisterFlagCompletionFunc(name, f); err != nil {
			panic("hcasim: no flag to complete: " + err.Error())
		}
	}
}

// fixed offers words.
func fixed(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeFolders offers folders.
func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeYAML offers YAML files, and folders on the way to them.
func completeYAML(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeCaptures offers captures, and folders on the way to them.
func completeCaptures(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"pcap", "pcapng", "cap"}, cobra.ShellCompDirectiveFilterFileExt
}

// only offers completions for the first so many arguments, nothing behind.
func only(n int, f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= n {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return f(c, args, begun)
	}
}

// completeProfiles offers profiles, those of the user's library among them.
func completeProfiles(library *string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return report.ProfileNames(*library), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeResults offers the results below results/, and other folders where
// none begins so.
func completeResults(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	if found := begin(report.Results("results"), begun); len(found) > 0 {
		return found[:min(len(found), mostOffered)], cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeTold offers what explain takes: a result or a scenario, and an op of
// that result.
func completeTold(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		if found, d := completeResults(c, args, begun); len(found) > 0 {
			return found, d
		}
		return completeYAML(c, args, begun)
	case 1:
		return begin(report.OpNames(args[0], mostOffered), begun), cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// completeRuns offers for --run the scenarios and cases of the files that stand
// before it.
func (in *inputs) completeRuns(c *cobra.Command, args []string, begun string) (words []string, d cobra.ShellCompDirective) {
	if len(args) == 0 && c.Name() == "test" {
		args = []string{"scenarios"}
	}
	looked := 0
	for _, arg := range args {
		files, _ := scenario.Files(arg) // what cannot be read offers nothing
		for _, f := range files {
			if looked++; looked > mostFiles {
				break
			}
			runs, _ := scenario.Load(f, in.options())
			for _, r := range runs {
				words = append(words, regexp.QuoteMeta(r.Name))
			}
		}
	}
	words = begin(words, begun)
	return words[:min(len(words), mostOffered)], cobra.ShellCompDirectiveNoFileComp
}

// completeKinds offers a list such as wire,pcie, word by word.
func completeKinds(kinds []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) (words []string, d cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		for _, k := range kinds {
			if !strings.Contains(","+before, ","+k+",") {
				words = append(words, before+k)
			}
		}
		return begin(words, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeOutput offers the forms of test --output, to be followed by a file.
func completeOutput(_ *cobra.Command, _ []string, begun string) (words []string, d cobra.ShellCompDirective) {
	if strings.Contains(begun, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	for _, f := range report.TestFormats {
		words = append(words, f+"=")
	}
	return begin(words, begun), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
