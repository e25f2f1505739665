package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
)

// A traceCall is one hcasim trace.
type traceCall struct {
	*program
	report.TraceRequest
	to string // --out
}

func (p *program) traceCommand() *cobra.Command {
	t := &traceCall{program: p}
	c := &cobra.Command{
		Use:   "trace RESULT",
		Short: "Run a finished result again and write its timelines and captures",
		Long: "Run a finished result again, exactly as it ran, and write what it did:\n" +
			"a timeline for ui.perfetto.dev, waveforms, captures for Wireshark.\n" +
			"RESULT is a folder such as results/NAME/HASH. A request that is chosen is\n" +
			"shown whole, on both hosts.",
		Example: "  hcasim trace results/quickstart --format chrome,vcd\n" +
			"  hcasim trace results/quickstart --op 4 --time-scale ps --out op4.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("hcasim trace wants one RESULT, such as results/NAME/HASH (hcasim trace --help)")
			}
			return nil
		},
		ValidArgsFunction: only(1, completeResults),
		RunE: func(c *cobra.Command, args []string) error {
			if t.Captures != "" && !c.Flags().Changed("format") {
				t.Formats = ""
			}
			return t.run(args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&t.Formats, "format", "chrome", "timelines: `KINDS`: chrome (ui.perfetto.dev), vcd (wave viewers)")
	f.StringVar(&t.Captures, "pcap", "", "captures for Wireshark: `KINDS`: wire, pcie, all (both in one file)")
	f.StringVar(&t.to, "out", "", "write into this folder, or one file to this name, instead of next to the result: `PATH`")
	f.StringVar(&t.Window, "window", "", "only what was under way at `FROM..TO`, such as 10us..20us; VCD then has the clock")
	f.StringVar(&t.QP, "qp", "", "only requests posted on this queue pair: `HOST.NAME`")
	f.StringVar(&t.Key, "key", "", "only requests that used this `KEY`, such as 0x200")
	f.StringVar(&t.Op, "op", "", "only the requests of this step, or one of them: `N` or N.M, as in ops.csv")
	f.StringVar(&t.TimeScale, "time-scale", "ns", "of chrome: ns, or ps, which shows 1 ps as 1 ns: `SCALE`")
	complete(c, map[string]cobra.CompletionFunc{
		"format": completeKinds(report.TimelineKinds), "pcap": completeKinds(report.CaptureKinds), "time-scale": fixed("ns", "ps"),
		"op": func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return begin(report.OpNames(strings.Join(args, ""), mostOffered), begun), cobra.ShellCompDirectiveNoFileComp
		},
	})
	return c
}

func (t *traceCall) run(dir string) error {
	if err := t.Check(); err != nil {
		return err
	}
	result, err := report.Open(dir)
	if err != nil {
		return err
	}
	stop := t.pulse(result.Run.Name)
	files, err := t.shelf.Trace(result, &t.TraceRequest, t.to)
	stop()
	if unwritten := (*report.Unwritten)(nil); errors.As(err, &unwritten) {
		return &failure{statusUnwritten, err}
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := t.wrote(f); err != nil {
			return &failure{statusUnwritten, err}
		}
	}
	return nil
}

// wrote says of a file how to open it.
func (t *traceCall) wrote(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	how := ""
	switch name := filepath.Base(file); {
	case strings.HasSuffix(name, ".json"):
		how = "open https://ui.perfetto.dev and drop it there"
	case strings.HasSuffix(name, ".vcd"):
		how = "gtkwave " + file
	case strings.HasSuffix(name, ".lua"):
		how = "shows PCIe in Wireshark"
	case name == "wire.pcapng":
		how = "wireshark " + file
	default:
		how = "wireshark -X lua_script:" + filepath.Join(filepath.Dir(file), "pcie_tlp.lua") + " " + file
	}
	_, err = fmt.Fprintf(t.out, "%s  %d bytes\n    %s\n", file, info.Size(), how)
	return err
}
