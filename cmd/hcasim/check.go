package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"hcasim/scenario"
)

func (p *program) checkCommand() *cobra.Command {
	var in inputs
	c := &cobra.Command{
		Use:     "check FILE…",
		Short:   "Show all mistakes of scenario files, without running them",
		Example: "  hcasim check scenarios/quickstart.yaml",
		Args:    atLeastOne("check", "FILE"),
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
		runs, err := scenario.Load(file, o)
		if err != nil {
			wrong = true
			fmt.Fprintln(&b, err)
			continue
		}
		what := "1 run"
		if len(runs) != 1 {
			what = fmt.Sprintf("%d runs", len(runs))
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
