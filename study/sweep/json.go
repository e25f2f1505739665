package sweep

import "hcasim/scenario"

// A summaryDoc is a merged sweep in JSON: summary.json, and what --format json
// prints.
type summaryDoc struct {
	Format       string       `json:"format"`
	Version      int          `json:"version"`
	Hash         string       `json:"hash"`
	ModelVersion int          `json:"model_version"`
	Name         string       `json:"name"`
	Question     string       `json:"question"`
	Short        bool         `json:"short"`
	Sets         []string     `json:"sets"`
	OK           bool         `json:"ok"`
	Answer       []Verdict    `json:"answer"`
	Points       int          `json:"points"`
	Repeat       int          `json:"repeat"`
	Failed       int          `json:"failed"`
	Failures     []failureDoc `json:"failures"`
	Axes         []AxisDoc    `json:"axes"`
	Metrics      []MetricDoc  `json:"metrics"`
	Rows         []rowDoc     `json:"rows"`
}

type failureDoc struct {
	Index int      `json:"index"`
	What  []string `json:"what"`
}

type rowDoc struct {
	Axes      map[string]any        `json:"axes"` // numbers, and words
	Failed    int                   `json:"failed"`
	Metrics   map[string]*cellDoc   `json:"metrics"` // null where all points failed
	Latencies map[string]latencyDoc `json:"latencies"`
}

type cellDoc struct {
	Value float64 `json:"value"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

type latencyDoc struct {
	Count     uint64       `json:"count"`
	Min       float64      `json:"min_ns"`
	Mean      float64      `json:"mean_ns"`
	Max       float64      `json:"max_ns"`
	Quantiles [][2]float64 `json:"quantiles"` // share, ns
}

func (t *Table) doc() summaryDoc {
	d := summaryDoc{
		Format: "hcasim.sweep", Version: 1, ModelVersion: scenario.ModelVersion, Name: t.Study.Name,
		Question: t.Study.Question, Short: t.Study.Short, Sets: append([]string{}, t.Study.Sets...), OK: t.Holds(), Answer: append([]Verdict{}, t.Answer...), Points: len(t.Points),
		Repeat: t.Study.Repeat, Failed: t.failed(), Failures: []failureDoc{}, Axes: axisDocs(t.Study), Metrics: metricDocs(t.Study),
	}
	if t.Plan != nil {
		d.Hash = t.Plan.Hash
	}
	for i := range t.Points {
		if f := t.Points[i].Failures; len(f) > 0 {
			d.Failures = append(d.Failures, failureDoc{i, f})
		}
	}
	for i := range t.Rows {
		d.Rows = append(d.Rows, t.rowDoc(&t.Rows[i]))
	}
	return d
}

func (t *Table) rowDoc(r *Row) rowDoc {
	d := rowDoc{Axes: map[string]any{}, Failed: r.Failed, Metrics: map[string]*cellDoc{}, Latencies: map[string]latencyDoc{}}
	for i, v := range r.Values {
		if a := t.Study.Axes[i]; a.Words {
			d.Axes[a.Name] = v.Text
		} else {
			d.Axes[a.Name] = v.Number
		}
	}
	for i, c := range r.Cells {
		d.Metrics[t.Study.Metrics[i].Name] = nil
		if c.Known {
			d.Metrics[t.Study.Metrics[i].Name] = &cellDoc{c.Value, c.Min, c.Max}
		}
	}
	for _, l := range r.Latencies {
		one := latencyDoc{Count: l.Count, Min: l.Min, Mean: l.Mean, Max: l.Max}
		for i, share := range shares {
			one.Quantiles = append(one.Quantiles, [2]float64{float64(share) / 1000, l.Quantiles[i]})
		}
		d.Latencies[l.Kind] = one
	}
	return d
}
