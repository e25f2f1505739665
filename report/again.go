package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
	"hcasim/whole"
)

// relocate gives the steps the lines of the user's file, as far as ops.csv has
// them: config.yaml has lines of its own.
func (k *Kept) relocate() {
	lang.EachStep(k.Run.Scenario.Ops, func(s *lang.Step) {
		s.Pos.Line = k.Lines[s.Number] // 0, where nothing says: no line
		if t, load := s.Do.(*lang.Traffic); load {
			t.Pos.Line = s.Pos.Line
		}
	})
}

// Trace runs a result again and writes what was asked for: next to it, or to
// out, a folder, or a file when that is enough. It returns the files.
func (s *Shelf) Trace(k *Kept, q *TraceRequest, out string) (files []string, err error) {
	k.relocate()
	list := traces(k.Run, q.formats, &q.tracing)
	if q.Captures != "" {
		captures, err := Captures(k.Run, q.Captures)
		if err != nil {
			return nil, err
		}
		list = append(list, captures...)
	}
	dir, single := out, ""
	switch info, err := os.Stat(out); {
	case out == "":
		dir = k.Folder
	case err == nil && info.IsDir():
	case filepath.Ext(out) != "":
		if len(list) > 1 {
			return nil, fmt.Errorf("--out %s: this is one file, and there will be %d: name a folder", out, len(list))
		}
		dir, single = filepath.Dir(out), out
	}
	if info, err := os.Stat(single); err == nil && info.IsDir() {
		return nil, unwritten(dir, syscall.EISDIR)
	}
	part, err := whole.Begin(filepath.Join(dir, "traces"))
	if err != nil {
		return nil, unwritten(dir, err)
	}
	defer part.Drop() // what was in it is moved when all went well
	a := attached{folder: part.Path(), run: k.Run}
	rec, err := simulate(k.Run, func() (*run.Result, error) {
		return k.Run.DoWatched(func(v *run.View) { a.open(v, list) })
	})
	if written := a.close(); err == nil && written != nil {
		err = unwritten(dir, written)
	}
	if err == nil {
		err = k.same(rec.Result)
	}
	if err == nil {
		err = q.unmatched(k.Folder, rec.Result)
	}
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		to := filepath.Join(dir, one.Name)
		if single != "" {
			to = single
		}
		if err := part.Take(one.Name, to); err != nil {
			return nil, unwritten(dir, err)
		}
		files = append(files, to)
	}
	return files, nil
}

func unwritten(dir string, err error) error {
	return &Unwritten{fmt.Errorf("traces cannot be written to %s: %w", dir, reason(err))}
}

// same holds what came of the second run to what is written of the first.
func (k *Kept) same(res *run.Result) error {
	text, err := os.ReadFile(filepath.Join(k.Folder, summaryFile))
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(k.Folder, summaryFile), reason(err))
	}
	var was runDoc
	if err := json.Unmarshal(text, &was); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(k.Folder, summaryFile), err)
	}
	if was.Time != uint64(res.Now) || was.Events != res.Events {
		return fmt.Errorf("%s ended at %d ps after %d events, and run again it does so at %d ps after %d: another build of the model made it",
			k.Folder, was.Time, was.Events, uint64(res.Now), res.Events)
	}
	return nil
}
