package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/report/page"
	"hcasim/report/plot"
	"hcasim/study/sweep"
)

// A plotCall is one hcasim sweep plot.
type plotCall struct {
	*program
	formats []string
	folder  string
	width   int
}

func (p *program) sweepPlotCommand() *cobra.Command {
	r := &plotCall{program: p}
	c := &cobra.Command{
		Use:   "plot DIR",
		Short: "Write the plots of a sweep as files for papers",
		Long: "plot writes every plot of a sweep that is whole: as SVG, as PNG of 300 dots an inch, or\n" +
			"as PDF. A plot is as wide as 640 pixels of the report, 6.7 inches, unless --width says\n" +
			"otherwise; text and lines have the same size at any width.",
		Example: "  hcasim sweep plot out\n  hcasim sweep plot out --format pdf --width 340 --out paper/figures",
		Args:    theFolder("plot"),
		RunE:    func(_ *cobra.Command, args []string) error { return r.run(args[0]) },
	}
	c.Flags().StringSliceVar(&r.formats, "format", plot.Formats[:1], "`FORMS` of the files: svg, png, pdf")
	c.Flags().StringVar(&r.folder, "out", "", "write them into `FOLDER` instead of DIR/plots")
	c.Flags().IntVar(&r.width, "width", 640, "of a plot: `PIXELS`, 96 an inch")
	complete(c, map[string]cobra.CompletionFunc{"format": cobra.FixedCompletions(plot.Formats, cobra.ShellCompDirectiveNoFileComp)})
	return c
}

func (r *plotCall) run(dir string) error {
	for _, f := range r.formats {
		if err := format(f, plot.Formats...); err != nil {
			return err
		}
	}
	if r.width < 200 || r.width > 4000 {
		return fmt.Errorf("--width %d: wants 200 to 4000 pixels", r.width)
	}
	t, err := sweep.Merge(dir)
	var holes *sweep.Missing
	if errors.As(err, &holes) {
		return &failure{statusFailed, err}
	}
	if err != nil {
		return err
	}
	if r.folder == "" {
		r.folder = filepath.Join(dir, "plots")
	}
	if err := os.MkdirAll(r.folder, 0o777); err != nil {
		return &failure{statusUnwritten, fmt.Errorf("--out %s: %w", r.folder, err)}
	}
	for _, p := range t.Plots() {
		for _, f := range r.formats {
			name := filepath.Join(r.folder, p.ID+"."+f)
			err := report.File(name).Write(func(w io.Writer) error { return plot.Write(w, f, p, r.size()) })
			if err != nil {
				return &failure{statusUnwritten, err}
			}
			if _, err := fmt.Fprintln(r.out, name); err != nil {
				return &failure{statusUnwritten, err}
			}
		}
	}
	return nil
}

// size is that of a plot: as high as that of the page is for its width, but
// not lower than its texts need.
func (r *plotCall) size() page.Size {
	return page.Size{Width: r.width, Height: max(240, r.width*340/640)}
}
