package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"hcasim/scenario"
	"hcasim/study"
	"hcasim/study/sweep"
)

func (p *program) checkCommand() *cobra.Command {
	var in inputs
	c := &cobra.Command{
		Use:   "check FILE…",
		Short: "Show all mistakes of files, without running them",
		Long: "check shows all mistakes of scenarios, of validation items and testbeds, and of studies\n" +
			"with all their points, and runs nothing.",
		Example:           "  hcasim check scenarios/quickstart.yaml",
		Args:              atLeastOne("check", "FILE"),
		ValidArgsFunction: completeYAML,
		RunE: func(_ *cobra.Command, files []string) error {
			return p.check(files, in.options())
		},
	}
	in.add(c)
	return c
}

// check writes the verdict of each file. Mistakes are the verdict, so they go
// to stdout.
func (p *program) check(files []string, o scenario.Options) error {
	var b bytes.Buffer
	wrong := false
	for _, file := range files {
		runs, err := runsOf(file, o)
		if err != nil {
			wrong = true
			fmt.Fprintln(&b, err)
			continue
		}
		what := "1 run"
		if runs != 1 {
			what = fmt.Sprintf("%d runs", runs)
		}
		fmt.Fprintf(&b, "ok    %s   %s\n", file, what)
	}
	if _, err := p.out.Write(b.Bytes()); err != nil {
		return &failure{statusUnwritten, err}
	}
	if wrong {
		return &failure{statusUsage, nil}
	}
	return nil
}

// runsOf reads a file of one of the kinds that say what to run.
func runsOf(file string, o scenario.Options) (runs int, err error) {
	switch scenario.OtherKind(file) {
	case "validation", "testbed":
		return study.CheckFile(file, o.Folder, o.Sets)
	case "study":
		return sweep.CheckFile(file, o.Folder, o.Sets)
	}
	list, err := scenario.Load(file, o)
	return len(list), err
}
