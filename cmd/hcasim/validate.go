package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/study"
)

// A validateCall is one hcasim validate.
type validateCall struct {
	*program
	question study.Question
	format   string
	explain  bool
	fitted   bool
	report   string
}

func (p *program) validateCommand() *cobra.Command {
	v := &validateCall{program: p}
	c := &cobra.Command{
		Use:   "validate [ID…]",
		Short: "Hold the timing model to published measurements, item by item",
		Long: "validate simulates what was measured and published, point by point, and says how far\n" +
			"the model is off. Items of class X are arithmetic and must be exact, those of class C\n" +
			"may have been calibrated on, those of class V never were. Status 0 needs every item of\n" +
			"X, 90 % of C and 75 % of V; with IDs, every item that was asked for.\n\n" +
			"A source is graded: [A] files of results that their authors published, or arithmetic;\n" +
			"[B] a paper's text, or read off its figures; [C] logs, notes of repositories, drivers.",
		Example: "  hcasim validate --fast\n  hcasim validate V60 --explain\n  hcasim validate --report page.html",
		RunE:    func(_ *cobra.Command, ids []string) error { return v.validate(ids) },
		ValidArgsFunction: func(_ *cobra.Command, ids []string, begun string) ([]string, cobra.ShellCompDirective) {
			v.question.IDs = ids
			return study.ItemsCalled(begun, v.question), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	f.BoolVar(&v.question.Fast, "fast", false, "only the items and points that are quick")
	f.StringVar(&v.question.Folder, "suite", "", "`DIR` with items and testbeds/ of your own, in the place of the program's")
	f.StringVar(&v.question.Library, "library", "", "`FOLDER` with profiles/ and openings/ of your own")
	f.StringArrayVar(&v.question.Sets, "set", nil, "a parameter over all items: `PATH=VALUE` (see hcasim params)")
	f.IntVarP(&v.question.Workers, "workers", "j", runtime.GOMAXPROCS(0), "simulations at a time: `N`")
	f.StringVar(&v.format, "format", "text", "`FORM` of what is printed: "+strings.Join(study.ValidateFormats, ", "))
	f.BoolVar(&v.explain, "explain", false, "every point, beside what was published")
	f.StringVar(&v.report, "report", "", "write plots and all points into `FILE`, one page of HTML")
	f.BoolVar(&v.fitted, "fitted", false, "which parameters were fitted on which items, without simulating")
	page := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"html"}, cobra.ShellCompDirectiveFilterFileExt
	}
	complete(c, map[string]cobra.CompletionFunc{
		"report": page, "suite": completeFolders, "library": completeFolders, "set": completeSets, "format": fixed(study.ValidateFormats...),
	})
	return c
}

func (v *validateCall) validate(ids []string) error {
	switch err := format(v.format, study.ValidateFormats...); {
	case err != nil:
		return err
	case v.question.Workers < 1:
		return fmt.Errorf("-j %d: wants at least 1", v.question.Workers)
	case v.fitted && len(ids) > 0:
		return fmt.Errorf("--fitted is of all items; leave out %s", strings.Join(ids, ", "))
	case v.fitted && v.report != "":
		return fmt.Errorf("--fitted simulates nothing to report; leave out one of the two")
	}
	if v.report != "" {
		if err := study.CheckReport(v.report); err != nil {
			return &failure{statusUnwritten, err}
		}
	}
	v.question.IDs = ids
	if v.fitted {
		return v.fits()
	}
	progress, stop := v.progress("validate")
	x, err := study.Validate(v.question, progress)
	stop()
	if err != nil {
		return err
	}
	if err := x.Write(v.out, v.format, v.explain); err != nil {
		return &failure{statusUnwritten, err}
	}
	if v.report != "" {
		if err := x.Report(v.report, "hcasim "+version()); err != nil {
			return &failure{statusUnwritten, err}
		}
	}
	if !x.Holds() {
		return &failure{statusFailed, nil}
	}
	return nil
}

// fits prints what was fitted on what.
func (v *validateCall) fits() error {
	f, err := study.Fitted(v.question)
	if err != nil {
		return err
	}
	if err := f.Write(v.out, v.format); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}
