package report

import (
	"os"

	"hcasim/scenario"
	"hcasim/scenario/golden"
	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

// HoldFigures holds the runs of a file to the figures that are recorded beside
// it. Runs are all that the file has, whether they ran or not. With update they
// are recorded anew first: of the runs that came out as they should. The error
// says that the figures cannot be written.
func (t *Tested) HoldFigures(runs []*scenario.Run, update bool) error {
	file, reading := golden.Read(t.Path)
	if reading != nil {
		if problems := reading.Problems(); len(problems) > 0 {
			t.Err = &scenario.Mistakes{Problems: problems}
			return nil
		}
	}
	if !file.Found && !recording(runs) {
		return nil
	}
	all := make([]*lang.Scenario, len(runs))
	for i, r := range runs {
		all[i] = r.Scenario
	}
	if update {
		if err := t.record(file, all); err != nil {
			return err
		}
	}
	command := "hcasim test --update " + shellWord(t.Path)
	t.Stale = file.Stale(all, command)
	for _, rec := range t.Records {
		if !rec.Stopped() {
			how := command
			if !rec.Result.OK() {
				how += ", once its expectations hold"
			}
			rec.Figures = file.Hold(rec.Run.Scenario, rec.Result, scenario.ModelVersion, how)
		}
	}
	return nil
}

func recording(runs []*scenario.Run) bool {
	for _, r := range runs {
		if len(r.Record) > 0 {
			return true
		}
	}
	return false
}

// record writes the figures anew, if they change.
func (t *Tested) record(file *golden.File, all []*lang.Scenario) error {
	results := make([]*run.Result, len(all))
	for i, s := range all {
		for _, rec := range t.Records {
			if rec.Run.Scenario == s && rec.OK() {
				results[i] = rec.Result
			}
		}
	}
	t.Changes = file.Update(all, results, scenario.ModelVersion)
	out := File(file.Path)
	switch {
	case len(file.Runs) == 0 && file.Found:
		file.Found = false
		if err := os.Remove(file.Path); err != nil {
			return out.unwritten(err)
		}
	case len(t.Changes) > 0:
		file.Found = true
		return out.Write(file.Write)
	}
	return nil
}

// Orphan returns what is wrong with a file of golden figures whose scenario is
// not there; nil if it is.
func Orphan(path string) error {
	owner, found := golden.Owner(path)
	if found {
		return nil
	}
	if owner == "" {
		owner = "NAME.yaml, which NAME.golden.yaml belongs to"
	}
	return &scenario.Mistakes{Problems: []lang.Problem{{
		File: path, Message: "these are the figures of " + owner + ", which is not there", Suggestion: "delete this file, if that is meant",
	}}}
}
