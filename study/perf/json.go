package perf

import (
	"encoding/json"
	"fmt"
	"io"

	"hcasim/report"
)

// json writes everything, the settings that perftest's defaults came to among
// them.
func (x *Experiment) json(w io.Writer, rows []Row) error {
	type member struct {
		Format  string                       `json:"format"`
		Version int                          `json:"version"`
		Test    string                       `json:"test"`
		Profile string                       `json:"profile"`
		Options map[string]any               `json:"options"`
		Notes   []string                     `json:"notes"`
		Rows    []map[string]json.RawMessage `json:"rows"`
	}
	d := member{"hcasim.perf", 1, x.Test.Name, x.runs[0].Profile, x.settled(), append([]string{}, x.Notes...), []map[string]json.RawMessage{}}
	list := x.fields()
	for k := range rows {
		one := map[string]json.RawMessage{}
		if rows[k].Failed != "" {
			why, err := json.Marshal(rows[k].Failed)
			if err != nil {
				return err
			}
			one["failed"], one["bytes"] = why, json.RawMessage(fmt.Sprint(rows[k].Size))
		} else {
			for i := range list {
				one[list[i].name] = json.RawMessage(list[i].text(&rows[k]))
			}
		}
		d.Rows = append(d.Rows, one)
	}
	return report.Indented(w, d)
}

// settled are the options as perftest names them.
func (x *Experiment) settled() map[string]any {
	m := map[string]any{
		"connection": x.Connection, "qp": x.QPs, "tx-depth": x.TxDepth, "mtu": x.MTU, "inline_size": x.Inline, "post_list": x.PostList,
		"bidirectional": x.Both, "mr_per_qp": x.MRPerQP,
	}
	if x.Duration > 0 {
		m["duration"], m["margin"] = x.Duration.String(), x.Margin.String()
	} else {
		m["iters"] = x.Iterations
	}
	if !x.Test.latency {
		m["cq-mod"] = x.CQMod
	}
	if x.received() {
		m["rx-depth"] = x.RxDepth
	}
	if x.Test.verb == read || x.Test.verb == atomic {
		m["outs"] = x.Outs
	}
	if x.Atomic != "" {
		m["atomic_type"] = x.Atomic
	}
	return m
}
