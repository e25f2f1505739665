package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/report/capture/replay"
	"hcasim/scenario"
	"hcasim/study/fit"
	"hcasim/whole"
)

// An importPcapCall is one hcasim import pcap.
type importPcapCall struct {
	*program
	options replay.Options
	to      string
	hosts   string
	force   bool
	data    int
	payload int64
	rounds  int
	library string
}

func (p *program) importPcapCommand() *cobra.Command {
	x := &importPcapCall{program: p, options: replay.Options{Limits: replay.DefaultLimits}}
	l := &x.options.Limits
	c := &cobra.Command{
		Use:   "pcap FILE",
		Short: "Make a scenario of a capture of RoCEv2",
		Long: "pcap makes a scenario of a capture (pcap or pcapng) of RoCEv2, or of native InfiniBand as\n" +
			"hcasim writes it: the same queue pairs, requests, sizes, times and keys, with the\n" +
			"registrations that they imply, and the completions that the answers show as expectations.\n" +
			"Other traffic in the file is passed over. What the capture does not show is reported, on\n" +
			"standard error and at the head of the scenario.",
		Example: "  hcasim import pcap capture.pcapng -o capture.yaml\n" +
			"  hcasim import pcap capture.pcap --hosts 10.0.0.1,10.0.0.2 > capture.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("hcasim import pcap wants one FILE (hcasim import pcap --help)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return x.run(args[0]) },
	}
	f := c.Flags()
	f.StringVarP(&x.to, "out", "o", "", "write the scenario into `FILE` instead of standard output")
	f.BoolVar(&x.force, "force", false, "write it even if FILE exists")
	f.StringVar(&x.hosts, "hosts", "", "the two hosts that are meant, where more speak: `A,B`, their addresses")
	f.IntVar(&l.Frames, "max-frames", l.Frames, "most frames that are read: `N`")
	f.Int64Var(&x.payload, "max-payload", l.Payload>>20, "most payload that is held in memory: `MIB`")
	f.IntVar(&x.data, "max-data", l.Data>>10, "most bytes that are written into the scenario: `KIB`; zeros stand for the rest")
	f.StringVar(&x.options.Profile, "profile", "", "the numbers of the model that the scenario names: `NAME` (see hcasim profile list)")
	f.StringVar(&x.options.Variant, "variant", "", "how the adapters differ from the specification: `NAME`: "+strings.Join(scenario.Variants(), ", "))
	f.StringVar(&x.library, "library", "", "`FOLDER` with profiles/ of your own")
	f.IntVar(&x.rounds, "rounds", 6, "run the scenario up to `N` times to set its times; 0: leave them as captured")
	c.ValidArgsFunction = only(1, completeCaptures)
	complete(c, map[string]cobra.CompletionFunc{
		"profile": completeProfiles(&x.library), "variant": fixed(scenario.Variants()...), "library": completeFolders, "out": completeYAML,
	})
	return c
}

// run imports one file.
func (x *importPcapCall) run(file string) error {
	if err := x.check(file); err != nil {
		return err
	}
	in, err := os.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", file)
	case err != nil:
		return fmt.Errorf("%s: %w", file, whole.Reason(err))
	}
	defer func() { _ = in.Close() }() // it was only read
	m, err := replay.Read(in, x.options)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, line := range m.Report() {
		_, _ = fmt.Fprintln(x.err, line)
	}
	text, err := x.fitted(m)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return x.write(text)
}

// fitted sets the times of the scenario by runs, if that is wanted.
func (x *importPcapCall) fitted(m *replay.Import) ([]byte, error) {
	if x.rounds == 0 {
		return m.Text(nil), nil
	}
	stop := x.pulse("import pcap")
	f, err := fit.Do(m, x.rounds, x.library)
	stop()
	var mistakes *scenario.Mistakes
	if errors.As(err, &mistakes) {
		return nil, err
	}
	said, text := []string{fmt.Sprintf("its times are as captured: %v", err)}, m.Text(nil)
	if err == nil {
		said = f.Report()
		m.Remark(said...)
		text = m.Text(f.Shifts)
	}
	for _, line := range said {
		_, _ = fmt.Fprintln(x.err, line)
	}
	return text, nil
}

// check reads the flags.
func (x *importPcapCall) check(file string) error {
	l := &x.options.Limits
	l.Payload, l.Data = x.payload<<20, x.data<<10
	if l.Frames < 1 || x.payload < 1 || x.payload > 1<<20 || x.data < 0 || x.data > 1<<20 {
		return errors.New("--max-frames and --max-payload want at least 1, --max-data at least 0; the latter two at most 1048576")
	}
	if x.hosts != "" {
		a, b, two := strings.Cut(x.hosts, ",")
		if !two || a == "" || b == "" {
			return fmt.Errorf("--hosts: want two addresses, such as 10.0.0.1,10.0.0.2, not %q", x.hosts)
		}
		x.options.Hosts = [2]string{strings.TrimSpace(a), strings.TrimSpace(b)}
	}
	x.options.File, x.options.Name = filepath.Base(file), nameOf(file)
	if x.to == "" {
		return nil
	}
	if _, err := os.Lstat(x.to); err == nil && !x.force {
		return fmt.Errorf("%s exists: --force writes over it", x.to)
	}
	if err := report.File(x.to).Check(); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

// nameOf makes the name of a scenario of a file's.
func nameOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	name = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
	if name == "" || !(name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z') {
		name = "capture-" + name
	}
	return name
}

// write puts the scenario where it is wanted, and says how it is run.
func (x *importPcapCall) write(text []byte) error {
	if x.to == "" {
		if _, err := x.out.Write(text); err != nil {
			return &failure{statusUnwritten, err}
		}
		_, _ = fmt.Fprintln(x.err, "to run it: write it into a file (-o FILE), then hcasim run FILE")
		return nil
	}
	write := whole.New
	if x.force {
		write = whole.File
	}
	err := write(x.to, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists: --force writes over it", x.to)
	case err != nil:
		return &failure{statusUnwritten, fmt.Errorf("%s cannot be written: %w", x.to, whole.Reason(err))}
	}
	_, _ = fmt.Fprintf(x.err, "hcasim run %s\n", x.to)
	return nil
}
