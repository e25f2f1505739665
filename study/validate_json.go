package study

import (
	"io"

	"hcasim/report"
)

// The form of a validation in JSON. Deviations and tolerances are shares: 0.05
// is 5 %.
type validationDoc struct {
	Format  string              `json:"format"`
	Version int                 `json:"version"`
	OK      bool                `json:"ok"`
	Whole   bool                `json:"whole"`
	Fast    bool                `json:"fast"`
	Sets    []string            `json:"set,omitempty"`
	Runs    int                 `json:"simulations"`
	Items   []itemDoc           `json:"items"`
	Classes map[string]classDoc `json:"classes"`
}

type itemDoc struct {
	ID        string     `json:"id"`
	Class     string     `json:"class"`
	Points    int        `json:"points"`
	Mean      float64    `json:"mean"`
	Worst     float64    `json:"worst"`
	Tolerance float64    `json:"tolerance"`
	Exact     bool       `json:"exact,omitempty"`
	Verdict   Verdict    `json:"verdict"`
	About     string     `json:"about"`
	Testbed   string     `json:"testbed,omitempty"`
	Profiles  []string   `json:"profiles,omitempty"`
	Guessed   []string   `json:"mostly_estimates,omitempty"`
	Curves    []curveDoc `json:"curves"`
	Shapes    []shapeDoc `json:"shapes,omitempty"`
}

type curveDoc struct {
	Name   string     `json:"name"`
	Source string     `json:"source"`
	Unit   string     `json:"unit"`
	Metric string     `json:"metric"`
	Points []pointDoc `json:"points"`
}

type pointDoc struct {
	X         string   `json:"x"`
	At        float64  `json:"at"` // a number, bytes, or the place of a word
	Published *float64 `json:"published,omitempty"`
	Simulated *float64 `json:"simulated,omitempty"`
	Deviation *float64 `json:"deviation,omitempty"`
	Tolerance float64  `json:"tolerance"`
	Exact     bool     `json:"exact,omitempty"`
	Verdict   Verdict  `json:"verdict"`
	Reason    string   `json:"reason,omitempty"`
}

type shapeDoc struct {
	Curve   string  `json:"curve"`
	Wanted  string  `json:"wanted"`
	Got     string  `json:"got"`
	Verdict Verdict `json:"verdict"`
}

type classDoc struct {
	Items    int     `json:"items"`
	OK       int     `json:"ok"`
	Miss     int     `json:"miss"`
	Disagree int     `json:"disagree"`
	Share    float64 `json:"share"`
}

func (v *Validation) json(w io.Writer) error {
	d := validationDoc{
		Format: "hcasim.validate", Version: 1, OK: v.Holds(), Whole: v.Whole, Fast: v.Fast, Sets: v.Sets, Runs: v.Runs,
		Items: []itemDoc{}, Classes: map[string]classDoc{},
	}
	for i := range v.Items {
		d.Items = append(d.Items, v.Items[i].doc())
	}
	for i := range v.Classes {
		c := &v.Classes[i]
		d.Classes[string(c.Class)] = classDoc{c.Items, c.OK, c.Miss, c.Disagree, c.share()}
	}
	return report.Indented(w, d)
}

func (r *ItemResult) doc() itemDoc {
	d := itemDoc{
		ID: r.ID, Class: string(r.Class), Points: r.Points, Mean: r.Mean, Worst: r.Worst, Tolerance: r.Tolerance.Share,
		Exact: r.Tolerance.Exact, Verdict: r.Verdict, About: r.About, Profiles: r.Profiles, Guessed: r.Guessed,
	}
	if r.Testbed != nil {
		d.Testbed = r.Testbed.Name
	}
	for i := range r.Curves {
		c := &r.Curves[i]
		one := curveDoc{Name: c.Name, Source: c.Source, Unit: c.Unit, Metric: c.how()}
		for k := range c.Points {
			one.Points = append(one.Points, c.Points[k].doc())
		}
		d.Curves = append(d.Curves, one)
	}
	for i := range r.Shapes {
		s := &r.Shapes[i]
		d.Shapes = append(d.Shapes, shapeDoc{s.Curve.Name, s.wanted(), s.Got, s.Verdict})
	}
	return d
}

func (p *PointResult) doc() pointDoc {
	d := pointDoc{X: p.X, At: p.At, Tolerance: p.Tolerance.Share, Exact: p.Tolerance.Exact, Verdict: p.Verdict, Reason: p.reason()}
	if p.Given {
		d.Published = &p.Published
	}
	if p.Failed == "" {
		d.Simulated = &p.Simulated
		if p.Given {
			d.Deviation = &p.Deviation
		}
	}
	return d
}
