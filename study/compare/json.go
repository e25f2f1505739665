package compare

import (
	"io"

	"hcasim/report"
)

type differenceDoc struct {
	Format        string      `json:"format"`
	Version       int         `json:"version"`
	Base          string      `json:"base"`
	New           string      `json:"new"`
	Sweep         bool        `json:"sweep"`
	OK            bool        `json:"ok"`
	Words         []changeDoc `json:"differences"`
	Configuration []changeDoc `json:"configuration"`
	Known         bool        `json:"configuration_known"`
	Metrics       []lineDoc   `json:"metrics"`
	Gone          []string    `json:"rows_missing"`
	Came          []string    `json:"rows_new"`
	Broken        []string    `json:"broken"`
	Counts        countsDoc   `json:"counts"`
	Results       *resultsDoc `json:"results,omitempty"`
}

// A resultsDoc counts those of folders.
type resultsDoc struct {
	Compared int `json:"compared"`
	Same     int `json:"same"`
}

type changeDoc struct {
	Path string `json:"path"`
	Base string `json:"base"`
	New  string `json:"new"`
}

type lineDoc struct {
	Row       string   `json:"row,omitempty"`
	Metric    string   `json:"metric"`
	Unit      string   `json:"unit,omitempty"`
	Base      *float64 `json:"base"`
	New       *float64 `json:"new"`
	Change    *float64 `json:"change"` // a share of the base
	Seeds     int      `json:"seeds,omitempty"`
	P         *float64 `json:"p,omitempty"`
	Direction string   `json:"direction,omitempty"`
	Verdict   string   `json:"verdict"`
}

type countsDoc struct {
	Worse   int `json:"worse"`
	Better  int `json:"better"`
	Changed int `json:"changed"`
	Within  int `json:"within"`
	OneSide int `json:"one_side"`
	Equal   int `json:"equal"`
}

// json writes everything; with all also the metrics that are equal.
func (d *Difference) json(w io.Writer, all bool) error {
	doc := differenceDoc{
		Format: "hcasim.compare", Version: 1, Base: d.Base, New: d.New, Sweep: d.Sweep, OK: !d.Regressed(),
		Words: changes(d.Words), Configuration: changes(d.Configuration), Known: d.NoConfig == "" && !d.Sweep, Metrics: []lineDoc{},
		Gone: append([]string{}, d.Gone...), Came: append([]string{}, d.Came...), Broken: append([]string{}, d.Broken...),
		Counts: countsDoc{d.count(Worse), d.count(Better), d.count(Changed), d.count(Within), d.count(Gone) + d.count(New), d.count(Equal)},
	}
	if d.Folders {
		doc.Results = &resultsDoc{d.Results, d.Same}
	}
	for _, l := range d.shown(all) {
		doc.Metrics = append(doc.Metrics, l.doc())
	}
	return report.Indented(w, doc)
}

func changes(list []Change) []changeDoc {
	docs := []changeDoc{}
	for _, c := range list {
		docs = append(docs, changeDoc(c))
	}
	return docs
}

func (l *Line) doc() lineDoc {
	d := lineDoc{Row: l.Row, Metric: l.Metric, Unit: l.Unit, Seeds: l.Seeds, Direction: l.Direction.String(), Verdict: string(l.Verdict)}
	if l.Verdict != New {
		d.Base = &l.Base
	}
	if l.Verdict != Gone {
		d.New = &l.New
	}
	if share, found := l.share(); found && d.Base != nil && d.New != nil {
		d.Change = &share
	}
	if l.Seeds > 1 {
		d.P = &l.P
	}
	return d
}
