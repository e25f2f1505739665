package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/scenario"
)

// An explainCall is one hcasim explain.
type explainCall struct {
	*program
	inputs
	format string
}

func (p *program) explainCommand() *cobra.Command {
	e := &explainCall{program: p}
	c := &cobra.Command{
		Use:   "explain RESULT [OP]",
		Short: "Tell the story of a request: why it was refused, or where its time went, and what to change",
		Long: "explain runs a result again, which shows the same, and tells what became of one op: what\n" +
			"was asked, each check in order, the entry that judged it, the key's whole life, the packets,\n" +
			"what each side was told, where the time went, and what to change.\n\n" +
			"RESULT is a folder that hcasim run wrote, results/NAME where there is one result in it, or a\n" +
			"scenario, which then runs with --set, --profile, --variant and --seed, and --run to choose a\n" +
			"case. OP is the op's number as run and ops.csv show it, such as 8 or 7.12, or the id of a step\n" +
			"or request in the file. Without it explain lists what is worth explaining.",
		Example: "  hcasim explain results/quickstart 4\n  hcasim explain scenarios/quickstart.yaml 3",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return errors.New("hcasim explain wants a RESULT, and an OP of it (hcasim explain --help)")
			}
			return nil
		},
		ValidArgsFunction: completeTold,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.explain(args[0], strings.Join(args[1:], ""))
		},
	}
	e.add(c)
	c.Flags().StringVar(&e.format, "format", "text", "`FORM` of what is printed: "+strings.Join(report.StoryFormats, ", "))
	complete(c, map[string]cobra.CompletionFunc{"format": fixed(report.StoryFormats...)})
	return c
}

// explain finds the run and tells of it.
func (e *explainCall) explain(name, op string) error {
	if err := format(e.format, report.StoryFormats...); err != nil {
		return err
	}
	t, err := e.telling(name)
	if err != nil {
		return err
	}
	var unwritten *report.Unwritten
	switch err := t.Explain(e.out, op, e.format); {
	case errors.As(err, &unwritten):
		return &failure{statusUnwritten, err}
	default:
		return err
	}
}

// telling opens a result, or reads a scenario.
func (e *explainCall) telling(name string) (*report.Telling, error) {
	if report.IsResult(name) {
		if len(e.flags()) > 0 || e.only != "" {
			return nil, fmt.Errorf("%s is a result, which is explained as it is: --set, --profile, --variant, --seed, --until, --library and --run are for scenarios: hcasim explain %s", name, filepath.Join(name, "config.yaml"))
		}
		kept, err := report.Open(name)
		if err != nil {
			return nil, err
		}
		return report.Explained(kept), nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(name, ".yaml") {
		return nil, report.NoResult(name)
	}
	wanted, err := e.filter()
	if err != nil {
		return nil, err
	}
	all, err := scenario.Load(name, e.options())
	if err != nil {
		return nil, err
	}
	var runs []*scenario.Run
	for _, r := range all {
		if wanted(r) {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil, e.noRun(all)
	}
	one, err := report.Choose(name, runs)
	if err != nil {
		return nil, err
	}
	return report.ExplainedFile(one, e.flags()), nil
}
