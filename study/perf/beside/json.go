package beside

import (
	"encoding/json"
	"io"
)

// writeJSON writes everything that was read and compared.
func writeJSON(w io.Writer, list []*Comparison) error {
	type unread struct {
		Line int    `json:"line"`
		Text string `json:"text"`
	}
	type figure struct {
		Name       string          `json:"name"`
		Unit       string          `json:"unit"`
		Log        json.RawMessage `json:"log"`
		Ours       json.RawMessage `json:"hcasim"`
		Difference json.RawMessage `json:"difference_percent"`
		Beyond     bool            `json:"beyond"`
	}
	type row struct {
		Bytes      uint64   `json:"bytes"`
		Line       int      `json:"line"`
		Iterations uint64   `json:"iterations"`
		Figures    []figure `json:"figures"`
		Failed     string   `json:"failed,omitempty"`
	}
	type one struct {
		File    string   `json:"file"`
		Line    int      `json:"line"`
		Test    string   `json:"test"`
		Profile string   `json:"profile"`
		Taken   []string `json:"taken"`
		Assumed []string `json:"assumed"`
		Left    []string `json:"not_modelled"`
		Unread  []unread `json:"not_read"`
		Rows    []row    `json:"rows"`
		Within  bool     `json:"within"`
	}
	type document struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Logs    []one  `json:"logs"`
	}
	number := func(v float64, digits int) json.RawMessage { return json.RawMessage(fixed(v, digits)) }
	d := document{"hcasim.import-perftest", 1, []one{}}
	for _, c := range list {
		x := c.experiments[0]
		o := one{c.log.File, c.log.Line, x.Test.Name, x.Profile, c.taken, c.assumed, append([]string{}, c.left...), []unread{}, []row{}, c.Within()}
		for _, u := range c.log.Unread {
			o.Unread = append(o.Unread, unread{u.Line, u.Text})
		}
		for i := range c.Rows {
			r := &c.Rows[i]
			out := row{r.Bytes, r.Line, r.Iterations, []figure{}, r.Failed}
			for k := range r.Figures {
				f := &r.Figures[k]
				fig := figure{f.Name, f.Unit, json.RawMessage("null"), number(f.Ours, f.Digits+1), json.RawMessage("null"), c.beyond(f)}
				if f.Known {
					fig.Log, fig.Difference = number(f.Log, f.Digits), number(f.difference(), 3)
				}
				out.Figures = append(out.Figures, fig)
			}
			o.Rows = append(o.Rows, out)
		}
		d.Logs = append(d.Logs, o)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}
