package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"hcasim/scenario"
	"hcasim/scenario/lang"
	"hcasim/study/perf/beside"
	"hcasim/study/perf/log"
)

// An importPerftestCall is one hcasim import perftest.
type importPerftestCall struct {
	*program
	question  beside.Question
	format    string
	tolerance string
}

func (p *program) importPerftestCommand() *cobra.Command {
	x := &importPerftestCall{program: p}
	c := &cobra.Command{
		Use:   "perftest LOG",
		Short: "Show what perftest measured beside what hcasim simulates",
		Long: "import perftest reads what ib_write_lat, ib_read_bw and the others printed, or their JSON\n" +
			"(--out_json), makes the same experiments as hcasim perf does, and shows both side by side.\n" +
			"Sizes, iterations, queue pairs, depths and MTU are those of the log; what it does not say\n" +
			"is assumed, and named. What is not understood is named too, and never guessed.\n\n" +
			"A log has no adapter: --profile says which numbers it is compared with. Where the log has\n" +
			"many messages fewer are simulated, which gives the same rates; --whole makes all of them.\n\n" +
			"With --tolerance, status 1 says that a figure differs by more.",
		Example: "  hcasim import perftest write_lat.log\n" +
			"  hcasim import perftest write_bw.json --profile connectx7-like --tolerance 10%\n" +
			"  ib_write_lat -a server | hcasim import perftest -      # - is what comes in",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("hcasim import perftest wants one LOG, what perftest printed, or - (hcasim import perftest --help)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return x.show(args[0]) },
	}
	f := c.Flags()
	f.StringVar(&x.question.Profile, "profile", "", "the numbers of the model: `NAME`; connectx5-like (see hcasim profile list)")
	f.StringArrayVar(&x.question.Sets, "set", nil, "set a parameter: `PATH=VALUE` (see hcasim params)")
	f.StringVar(&x.question.Library, "library", "", "`FOLDER` with profiles/ of your own")
	f.StringVar(&x.question.Test, "test", "", "`NAME` of the test, where the log does not say it: "+strings.Join(beside.Tests(), ", "))
	f.Uint64VarP(&x.question.Iterations, "iters", "n", 0, "messages of each queue pair, instead of the log's: `N`")
	f.BoolVar(&x.question.Whole, "whole", false, "as many messages as the log has, however long that takes")
	f.StringVar(&x.tolerance, "tolerance", "", "`SHARE` by which a figure may differ from the log: 10%")
	f.StringVar(&x.format, "format", "text", "`FORM` of what is printed: "+strings.Join(beside.Formats, ", "))
	f.IntVarP(&x.question.Workers, "workers", "j", runtime.GOMAXPROCS(0), "simulations at a time: `N`")
	complete(c, map[string]cobra.CompletionFunc{
		"profile": completeProfiles(&x.question.Library), "set": completeSets, "library": completeFolders,
		"test": fixed(beside.Tests()...), "format": fixed(beside.Formats...),
	})
	return c
}

// show reads a log and shows it beside ours.
func (x *importPerftestCall) show(name string) error {
	if err := x.check(); err != nil {
		return err
	}
	text, err := readLog(name)
	if err != nil {
		return err
	}
	logs, problems := log.Read(name, text)
	if len(problems) > 0 {
		return &scenario.Mistakes{Problems: problems, Sources: []lang.Source{{Name: name, Data: text}}}
	}
	told, stop := x.rowsDone()
	list, err := beside.Beside(logs, x.question, told)
	stop()
	var mistakes *scenario.Mistakes
	if errors.As(err, &mistakes) {
		mistakes.Sources = append(mistakes.Sources, lang.Source{Name: name, Data: text})
	}
	if err != nil {
		return err
	}
	if err := beside.Write(x.out, x.format, list); err != nil {
		return &failure{statusUnwritten, err}
	}
	return x.verdict(list)
}

// check looks at the flags.
func (x *importPerftestCall) check() error {
	if err := format(x.format, beside.Formats...); err != nil {
		return err
	}
	if x.question.Workers < 1 {
		return fmt.Errorf("-j %d: wants at least 1", x.question.Workers)
	}
	if x.question.Whole && x.question.Iterations > 0 {
		return errors.New("--whole and --iters both say how many messages; leave out one of the two")
	}
	x.question.Tolerance = -1
	if x.tolerance != "" {
		v, err := strconv.ParseFloat(strings.TrimSuffix(x.tolerance, "%"), 64)
		if err != nil || !(v >= 0 && v <= 1e6) || !strings.HasSuffix(x.tolerance, "%") {
			return fmt.Errorf("--tolerance: %q is no share such as 10%%", x.tolerance)
		}
		x.question.Tolerance = v
	}
	return nil
}

// readLog reads a file, or what comes in, no more than a log may have.
func readLog(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, log.MostBytes+1))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: name a file with what perftest printed: ib_write_lat … > FILE", name, errors.Unwrap(err))
	}
	defer func() { _ = f.Close() }() // it was only read
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file with what perftest printed: ib_write_lat … > FILE", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, log.MostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	return text, nil
}

// rowsDone shows on a terminal how many sizes are done.
func (x *importPerftestCall) rowsDone() (told func(done, all int), stop func()) {
	var done, all atomic.Int64
	stop = x.beat(func(elapsed time.Duration) string {
		return fmt.Sprintf("import perftest: %d of %d sizes, %.0f s", done.Load(), all.Load(), elapsed.Seconds())
	})
	return func(n, of int) {
		all.Store(int64(of))
		done.Store(int64(n))
	}, stop
}

// verdict says which sizes are missing, and is the status.
func (x *importPerftestCall) verdict(list []*beside.Comparison) error {
	status := 0
	for _, c := range list {
		if !c.Within() {
			status = max(status, statusFailed)
		}
		for i := range c.Rows {
			r := &c.Rows[i]
			status = max(status, x.missing(r.Bytes, r.Failed, r.Stopped))
		}
	}
	return told(status)
}
