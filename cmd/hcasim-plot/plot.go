package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/report/page"
	"hcasim/report/plot"
	"hcasim/study/sweep"
	"hcasim/whole"
)

// A call is one hcasim-plot.
type call struct {
	out     io.Writer
	formats []string
	folder  string
	width   int
}

// command is the program as its command line.
func command(out io.Writer) *cobra.Command {
	r := &call{out: out}
	c := &cobra.Command{
		Use:   "hcasim-plot DIR",
		Short: "Write the plots of a sweep as files for papers",
		Long: "hcasim-plot writes every plot of a sweep that is whole: as SVG, as PNG of 300 dots an\n" +
			"inch, or as PDF. A plot is as wide as 640 pixels of the report, 6.7 inches, unless\n" +
			"--width says otherwise; text and lines have the same size at any width.",
		Example:       "  hcasim-plot out\n  hcasim-plot out --format pdf --width 340 --out paper/figures",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("hcasim-plot wants the DIR of a sweep (hcasim-plot --help)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return r.run(args[0]) },
	}
	c.SetOut(out)
	c.Flags().StringSliceVar(&r.formats, "format", plot.Formats[:1], "`FORMS` of the files: "+strings.Join(plot.Formats, ", "))
	c.Flags().StringVar(&r.folder, "out", "", "write them into `FOLDER` instead of DIR/plots")
	c.Flags().IntVar(&r.width, "width", 640, "of a plot: `PIXELS`, 96 an inch")
	return c
}

func (r *call) run(dir string) error {
	for _, f := range r.formats {
		if !plot.Known(f) {
			return fmt.Errorf("--format: %q is none of %s", f, strings.Join(plot.Formats, ", "))
		}
	}
	if r.width < 200 || r.width > 4000 {
		return fmt.Errorf("--width %d: wants 200 to 4000 pixels", r.width)
	}
	t, err := sweep.Merge(dir)
	var holes *sweep.Missing
	if errors.As(err, &holes) {
		return &failure{statusMissing, err}
	}
	if err != nil {
		return err
	}
	if r.folder == "" {
		r.folder = filepath.Join(dir, "plots")
	}
	if err := os.MkdirAll(r.folder, 0o777); err != nil {
		return &failure{statusUnwritten, fmt.Errorf("--out %s: %w", r.folder, whole.Reason(err))}
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
func (r *call) size() page.Size {
	return page.Size{Width: r.width, Height: max(240, r.width*340/640)}
}
