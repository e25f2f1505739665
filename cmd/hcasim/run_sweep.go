package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"hcasim/study/sweep"
)

// grid runs one scenario with every combination of the values of --sweep.
func (r *runCall) grid(files []string) error {
	if err := format(r.format, sweep.Formats...); err != nil {
		return fmt.Errorf("%w, with --sweep", err)
	}
	if r.sheet {
		return errors.New("--sweep keeps no result to write a --report into; a study does (hcasim sweep), and --plot draws here")
	}
	if r.folder != "" {
		return fmt.Errorf("--sweep keeps no result to go into --out %s; a study does (hcasim sweep)", r.folder)
	}
	runs, err := r.load(files)
	if err != nil {
		return err
	}
	if len(runs) > 1 {
		return fmt.Errorf("--sweep is of one scenario, and here are %d: choose one with --run", len(runs))
	}
	o := r.options()
	g := sweep.Grid{File: runs[0].Path, Axes: r.sweep, Sets: o.Sets, Library: o.Folder, Workers: runtime.GOMAXPROCS(0)}
	if c := runs[0].Case; c != nil {
		g.Case = c.Name
	}
	told, stop := r.clock(sweep.Clock{Began: time.Now(), Workers: g.Workers})
	t, err := g.Run(told)
	stop()
	if err != nil {
		return err
	}
	t.Study.Name = runs[0].Name
	return r.printed(t, r.format, "", r.plot)
}
