package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/study/sweep"
)

// A sweepCall is one hcasim sweep, of any kind.
type sweepCall struct {
	*program
	question sweep.Question
	shard    string
	format   string
	sheet    bool
	plot     bool
	submit   sweep.Submission
	now      bool
}

func (p *program) sweepCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Answer a question by many runs: a study, here or on a cluster",
		Long: "sweep runs the points of a study, a file that names a scenario, what is varied in it,\n" +
			"what is collected, and which way the answer is expected to go. Each point is kept as\n" +
			"soon as it is done and never repeated; what was interrupted goes on where it was. The\n" +
			"parts of a sweep may run anywhere, and merge to the same bytes.",
		Example: "  hcasim sweep run scenarios/studies/demo.yaml\n  hcasim sweep run scenarios/studies/demo.yaml --out out --shard 3/16",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.sweepRunCommand(), p.sweepPlanCommand(), p.sweepStatusCommand(), p.sweepMergeCommand(), p.sweepSubmitCommand())
	return c
}

// add declares the flags that say what is swept.
func (s *sweepCall) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.question.Out, "out", "", "`DIR` of the sweep instead of results/NAME/HASH")
	f.BoolVar(&s.question.Short, "short", false, "the short form of the study")
	f.StringArrayVar(&s.question.Sets, "set", nil, "a parameter or variable over every point: `PATH=VALUE` (see hcasim params)")
	f.StringVar(&s.question.Library, "library", "", "`FOLDER` with profiles/ and openings/ of your own")
	f.IntVar(&s.question.Shards, "shards", 0, "parts that the sweep is run in: `N`, if the study does not say")
	f.IntVarP(&s.question.Workers, "workers", "j", runtime.GOMAXPROCS(0), "points at a time: `N`")
	complete(c, map[string]cobra.CompletionFunc{"out": completeFolders, "library": completeFolders, "set": completeSets})
}

// addFormat declares --format.
func (s *sweepCall) addFormat(c *cobra.Command, formats []string) {
	c.Flags().StringVar(&s.format, "format", "text", "`FORM` of what is printed: "+strings.Join(formats, ", "))
	complete(c, map[string]cobra.CompletionFunc{"format": fixed(formats...)})
}

// addPlot declares --plot.
func (s *sweepCall) addPlot(c *cobra.Command) {
	c.Flags().BoolVar(&s.plot, "plot", false, "draw the plots of the study in the terminal")
}

// theStudy asks for the one file of a study.
func theStudy(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("hcasim sweep %s wants a STUDY (hcasim sweep %s --help)", command, command)
		}
		return nil
	}
}

// theFolder asks for the one folder of a sweep.
func theFolder(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("hcasim sweep %s wants the DIR of a sweep (hcasim sweep %s --help)", command, command)
		}
		return nil
	}
}

func (p *program) sweepRunCommand() *cobra.Command {
	s := &sweepCall{program: p}
	c := &cobra.Command{
		Use:   "run STUDY",
		Short: "Run the points of a study, and say which way the answer goes",
		Long: "run simulates the points that have no result yet. Without --shard it merges them too,\n" +
			"prints the answer and the table, and ends with 1 if a point failed or the answer is not\n" +
			"as expected. --shard auto takes the number of its part from the environment of Slurm,\n" +
			"Kubernetes, LSF, PBS, Grid Engine or AWS Batch, and how many parts there are from the\n" +
			"plan, the study or --shards.",
		Example: "  hcasim sweep run scenarios/studies/demo.yaml --short\n" +
			"  hcasim sweep run scenarios/studies/demo.yaml --out out --shard 3/16\n" +
			"  hcasim sweep run scenarios/studies/demo.yaml --out out --shard auto --shards 16",
		Args:              theStudy("run"),
		ValidArgsFunction: only(1, completeYAML),
		RunE:              func(_ *cobra.Command, args []string) error { return s.run(args[0]) },
	}
	s.add(c)
	s.addFormat(c, sweep.Formats)
	s.addPlot(c)
	c.Flags().BoolVar(&s.sheet, "report", false, "write report.html into the sweep: the answer, its picture, all rows on one page")
	c.Flags().StringVar(&s.shard, "shard", "", "the part to run: `i/n`, or auto")
	complete(c, map[string]cobra.CompletionFunc{"shard": fixed("auto")})
	c.Flags().BoolVar(&s.question.Force, "force", false, "simulate again what has a result")
	return c
}

func (p *program) sweepPlanCommand() *cobra.Command {
	s := &sweepCall{program: p}
	c := &cobra.Command{
		Use:               "plan STUDY",
		Short:             "Write the plan of a study: its points, and how many parts it is run in",
		Example:           "  hcasim sweep plan scenarios/studies/demo.yaml --out out --shards 16",
		Args:              theStudy("plan"),
		ValidArgsFunction: only(1, completeYAML),
		RunE:              func(_ *cobra.Command, args []string) error { return s.plan(args[0]) },
	}
	s.add(c)
	return c
}

func (p *program) sweepStatusCommand() *cobra.Command {
	s := &sweepCall{program: p}
	c := &cobra.Command{
		Use:               "status DIR",
		Short:             "Show how far a sweep is, and which tasks of an array to run again",
		Example:           "  hcasim sweep status out",
		Args:              theFolder("status"),
		ValidArgsFunction: only(1, completeFolders),
		RunE:              func(_ *cobra.Command, args []string) error { return s.status(args[0]) },
	}
	s.addFormat(c, sweep.StatusFormats)
	return c
}

func (p *program) sweepMergeCommand() *cobra.Command {
	s := &sweepCall{program: p}
	c := &cobra.Command{
		Use:   "merge DIR",
		Short: "Merge the results of a sweep, and say which way the answer goes",
		Long: "merge writes points.csv, summary.json and report.html into the folder of a sweep. It\n" +
			"refuses results of different sweeps, and lists what is missing.",
		Example:           "  hcasim sweep merge out\n  hcasim sweep merge out --format md",
		Args:              theFolder("merge"),
		ValidArgsFunction: only(1, completeFolders),
		RunE:              func(_ *cobra.Command, args []string) error { return s.mergeOnly(args[0]) },
	}
	s.addFormat(c, sweep.Formats)
	s.addPlot(c)
	s.sheet = true
	return c
}

// check holds the flags to what they may be.
func (s *sweepCall) check(file string) (err error) {
	s.question.File, s.question.Shard = file, sweep.All
	switch {
	case s.question.Workers < 1:
		return fmt.Errorf("-j %d: wants at least 1", s.question.Workers)
	case s.question.Shards < 0:
		return fmt.Errorf("--shards %d: wants at least 1", s.question.Shards)
	}
	if s.shard != "" {
		s.question.Shard, err = sweep.ParseShard(s.shard, os.Getenv)
	}
	return err
}

// open reads and plans the study.
func (s *sweepCall) open(file string) (*sweep.Sweep, error) {
	if err := s.check(file); err != nil {
		return nil, err
	}
	w, err := sweep.Open(s.question)
	if err != nil {
		return nil, err
	}
	return w, unwritten(w.Settle())
}

// unwritten gives an error of writing its status.
func unwritten(err error) error {
	var ofSweep *sweep.Unwritten
	var ofReport *report.Unwritten
	if errors.As(err, &ofSweep) || errors.As(err, &ofReport) {
		return &failure{statusUnwritten, err}
	}
	return err
}

func (s *sweepCall) plan(file string) error {
	w, err := s.open(file)
	if err != nil {
		return err
	}
	shards := "run as a whole"
	if n := w.Plan.Shards; n > 0 {
		shards = fmt.Sprintf("%d shards", n)
	}
	_, err = fmt.Fprintf(s.out, "%s · %d points · %s · plan %s\n%s\n", w.Plan.Name, len(w.Plan.Points), shards, w.Plan.Hash[:8], w.Dir)
	return err
}

// run runs a sweep, or a part of it.
func (s *sweepCall) run(file string) error {
	if err := format(s.format, sweep.Formats...); err != nil {
		return err
	}
	if err := textOnly(s.plot, s.format); err != nil {
		return err
	}
	began := time.Now()
	w, err := s.open(file)
	if err != nil {
		return err
	}
	told, stop := s.clock(sweep.Clock{Began: time.Now(), Workers: s.question.Workers})
	tally, err := w.Run(sweep.Bench{Shelf: s.shelf, Progress: told})
	stop()
	if err != nil {
		return unwritten(err)
	}
	if w.Shard != sweep.All {
		return s.part(w, tally)
	}
	t, err := w.Merge()
	if err != nil {
		return err
	}
	return s.shown(t, w.Dir, tally.Simulated, began)
}

// part tells of a part of a sweep: what failed is seen when it is merged.
func (s *sweepCall) part(w *sweep.Sweep, t sweep.Tally) error {
	_, err := fmt.Fprintf(s.out, "%s · shard %s · %d points, %d simulated, %d failed\n%s\n", w.Plan.Name, w.Shard, t.All, t.Simulated, t.Failed, w.Dir)
	return err
}

// clock shows on a terminal how far a sweep is, and in the end how long it
// took.
func (p *program) clock(c sweep.Clock) (told func(sweep.Tally), stop func()) {
	var mu sync.Mutex
	var last sweep.Tally
	line := func() string {
		mu.Lock()
		defer mu.Unlock()
		return c.Line(last, time.Now())
	}
	still := p.beat(func(time.Duration) string { return line() })
	told = func(t sweep.Tally) {
		mu.Lock()
		defer mu.Unlock()
		last = t
	}
	return told, func() {
		still()
		if last.All == 0 {
			return // mistakes were all there was
		}
		_, _ = fmt.Fprintf(p.err, "%s, %.1f s\n", line(), time.Since(c.Began).Seconds())
	}
}

func (s *sweepCall) status(dir string) error {
	if err := format(s.format, sweep.StatusFormats...); err != nil {
		return err
	}
	st, err := sweep.Look(dir)
	if err != nil {
		return err
	}
	if err := st.Write(s.out, s.format); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

func (s *sweepCall) mergeOnly(dir string) error {
	if err := format(s.format, sweep.Formats...); err != nil {
		return err
	}
	if err := textOnly(s.plot, s.format); err != nil {
		return err
	}
	began := time.Now()
	t, err := sweep.Merge(dir)
	var holes *sweep.Missing
	if errors.As(err, &holes) {
		return &failure{statusFailed, err}
	}
	if err != nil {
		return err
	}
	return s.shown(t, dir, 0, began)
}

// shown keeps and prints what was merged.
func (s *sweepCall) shown(t *sweep.Table, dir string, simulated int, began time.Time) error {
	if err := t.Keep(dir, t.Stamp(version(), s.question.Workers, simulated, began)); err != nil {
		return unwritten(err)
	}
	if s.sheet || sweep.HasHTML(dir) {
		if err := t.KeepHTML(dir, "hcasim "+version()); err != nil {
			return unwritten(err)
		}
	}
	return s.printed(t, s.format, dir, s.plot)
}

// printed shows a table, and its plots above the name of its folder.
func (p *program) printed(t *sweep.Table, form, dir string, plots bool) error {
	if plots {
		if err := t.WriteDrawn(p.out, dir, p.style, p.drawn); err != nil {
			return &failure{statusUnwritten, err}
		}
	} else if err := t.Write(p.out, form, dir, p.style); err != nil {
		return &failure{statusUnwritten, err}
	}
	if !t.Holds() {
		return &failure{statusFailed, nil}
	}
	return nil
}

// textOnly refuses --plot beside other forms than text.
func textOnly(plot bool, form string) error {
	if plot && form != "text" {
		return fmt.Errorf("--plot draws between the lines of --format text, not of %s; --report writes pictures beside any format", form)
	}
	return nil
}
