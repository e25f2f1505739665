package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/scenario"
)

// A runCall is one hcasim run.
type runCall struct {
	*program
	inputs
	folder string
	format string
	keys   bool
	sheet  bool
	plot   bool
	pcap   string
	sweep  []string
	trace  string
}

func (p *program) runCommand() *cobra.Command {
	r := &runCall{program: p}
	c := &cobra.Command{
		Use:   "run FILE…",
		Short: "Run scenarios and show what came of each request, and where its time went",
		Example: "  hcasim run scenarios/quickstart.yaml\n" +
			"  hcasim run scenarios/quickstart.yaml --set hca.cache.mpt.entries=64 --profile connectx5-like\n" +
			"  hcasim run scenarios/quickstart.yaml --plot --report",
		Args:              atLeastOne("run", "FILE"),
		ValidArgsFunction: completeYAML,
		RunE:              func(_ *cobra.Command, files []string) error { return r.run(files) },
	}
	r.add(c)
	c.Flags().StringVar(&r.folder, "out", "", "write the result into `DIR` instead of results/NAME/HASH")
	c.Flags().StringVar(&r.format, "format", "text", "`FORM` of what is printed: "+strings.Join(report.RunFormats, ", "))
	c.Flags().BoolVar(&r.sheet, "report", false, "write report.html into the result: the answer, pictures and tables on one page")
	c.Flags().BoolVar(&r.plot, "plot", false, "draw where the time went, latencies, hit rates and waits in the terminal")
	c.Flags().StringVar(&r.pcap, "pcap", "", "write captures for Wireshark into the result: `KINDS`: wire, pcie, all (both in one file)")
	c.Flags().StringVar(&r.trace, "trace", "", "write timelines into the result: `KINDS`: chrome (ui.perfetto.dev), vcd (wave viewers)")
	c.Flags().BoolVar(&r.keys, "keys", false, "show the lives of all keys, not only of those to know of")
	c.Flags().StringArrayVar(&r.sweep, "sweep", nil, "run every combination of these values, and show a table: `PATH=A,B,C`")
	complete(c, map[string]cobra.CompletionFunc{
		"sweep": completeSets, "out": completeFolders, "format": fixed(report.RunFormats...),
		"pcap": completeKinds(report.CaptureKinds), "trace": completeKinds(report.TimelineKinds),
	})
	return c
}

// atLeastOne asks for arguments with a sentence.
func atLeastOne(command, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("hcasim %s wants a %s (hcasim %s --help)", command, what, command)
		}
		return nil
	}
}

// run reads all files before it runs any.
func (r *runCall) run(files []string) error {
	if err := textOnly(r.plot, r.format); err != nil {
		return err
	}
	if len(r.sweep) > 0 {
		return r.grid(files)
	}
	if err := format(r.format, report.RunFormats...); err != nil {
		return err
	}
	runs, err := r.load(files)
	if err != nil {
		return err
	}
	if r.folder != "" && len(runs) > 1 {
		return fmt.Errorf("--out names the folder of one result, but there are %d runs: choose one, such as --run '%s$'", len(runs), regexp.QuoteMeta(runs[0].Name))
	}
	for _, s := range runs {
		if err := unwritten(r.shelf.Check(cmp.Or(r.folder, r.shelf.Place(s)))); err != nil {
			return err
		}
	}
	status := 0
	page := report.NewPage(r.out, r.format, r.style)
	for _, s := range runs {
		files, err := r.attachments(s)
		if err != nil {
			return err
		}
		stop := r.pulse(s.Name)
		rec, err := r.shelf.SimulateWith(s, files, r.folder)
		stop()
		if err != nil {
			return unwritten(err)
		}
		rec.AllKeys, rec.Sheet = r.keys, r.sheet
		if r.plot {
			rec.Drawn = &r.drawn
		}
		if err := r.shelf.Keep(rec, r.folder); err != nil {
			return unwritten(err)
		}
		if err := page.Add(rec); err != nil {
			return &failure{statusUnwritten, err}
		}
		report.Speed(r.err, rec)
		status = max(status, statusOf(rec))
	}
	if err := page.Close(); err != nil {
		return &failure{statusUnwritten, err}
	}
	if status != 0 {
		return &failure{status, nil}
	}
	return nil
}

// attachments are the files that are asked for beside a result.
func (r *runCall) attachments(s *scenario.Run) (files []report.Attachment, err error) {
	if r.pcap != "" {
		if files, err = report.Captures(s, r.pcap); err != nil {
			return nil, fmt.Errorf("--pcap: %w", err)
		}
	}
	if r.trace != "" {
		traces, err := report.Traces(s, r.trace)
		if err != nil {
			return nil, fmt.Errorf("--trace: %w", err)
		}
		files = append(files, traces...)
	}
	return files, nil
}

// load reads the files and returns all their mistakes together.
func (r *runCall) load(files []string) (runs []*scenario.Run, err error) {
	wanted, err := r.filter()
	if err != nil {
		return nil, err
	}
	var mistakes []error
	var all []*scenario.Run
	for _, file := range files {
		some, err := scenario.Load(file, r.options())
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		all = append(all, some...)
		for _, s := range some {
			if wanted(s) {
				runs = append(runs, s)
			}
		}
	}
	switch {
	case len(mistakes) > 0:
		return nil, errors.Join(mistakes...)
	case len(runs) == 0:
		return nil, r.noRun(all)
	}
	return runs, nil
}

// statusOf is the status that a run alone would end the program with.
func statusOf(rec *report.Record) int {
	switch {
	case rec.Stopped():
		return statusStopped
	case !rec.OK():
		return statusFailed
	}
	return 0
}
