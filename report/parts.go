package report

import (
	"bytes"
	"fmt"

	"hcasim/scenario/run"
)

// A lane is one column of the table of parts: an op, and what it is called.
type lane struct {
	name string
	op   *run.Op
}

// The most columns that a screen takes.
const (
	fewLanes  = 8 // of single ops
	wideLanes = 4 // with the name of a request
)

// times shows where the time of work requests went, in nanoseconds, each
// column adding up to its latency. Of many requests it shows, of each kind,
// the one in the middle and the slowest.
func (rec *Record) times(w *bytes.Buffer) error {
	lanes, width := rec.lanes()
	for len(lanes) > 0 {
		n := min(width, len(lanes))
		fmt.Fprintln(w, "where the time went, in ns")
		if err := partTable(lanes[:n]).plain(w); err != nil {
			return err
		}
		lanes = lanes[n:]
	}
	return nil
}

// lanes chooses the columns.
func (rec *Record) lanes() (lanes []lane, width int) {
	for i := range rec.Result.Ops {
		if o := &rec.Result.Ops[i]; o.Done && o.Spent() > 0 {
			lanes = append(lanes, lane{"op " + o.ID, o})
		}
	}
	if len(lanes) <= fewLanes {
		return lanes, fewLanes
	}
	lanes = nil
	for _, k := range rec.kinds() {
		if len(k.ops) == 0 || k.ops[0].Spent() == 0 {
			continue
		}
		for _, at := range []struct {
			share int
			name  string
		}{{500, "p50"}, {1000, "max"}} {
			o := k.at(at.share)
			lanes = append(lanes, lane{fmt.Sprintf("%s %s (op %s)", short(k.request), at.name, o.ID), o})
		}
	}
	return lanes, wideLanes
}

// partTable has a row for each part that took any time.
func partTable(lanes []lane) *grid {
	g := &grid{columns: []column{left("")}}
	total := []string{"total"}
	for _, l := range lanes {
		g.columns = append(g.columns, right(l.name))
		total = append(total, nano(l.op.Spent()))
	}
	for p, name := range run.PartNames() {
		cells, any := []string{name}, false
		for _, l := range lanes {
			d := l.op.Parts[p]
			any = any || d > 0
			if d == 0 {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, nano(d))
		}
		if any {
			g.row(cells...)
		}
	}
	g.row(total...)
	return g
}

// short drops the prefix that all work requests share.
func short(request string) string {
	const prefix = "IBV_WR_"
	if len(request) > len(prefix) && request[:len(prefix)] == prefix {
		return request[len(prefix):]
	}
	return request
}
