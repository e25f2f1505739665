package sweep

import (
	"crypto/sha256"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"hcasim/report"
	"hcasim/scenario/figure"
	"hcasim/scenario/sweep"
)

// A Grid is a scenario run with every combination of some values, without a
// study and without a folder.
type Grid struct {
	File    string
	Case    string   // of the file; "" for none
	Axes    []string // PATH=a,b,c, as --sweep has them
	Sets    []string // path=value, over every point
	Library string   // folder with openings and profiles of the user's; "" for none
	Workers int      // points at a time; at least 1
}

// Run runs the grid. Its table has the main figures: of each kind of request
// median, tail and rate, and refusals if there are any. The error is a
// *scenario.Mistakes.
func (g Grid) Run(progress func(Tally)) (*Table, error) {
	s, err := sweep.Inline{File: g.File, Case: g.Case, Axes: g.Axes, Flag: "--sweep", Sets: g.Sets,
		Options: sweep.Options{Library: g.Library, Workers: g.Workers}}.Study()
	if err != nil {
		return nil, err
	}
	r := &gridRun{study: s, progress: progress, of: map[[sha256.Size]byte]*gridPoint{}}
	r.tally.All = s.Count()
	if err := r.run(g.Workers); err != nil {
		return nil, err
	}
	return r.table()
}

// A gridPoint is one simulation of a grid.
type gridPoint struct {
	figures  figure.Figures
	failures []string
}

// A gridRun is a grid on its workers.
type gridRun struct {
	study    *sweep.Study
	progress func(Tally)
	of       map[[sha256.Size]byte]*gridPoint

	mu    sync.Mutex
	tally Tally
}

func (r *gridRun) run(workers int) error {
	points := map[[sha256.Size]byte]int{}
	for _, digest := range r.study.Digests {
		points[digest]++
	}
	var group errgroup.Group
	group.SetLimit(max(1, workers))
	for i, digest := range r.study.Digests {
		if r.of[digest] != nil {
			continue
		}
		p := &gridPoint{}
		r.of[digest] = p
		group.Go(func() error {
			run, err := r.study.Run(i)
			if err != nil {
				return err
			}
			rec, err := report.Simulate(run)
			if err != nil {
				return err
			}
			p.figures, p.failures = figure.Of(rec.Result), complaints(rec.Result)
			r.count(p, points[digest])
			return nil
		})
	}
	return group.Wait()
}

func (r *gridRun) count(p *gridPoint, points int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tally.Done += points
	r.tally.Simulated++
	if len(p.failures) > 0 {
		r.tally.Failed += points
	}
	if r.progress != nil {
		r.progress(r.tally)
	}
}

// mainParts are the figures of a kind of request that a grid shows.
var mainParts = []string{"p50", "p99", "rate"}

// table makes a table of the figures that any point has.
func (r *gridRun) table() (*Table, error) {
	found := map[string]bool{}
	for _, p := range r.of {
		for kind, group := range p.figures {
			if g, is := group.(figure.Figures); is && figure.IsKind(kind) {
				for _, part := range mainParts {
					_, has := g.Get(part)
					found[kind+"."+part] = found[kind+"."+part] || has
				}
			}
		}
		v, _ := p.figures.Get("faults")
		found["faults"] = found["faults"] || v > 0
	}
	for _, name := range slices.SortedFunc(maps.Keys(found), byPart) {
		if !found[name] {
			continue
		}
		m, _, err := figure.Compile(name)
		if err != nil {
			return nil, err
		}
		r.study.Metrics = append(r.study.Metrics, &sweep.Metric{Name: name, Label: name, Unit: m.Unit(), Metric: m})
	}
	return r.filled(), nil
}

// byPart orders figures by their kinds, and within one as mainParts are.
func byPart(a, b string) int {
	rank := func(name string) (kind string, at int) {
		for i, part := range mainParts {
			if before, is := cutPart(name, part); is {
				return before, i
			}
		}
		return "~" + name, 0 // behind all kinds
	}
	kindA, atA := rank(a)
	kindB, atB := rank(b)
	if kindA != kindB {
		if kindA < kindB {
			return -1
		}
		return 1
	}
	return atA - atB
}

func cutPart(name, part string) (kind string, is bool) {
	n := len(name) - len(part) - 1
	if n < 1 || name[n:] != "."+part {
		return "", false
	}
	return name[:n], true
}

// filled puts what came of the points into a table.
func (r *gridRun) filled() *Table {
	t := &Table{Study: r.study}
	for i, digest := range r.study.Digests {
		p := r.of[digest]
		row := Row{Index: i, Values: r.study.Row(i)}
		point := PointRow{Row: i, Seed: 0, Failures: p.failures}
		for _, m := range r.study.Metrics {
			v, err := m.Of(p.figures, nil)
			point.Values, point.Known = append(point.Values, v), append(point.Known, err == nil)
			row.Cells = append(row.Cells, Cell{Known: err == nil, Value: v, Min: v, Max: v})
		}
		if len(p.failures) > 0 {
			row.Failed = 1
		}
		t.Points, t.Rows = append(t.Points, point), append(t.Rows, row)
	}
	return t
}
