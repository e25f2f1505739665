package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/figure"
	"hcasim/scenario/run"
	"hcasim/scenario/sweep"
)

// A pointDoc is what came of one simulation: points/HASH.json. It has no wall
// clock in it. Points of one hash share it; index and axes are of the first.
type pointDoc struct {
	Format       string                    `json:"format"`
	Version      int                       `json:"version"`
	ModelVersion int                       `json:"model_version"`
	Plan         string                    `json:"plan"`
	Hash         string                    `json:"hash"`
	Index        int                       `json:"index"`
	Axes         map[string]string         `json:"axes"`
	Seed         uint64                    `json:"seed"`
	End          string                    `json:"end"`
	Time         uint64                    `json:"time_ps"`
	Events       uint64                    `json:"events"`
	Failures     []string                  `json:"failures"`
	Figures      map[string]float64        `json:"figures"`   // that metrics name
	Latencies    map[string]*run.Histogram `json:"latencies"` // by kind of request
}

const (
	pointFormat  = "hcasim.point"
	pointVersion = 1

	refused = "refused" // end of a point that only the model found a mistake in
)

// pointFile is where the result of a hash lies.
func pointFile(dir, hash string) string { return filepath.Join(dir, pointsFolder, hash+".json") }

// errNoPoint says that there is no result, or none that can be read.
var errNoPoint = errors.New("there is no result")

// A strange is a result that does not belong to the plan.
type strange struct{ why string }

func (s *strange) Error() string { return s.why }

// readPoint reads a result. The error is errNoPoint when it must be simulated
// again, and a *strange when it is of something else.
func (p *Plan) readPoint(dir, hash string) (*pointDoc, error) {
	text, err := os.ReadFile(pointFile(dir, hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoPoint
	}
	if err != nil {
		return nil, err
	}
	d := &pointDoc{}
	name := filepath.Join(pointsFolder, hash+".json")
	switch {
	case json.Unmarshal(text, d) != nil || d.Format != pointFormat || d.Figures == nil:
		return nil, errNoPoint
	case d.Version != pointVersion:
		return nil, &strange{fmt.Sprintf("%s is of version %d of points, and this program has %d", name, d.Version, pointVersion)}
	case d.ModelVersion != scenario.ModelVersion:
		return nil, &strange{fmt.Sprintf("%s is of model %d, the plan of model %d", name, d.ModelVersion, p.ModelVersion)}
	case d.Plan != p.Hash:
		return nil, &strange{fmt.Sprintf("%s is of plan %.8s, this is %.8s", name, d.Plan, p.Hash)}
	case d.Hash != hash:
		return nil, &strange{fmt.Sprintf("%s is of another point, %s", name, d.Hash)}
	}
	return d, nil
}

// outcome makes the result of a run.
func outcome(s *sweep.Study, p *Plan, index int, res *run.Result, mistake error) *pointDoc {
	planned := &p.Points[index]
	d := &pointDoc{
		Format: pointFormat, Version: pointVersion, ModelVersion: scenario.ModelVersion, Plan: p.Hash, Hash: planned.Hash,
		Index: index, Axes: map[string]string{}, Seed: planned.Seed, End: refused,
		Failures: []string{}, Figures: map[string]float64{}, Latencies: map[string]*run.Histogram{},
	}
	for i, a := range s.Axes {
		d.Axes[a.Name] = planned.Values[i]
	}
	if mistake != nil {
		first, _, _ := strings.Cut(mistake.Error(), "\n")
		d.Failures = append(d.Failures, first)
		return d
	}
	d.End, d.Time, d.Events = res.End.String(), uint64(res.Now), res.Events
	d.Failures = append(d.Failures, complaints(res)...)
	d.Latencies = figure.Latencies(res)
	all := figure.Of(res)
	beside := s.Beside(s.Row(index / s.Repeat))
	for _, m := range s.Metrics {
		for _, name := range m.Names() {
			if v, found := all.Get(name); found && beside[name] == nil {
				d.Figures[name] = v
			}
		}
		if _, err := m.Of(all, beside); err != nil {
			d.Failures = append(d.Failures, m.Name+": "+err.Error())
		}
	}
	return d
}

// mostComplaints bounds what is kept of one run.
const mostComplaints = 5

// complaints say what is wrong with a run.
func complaints(res *run.Result) (list []string) {
	for i := range res.Failures {
		if i == mostComplaints {
			list = append(list, fmt.Sprintf("… and %d more", len(res.Failures)-i))
			break
		}
		f := &res.Failures[i]
		list = append(list, fmt.Sprintf("line %d: %s: expected %s, got %s", f.Pos.Line, f.What, f.Expected, f.Got))
	}
	switch res.End {
	case run.Finished, run.Stopped:
	case run.Limit:
		list = append(list, "the run is at the limit of simulated time (run.until) with work in flight")
	case run.Stuck, run.Broken:
		why := append(slices.Clone(res.Broken), res.Waits...)
		list = append(list, strings.TrimSuffix("the run is "+res.End.String()+": "+strings.Join(why[:min(1, len(why))], ""), ": "))
	}
	return list
}

// figures are those of a result as metrics take them.
func (d *pointDoc) figures() figure.Figures {
	f := figure.Figures{}
	for name, v := range d.Figures {
		f.Put(name, v)
	}
	return f
}
