package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/scenario/lang"
	"hcasim/study/perf"
)

// A perfCall is one hcasim perf.
type perfCall struct {
	*program
	options        perf.Options
	size           string
	duration       string
	margin         string
	workers        int
	format, folder string
	scenario       bool
}

func (p *program) perfCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "perf",
		Short: "Make perftest's experiments, with its options and in its columns",
		Long: "perf makes the experiments of perftest, ib_write_bw and the others, between two simulated\n" +
			"hosts: with its options and its defaults, in its columns and units. What runs is a scenario\n" +
			"like any other; --scenario prints it, to be kept and changed.\n\n" +
			"A byte costs what it costs perftest, but more of it: -a of write_bw sends 80 GiB, packet by\n" +
			"packet, which takes some minutes; -n 100 comes to the same rates in seconds.",
		Example: "  hcasim perf write_lat -a\n  hcasim perf read_bw -s 4K -q 4 --profile connectx7-like --report_gbits\n" +
			"  hcasim perf write_bw --scenario > mine.yaml",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("hcasim perf: there is no test %q; %s", args[0], lang.DidYouMean(args[0], perfNames()))
			}
			return c.Help()
		},
	}
	for _, t := range perf.Tests {
		c.AddCommand(p.perfTest(t))
	}
	return c
}

func perfNames() (names []string) {
	for _, t := range perf.Tests {
		names = append(names, t.Name)
	}
	return names
}

// perfTest is the command of one of perftest's programs.
func (p *program) perfTest(t perf.Test) *cobra.Command {
	x := &perfCall{program: p, options: perf.Options{Test: t}}
	c := &cobra.Command{
		Use:               t.Name,
		Aliases:           []string{"ib_" + t.Name},
		Short:             t.About,
		Args:              nobodyElse,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return x.perf(c) },
	}
	f := c.Flags()
	f.SortFlags = false
	x.perftestFlags(c)
	x.ourFlags(c)
	for _, u := range perf.Unmeant {
		if u.Value {
			f.StringP(u.Name, u.Short, "", "")
		} else {
			f.BoolP(u.Name, u.Short, false, "")
		}
		if err := f.MarkHidden(u.Name); err != nil {
			panic("hcasim: no flag to hide: " + err.Error())
		}
	}
	return c
}

// nobodyElse takes no arguments: perftest has the name of its server there.
func nobodyElse(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q: there is no server to name: both ends are simulated", args[0])
	}
	return nil
}

// perftestFlags are perftest's own, with its names and letters.
func (x *perfCall) perftestFlags(c *cobra.Command) {
	f, o := c.Flags(), &x.options
	f.BoolVarP(&o.All, "all", "a", false, "sizes from 2 B to 8 MiB")
	f.StringVarP(&x.size, "size", "s", "", "`SIZE` of a message; 65536, of latency 2")
	f.Uint64VarP(&o.Iterations, "iters", "n", 0, "messages of each queue pair: `N`; 5000 of write_bw, else 1000")
	f.StringVarP(&x.duration, "duration", "D", "", "measure for a `TIME` instead, in seconds or with a unit: 2ms")
	f.StringVarP(&x.margin, "margin", "f", "", "`TIME` at both ends of -D that is not measured; a quarter")
	f.Uint32VarP(&o.QPs, "qp", "q", 0, "queue pairs: `N`; 1")
	f.StringVarP(&o.Connection, "connection", "c", "", "`TYPE` of service: RC, UC, UD; RC")
	f.Uint32VarP(&o.MTU, "mtu", "m", 0, "path MTU in `BYTES`; what the link carries")
	f.Int64VarP(&o.Inline, "inline_size", "I", -1, "data in the request itself, up to so many `BYTES`; write_lat 220, send_lat 236, else 0")
	f.Uint32VarP(&o.TxDepth, "tx-depth", "t", 0, "requests in flight of each queue pair: `N`; 128")
	f.Uint32VarP(&o.RxDepth, "rx-depth", "r", 0, "receives posted: `N`; 512")
	f.Uint32VarP(&o.CQMod, "cq-mod", "Q", 0, "ask for each `N`-th completion; 100, above 8 KiB 1")
	f.Uint32VarP(&o.PostList, "post_list", "l", 0, "requests posted with one doorbell: `N`; 1")
	f.Uint32VarP(&o.Outs, "outs", "o", 0, "READs and atomics outstanding: `N`; 16")
	f.StringVarP(&o.Atomic, "atomic_type", "A", "", "`TYPE`: FETCH_AND_ADD, CMP_AND_SWAP; FETCH_AND_ADD")
	f.BoolVarP(&o.Both, "bidirectional", "b", false, "both hosts send; rows are the sum")
	f.IntVarP(&o.Timeout, "qp-timeout", "u", -1, "timeout of a queue pair: 4 us * 2^`N`; 14")
	f.BoolVarP(&o.NoPeak, "noPeak", "N", false, "no peak of bandwidth")
	f.BoolVar(&o.Gbits, "report_gbits", false, "bandwidth in Gb/s instead of MB/s")
	f.StringVar(&o.Output, "output", "", "one `FIGURE` a row alone: bandwidth, message_rate, latency")
	f.BoolVar(&o.WithImm, "write_with_imm", false, "WRITEs with immediate data")
	f.BoolVar(&o.MRPerQP, "mr_per_qp", false, "as many regions as queue pairs")
	f.BoolVar(&o.ODP, "odp", false, "on-demand paging instead of pinned memory")
	f.BoolVar(&o.HugePages, "use_hugepages", false, "pages of 2 MiB")
	f.BoolVar(&o.WarmUp, "perform_warm_up", false, "a queue full before what is measured")
	f.BoolP("CPU-freq", "F", false, "accepted: nobody warns of a processor's frequency here")
}

// ourFlags are those that a simulation has beside.
func (x *perfCall) ourFlags(c *cobra.Command) {
	f, o := c.Flags(), &x.options
	f.StringVar(&o.Profile, "profile", "", "the numbers of the model: `NAME`; connectx5-like (see hcasim profile list)")
	f.StringArrayVar(&o.Sets, "set", nil, "set a parameter: `PATH=VALUE` (see hcasim params)")
	f.StringVar(&o.Library, "library", "", "`FOLDER` with profiles/ of your own")
	f.StringVar(&x.format, "format", "text", "`FORM` of what is printed: "+strings.Join(perf.Formats, ", "))
	f.StringVar(&x.folder, "out", "", "keep the result in `DIR`; of several sizes, in a folder of each")
	f.BoolVar(&x.scenario, "scenario", false, "print the scenario that would run, and run nothing")
	f.IntVarP(&x.workers, "workers", "j", runtime.GOMAXPROCS(0), "simulations at a time: `N`")
	outputs := []string{"bandwidth", "message_rate"}
	if o.Test.Latency() {
		outputs = []string{"latency"}
	}
	complete(c, map[string]cobra.CompletionFunc{
		"set": completeSets, "profile": completeProfiles(&o.Library), "library": completeFolders, "out": completeFolders,
		"format": fixed(perf.Formats...), "connection": fixed("RC", "UC", "UD"), "mtu": fixed("256", "512", "1024", "2048", "4096"),
		"atomic_type": fixed("FETCH_AND_ADD", "CMP_AND_SWAP"), "output": fixed(outputs...),
	})
}

// perf makes the experiment.
func (x *perfCall) perf(c *cobra.Command) error {
	if err := x.read(c); err != nil {
		return err
	}
	e, err := perf.Prepare(x.options)
	if err != nil {
		return err
	}
	for _, note := range e.Notes {
		_, _ = fmt.Fprintln(x.err, note)
	}
	if x.scenario {
		if _, err := x.out.Write([]byte(e.Text())); err != nil {
			return &failure{statusUnwritten, err}
		}
		return nil
	}
	do := perf.Do{Workers: x.workers}
	if x.folder != "" {
		for _, size := range e.Sizes() {
			if err := x.shelf.Check(x.place(e, size)); err != nil {
				return unwritten(err)
			}
		}
		do.Keep = func(rec *report.Record, size uint64) error {
			return unwritten(x.shelf.Keep(rec, x.place(e, size)))
		}
	}
	told, stop := x.sending(e)
	do.Progress = told
	rows, err := e.Run(do)
	stop()
	if err != nil {
		return err
	}
	if err := e.Write(x.out, x.format, rows); err != nil {
		return &failure{statusUnwritten, err}
	}
	return x.verdict(rows)
}

// place is the folder of the result of a size.
func (x *perfCall) place(e *perf.Experiment, size uint64) string {
	if len(e.Sizes()) == 1 {
		return x.folder
	}
	return filepath.Join(x.folder, fmt.Sprint(size))
}

// verdict says which rows are missing, and why.
func (x *perfCall) verdict(rows []perf.Row) error {
	status := 0
	for i := range rows {
		r := &rows[i]
		status = max(status, x.missing(r.Size, r.Failed, r.Stopped))
	}
	return told(status)
}

// missing says of a size why it has no figures, if it has none, and returns the
// status for that.
func (p *program) missing(size uint64, why string, stopped bool) int {
	if why == "" {
		return 0
	}
	_, _ = fmt.Fprintf(p.err, "%d bytes: %s\n", size, why)
	if stopped {
		return statusStopped
	}
	return statusFailed
}

// told is a status of which all has been said.
func told(status int) error {
	if status == 0 {
		return nil
	}
	return &failure{status, nil}
}

// read reads the flags that are not just taken over.
func (x *perfCall) read(c *cobra.Command) (err error) {
	if err := format(x.format, perf.Formats...); err != nil {
		return err
	}
	var wrong []error
	for _, u := range perf.Unmeant {
		if c.Flags().Changed(u.Name) {
			name := "--" + u.Name
			if u.Short != "" {
				name = "-" + u.Short + ", " + name
			}
			wrong = append(wrong, fmt.Errorf("%s: %s", name, u.Why))
		}
	}
	given := func(name string, read func() error) {
		if c.Flags().Changed(name) {
			if err := read(); err != nil {
				wrong = append(wrong, fmt.Errorf("--%s: %w", name, err))
			}
		}
	}
	o := &x.options
	given("size", func() (err error) { o.Size, err = perf.ParseSize(x.size); return err })
	given("duration", func() (err error) { o.Duration, err = perf.ParseDuration(x.duration); return err })
	given("margin", func() (err error) { o.Margin, err = perf.ParseDuration(x.margin); return err })
	for _, f := range []struct {
		name  string
		value uint64
	}{
		{"iters", o.Iterations}, {"qp", uint64(o.QPs)}, {"tx-depth", uint64(o.TxDepth)}, {"rx-depth", uint64(o.RxDepth)},
		{"cq-mod", uint64(o.CQMod)}, {"post_list", uint64(o.PostList)}, {"outs", uint64(o.Outs)}, {"workers", uint64(max(0, x.workers))},
	} {
		if f.value == 0 && c.Flags().Changed(f.name) {
			wrong = append(wrong, fmt.Errorf("--%s: wants at least 1", f.name))
		}
	}
	return errors.Join(wrong...)
}

// sending shows on a terminal how much of all is sent, and how long the rest
// will take.
func (x *perfCall) sending(e *perf.Experiment) (told func(done, all uint64), stop func()) {
	var done, all atomic.Uint64
	name := "perf " + x.options.Test.Name
	stop = x.beat(func(elapsed time.Duration) string {
		n, of := done.Load(), all.Load()
		if n == 0 {
			return fmt.Sprintf("%s: %d sizes, running for %.0f s", name, len(e.Sizes()), elapsed.Seconds())
		}
		share := float64(n) / float64(of)
		return fmt.Sprintf("%s: %.0f %% sent · %.0f s left", name, 100*share, elapsed.Seconds()*(1-share)/share)
	})
	return func(n, of uint64) {
		all.Store(of)
		done.Store(n)
	}, stop
}
