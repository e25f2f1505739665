package report

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hcasim/report/capture"
	"hcasim/scenario"
	"hcasim/scenario/run"
)

// An Attachment is a file of a result folder that is written while the run
// runs: a capture, a trace.
type Attachment struct {
	Name string
	// Begin watches a run and writes into to until end is called.
	Begin func(v *run.View, to io.Writer) (end func() error, err error)
}

// A fixed attachment has the same bytes whatever the run.
func fixed(name string, text []byte) Attachment {
	return Attachment{name, func(_ *run.View, to io.Writer) (func() error, error) {
		_, err := to.Write(text)
		return func() error { return nil }, err
	}}
}

// kindsOf reads a list such as wire,pcie; each counts once.
func kindsOf(list string, known []string) (kinds []string, err error) {
	for _, k := range strings.Split(list, ",") {
		if k = strings.TrimSpace(k); !slices.Contains(known, k) {
			return nil, fmt.Errorf("%q is none of %s", k, strings.Join(known, ", "))
		}
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds, nil
}

// Captures are the attachments for a list of kinds such as wire,pcie. The
// script that shows PCIe comes along.
func Captures(r *scenario.Run, list string) (all []Attachment, err error) {
	kinds, err := kindsOf(list, capture.Kinds)
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf("%s, seed %d, result %s", r.Name, r.Scenario.Run.Seed, r.Hash())
	scripted := false
	for _, kind := range kinds {
		all = append(all, Attachment{capture.FileName(kind), func(v *run.View, to io.Writer) (func() error, error) {
			c, err := capture.Watch(v, kind, about, to)
			if err != nil {
				return nil, err
			}
			return c.Close, nil
		}})
		if kind != "wire" && !scripted {
			all, scripted = append(all, fixed(capture.DissectorName, capture.Dissector)), true
		}
	}
	return all, nil
}

// attach opens the files of the attachments in a folder of their own and lets
// them watch; end closes them.
type attached struct {
	folder string
	run    *scenario.Run
	ends   []func() error
	err    error
}

func (a *attached) open(v *run.View, list []Attachment) {
	for _, one := range list {
		if a.err == nil {
			a.err = a.begin(v, one)
		}
	}
}

func (a *attached) begin(v *run.View, one Attachment) error {
	f, err := os.Create(filepath.Join(a.folder, one.Name))
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(within(a.run, one.Name, f), 1<<16)
	end, err := one.Begin(v, buffered)
	if err != nil {
		_ = f.Close() // the first error says more
		return err
	}
	a.ends = append(a.ends, func() error {
		err := end()
		if err == nil {
			err = buffered.Flush()
		}
		if closed := f.Close(); err == nil {
			err = closed
		}
		return err
	})
	return nil
}

// close ends all files. The error is the first.
func (a *attached) close() error {
	for _, end := range a.ends {
		if err := end(); a.err == nil {
			a.err = err
		}
	}
	return a.err
}
