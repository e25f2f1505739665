package main

import (
	"strings"

	"github.com/spf13/cobra"

	"hcasim/scenario"
	"hcasim/study"
)

func (p *program) exploreCommand() *cobra.Command {
	var variant, form string
	var depth int
	c := &cobra.Command{
		Use:   "explore",
		Short: "Try all sequences of operations over a small world, and hold them to the rules",
		Long: "explore tries all sequences of operations, up to a length, over a small world: two\n" +
			"protection domains, three queue pairs, regions of two pages, windows of both types. In\n" +
			"every state it puts every key that was ever handed out to every use, and holds the\n" +
			"verdicts to a ledger of grants that was written apart from the rules: no byte is touched\n" +
			"without a live grant, a dead key stays dead, nothing allowed is refused, and what is\n" +
			"refused changes nothing. A violation ends with status 1, told as a scenario to be run.\n\n" +
			"Each operation more takes about five times as long; 7 take some ten seconds.",
		Example: "  hcasim explore --depth 5\n  hcasim explore --variant rxe --depth 3",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return p.explore(variant, depth, form) },
	}
	f := c.Flags()
	f.IntVar(&depth, "depth", 6, "longest sequence: `N` operations")
	f.StringVar(&variant, "variant", "spec", "whose choices are searched: `NAME`: "+strings.Join(scenario.Variants(), ", "))
	f.StringVar(&form, "format", "text", "`FORM` of what is printed: "+strings.Join(study.ExploreFormats, ", "))
	complete(c, map[string]cobra.CompletionFunc{"variant": fixed(scenario.Variants()...), "format": fixed(study.ExploreFormats...)})
	return c
}

func (p *program) explore(variant string, depth int, form string) error {
	if err := format(form, study.ExploreFormats...); err != nil {
		return err
	}
	stop := p.pulse("explore")
	x, err := study.Explore(variant, depth)
	stop()
	if err != nil {
		return err
	}
	if err := x.Write(p.out, form); err != nil {
		return &failure{statusUnwritten, err}
	}
	x.Speed(p.err)
	if !x.Holds() {
		return &failure{statusFailed, nil}
	}
	return nil
}
