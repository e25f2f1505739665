package sweep

import (
	"encoding/hex"
	"fmt"
	"runtime"

	"hcasim/scenario/sweep"
)

// A Question says which study is run, and how.
type Question struct {
	File    string   // of the study
	Out     string   // folder of the sweep; "" for Plan.Place
	Short   bool     // in its short form
	Sets    []string // path=value over every point
	Library string   // folder with openings and profiles of the user's; "" for none
	Shards  int      // how many there are; 0: the study says, or nobody
	Shard   Shard    // which part is run: All, i/n, or with Of 0 that of the plan
	Workers int      // points at a time; at least 1
	Force   bool     // what is done is done again
}

// A Sweep is a study with its plan and its folder.
type Sweep struct {
	Study *sweep.Study
	Plan  *Plan
	Dir   string
	Shard Shard

	question Question
	unread   bool // the digests are the plan's: they are held to it as points are run
}

// Open reads a study and plans it. The error is a *scenario.Mistakes if files
// are wrong.
func Open(q Question) (*Sweep, error) {
	w := &Sweep{question: q, Dir: q.Out}
	if err := w.read(); err != nil {
		return nil, err
	}
	shards := q.Shards
	if q.Shard != All && q.Shard.Of != 0 {
		if shards != 0 && shards != q.Shard.Of {
			return nil, fmt.Errorf("--shard %s says %d shards, --shards %d", q.Shard, q.Shard.Of, shards)
		}
		shards = q.Shard.Of
	}
	if shards != 0 {
		w.Plan.Shards = shards
	} else if was, err := readPlan(w.Dir); err == nil {
		w.Plan.Shards = was.Shards // whoever planned it may have said another than the study
	}
	return w, nil
}

// read reads study and plan. A shard whose plan is there, made of the same
// files, leaves the points of others alone.
func (w *Sweep) read() (err error) {
	q := w.question
	o := sweep.Options{Short: q.Short, Sets: q.Sets, Library: q.Library, Workers: q.Workers}
	if q.Out != "" && q.Shard != All {
		if was, err := openPlan(q.Out); err == nil {
			o.Heads = true
			s, err := sweep.Load(q.File, o)
			if err != nil {
				return err
			}
			if inputs := s.Inputs(); hex.EncodeToString(inputs[:]) == was.Inputs && s.Count() == len(was.Points) {
				w.Study, w.Plan, w.unread = s, was, true
				return nil
			}
			o.Heads = false
		}
	}
	if w.Study, err = sweep.Load(q.File, o); err != nil {
		return err
	}
	w.Plan = newPlan(w.Study)
	if w.Dir == "" {
		w.Dir = w.Plan.place()
	}
	return nil
}

// Settle writes the plan into the folder of the sweep, or finds it there, and
// finds out which shard this is.
func (w *Sweep) Settle() (err error) {
	if err := w.Plan.settle(w.Dir); err != nil {
		return err
	}
	w.Shard, err = w.question.Shard.within(w.Plan)
	return err
}

// CheckFile reads a study, in its short form too, with the scenarios of all
// points, and returns how many there are. The error is a *scenario.Mistakes.
func CheckFile(name, library string, sets []string) (points int, err error) {
	return sweep.Check(name, sweep.Options{Library: library, Sets: sets, Workers: runtime.GOMAXPROCS(0)})
}
