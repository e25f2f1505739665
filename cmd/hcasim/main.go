package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"hcasim/cmd/ending"
	"hcasim/report"
	"hcasim/report/terminal"
)

// The statuses that the program ends with.
const (
	statusFailed    = 1                // an expectation does not hold
	statusUsage     = 2                // nothing was simulated
	statusStopped   = 3                // the model stopped itself
	statusUnwritten = ending.Unwritten // results could not be written
)

// A failure ends the program with a status. Its error is nil when all has been
// said.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("status %d", f.status)
	}
	return f.err.Error()
}

// A program is one call of hcasim.
type program struct {
	out, err io.Writer
	style    report.Style
	drawn    terminal.Style // of plots
	shelf    *report.Shelf
	broken   func() error // why out takes no more
}

func main() {
	os.Exit(ending.Run(func(out *ending.Stdout) int {
		colour := isatty.IsTerminal(os.Stdout.Fd()) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		p := &program{
			out: out, err: os.Stderr, style: report.Style{Colour: colour}, drawn: terminal.Of(os.Stdout, colour),
			shelf: report.NewShelf(version()), broken: out.Broken,
		}
		return p.execute(os.Args[1:])
	}))
}

func (p *program) execute(args []string) int {
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if broken := p.broken(); broken != nil {
		_, _ = fmt.Fprintln(p.err, broken)
		return statusUnwritten
	}
	if err == nil {
		return 0
	}
	f := &failure{statusUsage, err}
	errors.As(err, &f)
	if f.err != nil {
		_, _ = fmt.Fprintln(p.err, f.err)
	}
	return f.status
}

// root is the command without a name.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "hcasim",
		Short: "Simulate InfiniBand adapters: what a key opens, and how long it takes",
		Long: "hcasim simulates two InfiniBand host channel adapters and the hosts around them,\n" +
			"cycle by cycle, from a scenario in YAML: memory regions and windows, their keys,\n" +
			"queue pairs, PCIe and the wire.",
		Example:       "  hcasim run scenarios/quickstart.yaml\n  hcasim test scenarios\n  hcasim params hca.cache",
		Args:          noArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return libraryThere(c) },
	}
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w (%s --help)", err, c.CommandPath())
	})
	root.AddCommand(p.runCommand(), p.traceCommand(), p.testCommand(), p.checkCommand(), p.explainCommand(), p.exploreCommand(), p.validateCommand(), p.sweepCommand(), p.compareCommand(), p.perfCommand(), p.importCommand(), p.initCommand(), p.benchCommand(),
		p.paramsCommand(), p.profileCommand(), p.schemaCommand(), p.versionCommand())
	root.AddCommand(p.topics()...)
	p.namedTopics(root)
	return root
}
