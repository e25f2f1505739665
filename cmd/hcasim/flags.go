package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// inputs are the flags that go into a scenario.
type inputs struct {
	sets                          []string
	profile, variant, seed, until string
	library                       string
	only                          string
}

// add declares them.
func (in *inputs) add(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&in.sets, "set", nil, "set a parameter, a variable or a field of the file: `PATH=VALUE` (see hcasim params)")
	f.StringVar(&in.profile, "profile", "", "the numbers of the model: `NAME` (see hcasim profile list)")
	f.StringVar(&in.variant, "variant", "", "how the adapter differs from the specification: `NAME`: "+strings.Join(scenario.Variants(), ", "))
	f.StringVar(&in.seed, "seed", "", "of all random numbers: `N`")
	f.StringVar(&in.until, "until", "", "limit of simulated time: `TIME`, such as 5ms")
	f.StringVar(&in.library, "library", "", "`FOLDER` with profiles/ and openings/ of your own")
	f.StringVar(&in.only, "run", "", "only the scenarios and cases whose name matches `REGEX`")
	complete(c, map[string]cobra.CompletionFunc{
		"set": completeSets, "profile": completeProfiles(&in.library), "variant": fixed(scenario.Variants()...),
		"library": completeFolders, "run": in.completeRuns,
	})
}

// completeSets offers the paths that --set takes.
func completeSets(_ *cobra.Command, _ []string, begun string) (words []string, d cobra.ShellCompDirective) {
	for _, word := range report.Settable() {
		if strings.HasPrefix(word, begun) {
			words = append(words, word)
		}
	}
	return words, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// options are what the flags say beside a file.
func (in *inputs) options() scenario.Options {
	o := scenario.Options{Sets: slices.Clone(in.sets), Flags: map[string]string{}, Folder: in.library}
	for _, f := range []struct{ flag, path, value string }{
		{"--profile", "profile", in.profile}, {"--variant", "variant", in.variant},
		{"--seed", "run.seed", in.seed}, {"--until", "run.until", in.until},
	} {
		if f.value != "" {
			o.Sets, o.Flags[f.path] = append(o.Sets, f.path+"="+f.value), f.flag
		}
	}
	return o
}

// flags are the inputs as flags again, for a command that shows more.
func (in *inputs) flags() (words []string) {
	for _, s := range in.options().Sets {
		words = append(words, "--set", s)
	}
	if in.library != "" {
		words = append(words, "--library", in.library)
	}
	return words
}

// filter returns what --run lets through.
func (in *inputs) filter() (func(*scenario.Run) bool, error) {
	r, err := regexp.Compile(in.only)
	if err != nil {
		return nil, fmt.Errorf("--run: %q is no regular expression: %w", in.only, err)
	}
	return func(s *scenario.Run) bool { return r.MatchString(s.Name) }, nil
}

// noRun says that --run lets nothing through, and what there is.
func (in *inputs) noRun(all []*scenario.Run) error {
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	return fmt.Errorf("--run %s: no scenario or case has such a name; %s", in.only, lang.DidYouMean(in.only, names))
}

// format checks a --format flag.
func format(value string, known ...string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("--format: %q is none of %s", value, strings.Join(known, ", "))
}

// libraryThere holds --library to a folder: where nothing is, nothing of the
// user's would be found, and the program's own taken without a word.
func libraryThere(c *cobra.Command) error {
	flag := c.Flags().Lookup("library")
	if flag == nil || flag.Value.String() == "" {
		return nil
	}
	name := flag.Value.String()
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--library %s: there is no such folder; want one with profiles/ or openings/ in it", name)
	case err == nil && !info.IsDir():
		return fmt.Errorf("--library %s: this is a file; want a folder with profiles/ or openings/ in it", name)
	}
	return nil
}
