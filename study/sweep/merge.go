package sweep

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"hcasim/scenario/figure"
	"hcasim/scenario/run"
	"hcasim/scenario/sweep"
)

// Missing says which points there is no result of.
type Missing struct {
	Dir    string
	Points []int
	Plan   *Plan
}

// Error lists them.
func (m *Missing) Error() string {
	text := fmt.Sprintf("%s: %d of %d points are missing: %s", m.Dir, len(m.Points), len(m.Plan.Points), some(m.Points))
	if m.Plan.Shards > 0 {
		text += "\nrun again the tasks --array=" + ranges(shardsOf(m.Points, m.Plan.Shards)) + " of 0-" + fmt.Sprint(m.Plan.Shards-1)
	}
	return text + "\nhcasim sweep status " + m.Dir
}

// A Mixture says which results belong to something else.
type Mixture struct {
	Dir string
	Why []string
}

// Error lists them.
func (m *Mixture) Error() string {
	const most = 5
	text := fmt.Sprintf("%s: results of different sweeps are mixed here, and are not merged:", m.Dir)
	for i, why := range m.Why {
		if i == most {
			text += fmt.Sprintf("\n  … and %d more", len(m.Why)-most)
			break
		}
		text += "\n  " + why
	}
	return text
}

// Merge reads all results of a plan. The error is a *Mixture or a *Missing if
// they are not its results, or not all.
func Merge(dir string) (*Table, error) {
	p, err := openPlan(dir)
	if err != nil {
		return nil, err
	}
	s, err := p.study()
	if err != nil {
		return nil, err
	}
	return p.merge(s, dir)
}

// Merge is Merge of the folder of a sweep.
func (w *Sweep) Merge() (*Table, error) { return w.Plan.merge(w.Study, w.Dir) }

func (p *Plan) merge(s *sweep.Study, dir string) (*Table, error) {
	m := &merging{plan: p, study: s, dir: dir, table: &Table{Study: s, Plan: p, Points: make([]PointRow, len(p.Points))}}
	m.foreign()
	for i := range s.Rows() {
		if err := m.row(i); err != nil {
			return nil, err
		}
	}
	switch {
	case len(m.mixture) > 0:
		return nil, &Mixture{dir, m.mixture}
	case len(m.missing) > 0:
		return nil, &Missing{dir, m.missing, p}
	}
	for i := range s.Expect {
		m.table.Answer = append(m.table.Answer, m.table.judge(&s.Expect[i]))
	}
	return m.table, nil
}

// A merging gathers the results of a plan.
type merging struct {
	plan    *Plan
	study   *sweep.Study
	dir     string
	table   *Table
	missing []int
	mixture []string
}

// foreign notes results that no point of the plan has.
func (m *merging) foreign() {
	known := map[string]bool{}
	for i := range m.plan.Points {
		known[m.plan.Points[i].Hash] = true
	}
	names, _ := filepath.Glob(filepath.Join(m.dir, pointsFolder, "*.json")) // the pattern is good
	for _, name := range names {
		base := filepath.Base(name)
		if !known[strings.TrimSuffix(base, ".json")] {
			m.mixture = append(m.mixture, filepath.Join(pointsFolder, base)+" is of no point of this plan")
		}
	}
}

// row gathers the points of one row.
func (m *merging) row(i int) error {
	var docs []*pointDoc
	for k := range m.plan.Repeat {
		index := i*m.plan.Repeat + k
		d, err := m.plan.readPoint(m.dir, m.plan.Points[index].Hash)
		var other *strange
		switch {
		case errors.Is(err, errNoPoint):
			m.missing = append(m.missing, index)
		case errors.As(err, &other):
			m.mixture = append(m.mixture, other.why)
		case err != nil:
			return fmt.Errorf("%s: %w", m.dir, plainly(err))
		default:
			m.table.Points[index] = m.point(index, d)
			docs = append(docs, d)
		}
	}
	if len(docs) == m.plan.Repeat {
		m.table.Rows = append(m.table.Rows, m.average(i, docs))
	}
	return nil
}

// point is one point of the table.
func (m *merging) point(index int, d *pointDoc) PointRow {
	row := index / m.plan.Repeat
	p := PointRow{
		Row: row, Repeat: index % m.plan.Repeat, Seed: m.plan.Points[index].Seed, Failures: d.Failures,
		Values: make([]float64, len(m.study.Metrics)), Known: make([]bool, len(m.study.Metrics)),
	}
	all, beside := d.figures(), m.study.Beside(m.study.Row(row))
	for i, metric := range m.study.Metrics {
		v, err := metric.Of(all, beside)
		p.Values[i], p.Known[i] = v, err == nil
	}
	return p
}

// average makes a row of its points, of those that did not fail.
func (m *merging) average(i int, docs []*pointDoc) Row {
	r := Row{Index: i, Values: m.study.Row(i), Cells: make([]Cell, len(m.study.Metrics))}
	latencies := map[string]*run.Histogram{}
	n := 0.0
	for k, d := range docs {
		p := &m.table.Points[i*m.plan.Repeat+k]
		if len(p.Failures) > 0 {
			r.Failed++
			continue
		}
		n++
		for c, v := range p.Values {
			cell := &r.Cells[c]
			if !cell.Known {
				*cell = Cell{Known: true, Min: v, Max: v}
			}
			cell.Value += (v - cell.Value) / n
			cell.Min, cell.Max = min(cell.Min, v), max(cell.Max, v)
		}
		for kind, h := range d.Latencies {
			if latencies[kind] == nil {
				latencies[kind] = &run.Histogram{}
			}
			latencies[kind].Merge(h)
		}
	}
	for c, metric := range m.study.Metrics {
		if v, found := figure.LatencyOf(metric.Text, latencies); found && metric.Plain() {
			r.Cells[c].Value = v
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(latencies)) {
		r.Latencies = append(r.Latencies, latencyOf(kind, latencies[kind]))
	}
	return r
}

// latencyOf is a histogram in ns.
func latencyOf(kind string, h *run.Histogram) Latency {
	const ns = 1e3
	l := Latency{Kind: kind, Count: h.Count(), Min: float64(h.Min()) / ns, Max: float64(h.Max()) / ns, Mean: float64(h.Mean()) / ns}
	for _, share := range shares {
		l.Quantiles = append(l.Quantiles, float64(h.Quantile(share))/ns)
	}
	return l
}

// ranges writes numbers, ascending, as engines take them: 3,7-9.
func ranges(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		part := fmt.Sprint(list[i])
		if k > i {
			part += fmt.Sprintf("-%d", list[k])
		}
		parts = append(parts, part)
		i = k + 1
	}
	return strings.Join(parts, ",")
}

// some writes the first of numbers, ascending, for a reader.
func some(list []int) string {
	const most = 20
	parts := strings.Split(ranges(list), ",")
	if len(parts) <= most {
		return strings.Join(parts, ",")
	}
	return strings.Join(parts[:most], ",") + ", …"
}

// shardsOf are the shards that points are in, ascending.
func shardsOf(points []int, shards int) (list []int) {
	seen := make([]bool, shards)
	for _, p := range points {
		seen[p%shards] = true
	}
	for i, is := range seen {
		if is {
			list = append(list, i)
		}
	}
	return list
}
