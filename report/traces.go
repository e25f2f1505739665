package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"hcasim/report/capture"
	"hcasim/report/timeline"
	"hcasim/scenario"
	"hcasim/scenario/run"
)

// Traces are the attachments for a list of kinds of timelines such as
// chrome,vcd.
func Traces(r *scenario.Run, list string) ([]Attachment, error) {
	kinds, err := kindsOf(list, timeline.Kinds)
	if err != nil {
		return nil, err
	}
	return traces(r, kinds, &tracing{}), nil
}

// A tracing is what is asked of timelines, and how many ops came of it.
type tracing struct {
	options timeline.Options
	matched int
}

func traces(r *scenario.Run, kinds []string, t *tracing) (all []Attachment) {
	about := fmt.Sprintf("%s, seed %d, result %s", r.Name, r.Scenario.Run.Seed, r.Hash())
	for _, kind := range kinds {
		all = append(all, Attachment{timeline.FileName(kind), func(v *run.View, to io.Writer) (func() error, error) {
			rec, err := timeline.Watch(v, kind, about, t.options, to)
			if err != nil {
				return nil, err
			}
			return func() error {
				err := rec.Close()
				t.matched = max(t.matched, rec.Matched())
				return err
			}, nil
		}})
	}
	return all
}

// A TraceRequest is what hcasim trace is asked for, as flags have it; "" is not
// asked.
type TraceRequest struct {
	Formats, Captures              string
	Window, QP, Key, Op, TimeScale string

	formats []string
	tracing tracing
}

// Check reads the flags. The error names all that are wrong.
func (q *TraceRequest) Check() error {
	var mistakes []error
	o := &q.tracing.options
	for _, f := range []struct {
		flag, value string
		read        func(string) error
	}{
		{"--format", q.Formats, func(s string) (err error) { q.formats, err = kindsOf(s, timeline.Kinds); return err }},
		{"--pcap", q.Captures, func(s string) error { _, err := kindsOf(s, capture.Kinds); return err }},
		{"--window", q.Window, o.ParseWindow}, {"--key", q.Key, o.ParseKey}, {"--op", q.Op, o.ParseOp},
		{"--time-scale", q.TimeScale, o.ParseScale},
	} {
		if f.value == "" {
			continue
		}
		if err := f.read(f.value); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", f.flag, err))
		}
	}
	o.QP = q.QP
	return errors.Join(mistakes...)
}

// unmatched says that nothing of a result is what was asked for.
func (q *TraceRequest) unmatched(dir string, res *run.Result) error {
	o := &q.tracing.options
	switch {
	case o.Windowed && o.From >= res.Now:
		return fmt.Errorf("--window %s: %s ends at %v", q.Window, dir, res.Now)
	case !o.Picky() || q.tracing.matched > 0 || !slices.Contains(q.formats, "chrome"):
		return nil
	}
	hint := "ops.csv has its ops, keys.csv its keys"
	if q.QP != "" {
		var qps []string
		for i := range res.Ops {
			if op := &res.Ops[i]; op.QP != "" && !slices.Contains(qps, op.Host+"."+op.QP) && len(qps) < 8 {
				qps = append(qps, op.Host+"."+op.QP)
			}
		}
		if qps != nil {
			hint = "ops are on " + strings.Join(qps, ", ")
		}
	}
	return fmt.Errorf("%s: no op of %s is so: %s", o, dir, hint)
}
