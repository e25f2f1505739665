package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"runtime/pprof"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/study/bench"
)

// A benchCall is one hcasim bench.
type benchCall struct {
	*program
	options bench.Options
	only    string
	format  string
	profile string
	counted bool // --count was given
}

func (p *program) benchCommand() *cobra.Command {
	b := &benchCall{program: p}
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast the simulator itself is",
		Long: "bench measures a fixed set of loads: the engine alone, as ratios to a plain heap and to\n" +
			"a ring; requests of several sizes; the protection tests; what watchers cost. Time is that\n" +
			"of the processor, set-up is not charged, and each row is the median of some samples.\n\n" +
			"What is printed is what go test -bench prints, for benchstat, and a table after it. The\n" +
			"rows are " + strings.Join(bench.Names(), ", ") + ".",
		Example: "  hcasim bench --quick\n  hcasim bench --run 'hold|pipe' --count 10 > new.txt   # benchstat old.txt new.txt\n" +
			"  hcasim bench --scale --run bytes",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b.counted = c.Flags().Changed("count")
			return b.bench()
		},
	}
	f := c.Flags()
	f.BoolVar(&b.options.Quick, "quick", false, "a tenth of the length, and fewer samples: within 40 s")
	f.BoolVar(&b.options.Scale, "scale", false, "in the place of the rows, how cost grows with ops, regions, queue pairs, bytes, packets")
	f.StringVar(&b.only, "run", "", "only the rows whose name matches `REGEX`")
	f.IntVar(&b.options.Count, "count", 0, "samples of each row: `N`; 5, with --quick 3")
	f.StringVar(&b.profile, "cpuprofile", "", "write a profile for go tool pprof into `FILE`")
	f.StringVar(&b.format, "format", "text", "`FORM` of what is printed: "+strings.Join(bench.Formats, ", "))
	complete(c, map[string]cobra.CompletionFunc{"run": fixed(bench.Names()...), "format": fixed(bench.Formats...)})
	return c
}

func (b *benchCall) bench() error {
	if err := b.check(); err != nil {
		return err
	}
	if b.profile != "" {
		if err := report.File(b.profile).Check(); err != nil {
			return &failure{statusUnwritten, err}
		}
	}
	stop := b.pulse("bench")
	r, profile, err := b.measure()
	stop()
	if err != nil {
		return err
	}
	if err := r.Write(b.out, b.format); err != nil {
		return &failure{statusUnwritten, err}
	}
	if profile == nil {
		return nil
	}
	err = report.File(b.profile).Write(func(w io.Writer) error {
		_, err := profile.WriteTo(w)
		return err
	})
	if err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

// measure measures, and if so asked keeps where the processor's time went.
func (b *benchCall) measure() (*bench.Report, *bytes.Buffer, error) {
	if b.profile == "" {
		r, err := bench.Measure(b.options)
		return r, nil, err
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return nil, nil, fmt.Errorf("--cpuprofile: %w", err)
	}
	r, err := bench.Measure(b.options)
	pprof.StopCPUProfile()
	return r, &profile, err
}

// check holds the flags to what they may be.
func (b *benchCall) check() error {
	if err := format(b.format, bench.Formats...); err != nil {
		return err
	}
	if b.counted && b.options.Count < 1 {
		return fmt.Errorf("--count %d: wants at least 1", b.options.Count)
	}
	if b.counted && b.options.Scale {
		return fmt.Errorf("--count is of rows, and --scale measures none; leave out one of the two")
	}
	if b.only == "" {
		return nil
	}
	r, err := regexp.Compile(b.only)
	if err != nil {
		return fmt.Errorf("--run: %q is no regular expression: %w", b.only, err)
	}
	b.options.Only = r
	return nil
}
