package beside

import (
	"encoding/json"
	"io"

	"hcasim/report"
)

// The members of the document.
type (
	unreadDoc struct {
		Line int    `json:"line"`
		Text string `json:"text"`
	}
	figureDoc struct {
		Name       string          `json:"name"`
		Unit       string          `json:"unit"`
		Log        json.RawMessage `json:"log"`
		Ours       json.RawMessage `json:"hcasim"`
		Difference json.RawMessage `json:"difference_percent"`
		Beyond     bool            `json:"beyond"`
	}
	rowDoc struct {
		Bytes      uint64      `json:"bytes"`
		Line       int         `json:"line"`
		Iterations uint64      `json:"iterations"`
		Figures    []figureDoc `json:"figures"`
		Failed     string      `json:"failed,omitempty"`
	}
	logDoc struct {
		File    string      `json:"file"`
		Line    int         `json:"line"`
		Test    string      `json:"test"`
		Profile string      `json:"profile"`
		Taken   []string    `json:"taken"`
		Assumed []string    `json:"assumed"`
		Left    []string    `json:"not_modelled"`
		Unread  []unreadDoc `json:"not_read"`
		Rows    []rowDoc    `json:"rows"`
		Within  bool        `json:"within"`
	}
	document struct {
		Format  string   `json:"format"`
		Version int      `json:"version"`
		Logs    []logDoc `json:"logs"`
	}
)

// writeJSON writes everything that was read and compared.
func writeJSON(w io.Writer, list []*Comparison) error {
	d := document{"hcasim.import-perftest", 1, []logDoc{}}
	for _, c := range list {
		d.Logs = append(d.Logs, c.document())
	}
	return report.Indented(w, d)
}

// document is one log of it.
func (c *Comparison) document() logDoc {
	x := c.experiments[0]
	o := logDoc{c.log.File, c.log.Line, x.Test.Name, x.Profile, c.taken, c.assumed, append([]string{}, c.left...), []unreadDoc{}, []rowDoc{}, c.Within()}
	for _, u := range c.log.Unread {
		o.Unread = append(o.Unread, unreadDoc{u.Line, u.Text})
	}
	number := func(v float64, digits int) json.RawMessage { return json.RawMessage(fixed(v, digits)) }
	for i := range c.Rows {
		r := &c.Rows[i]
		out := rowDoc{r.Bytes, r.Line, r.Iterations, []figureDoc{}, r.Failed}
		for k := range r.Figures {
			f := &r.Figures[k]
			fig := figureDoc{f.Name, f.Unit, json.RawMessage("null"), number(f.Ours, f.Digits+1), json.RawMessage("null"), c.beyond(f)}
			if f.Known {
				fig.Log, fig.Difference = number(f.Log, f.Digits), number(f.difference(), 3)
			}
			out.Figures = append(out.Figures, fig)
		}
		o.Rows = append(o.Rows, out)
	}
	return o
}
