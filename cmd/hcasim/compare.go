package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/study/compare"
)

// A compareCall is one hcasim compare.
type compareCall struct {
	*program
	tolerances []string
	all        bool
	format     string
}

func (p *program) compareCommand() *cobra.Command {
	x := &compareCall{program: p}
	c := &cobra.Command{
		Use:   "compare BASE NEW",
		Short: "Say what differs between two results, and whether anything is worse",
		Long: "compare takes two result folders, two folders of sweeps, or two folders of results\n" +
			"as hcasim test --keep makes them, and says first what was configured otherwise, then\n" +
			"what came of it, metric by metric. Results of folders are matched by name. Of latencies, misses and\n" +
			"stalls more is worse, of rates and hit rates less; other figures just change. Runs are\n" +
			"deterministic, so that every difference counts that is beyond the tolerance; where a row\n" +
			"of a sweep has several seeds, it counts if they differ by more than chance (p < 0.05).\n\n" +
			"Status 1 says that something is worse: a metric, an expectation that held, or a row that\n" +
			"is missing now.",
		Example: "  hcasim compare results/base results/mpt-4k\n" +
			"  hcasim compare a b --tolerance 5% --tolerance 'write.*=1%' --format md   # for a pull request\n" +
			"  hcasim test --keep new && hcasim compare main new                        # all scenarios",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("hcasim compare wants two results, BASE and NEW (hcasim compare --help)")
			}
			return nil
		},
		ValidArgsFunction: only(2, completeResults),
		RunE:              func(_ *cobra.Command, args []string) error { return x.compare(args[0], args[1]) },
	}
	f := c.Flags()
	f.StringArrayVar(&x.tolerances, "tolerance", nil, "`SHARE` by which a metric may get worse: 5%, or of one metric write.p99=2%; 0%")
	f.BoolVar(&x.all, "all", false, "show what is equal too")
	f.StringVar(&x.format, "format", "text", "`FORM` of what is printed: "+strings.Join(compare.Formats, ", "))
	complete(c, map[string]cobra.CompletionFunc{"format": fixed(compare.Formats...)})
	return c
}

func (x *compareCall) compare(base, other string) error {
	if err := format(x.format, compare.Formats...); err != nil {
		return err
	}
	var t compare.Tolerances
	var wrong []error
	for _, s := range x.tolerances {
		if err := t.Add(s); err != nil {
			wrong = append(wrong, fmt.Errorf("--tolerance: %w", err))
		}
	}
	if wrong != nil {
		return errors.Join(wrong...)
	}
	d, err := compare.Compare(base, other, &t)
	if err != nil {
		return err
	}
	if err := d.Write(x.out, x.format, x.all); err != nil {
		return &failure{statusUnwritten, err}
	}
	if d.Regressed() {
		return &failure{statusFailed, nil}
	}
	return nil
}
