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

// How many columns there are, and how many a screen takes.
const (
	mostLanes = 16 // single ops; above that kinds of requests
	opLanes   = 8  // a screen of single ops
	kindLanes = 4  // a screen of kinds, which have longer names
)

// times shows where the time of work requests went, in nanoseconds, each
// column adding up to its latency. Of many requests it shows, of each kind,
// the one in the middle and the slowest.
func (rec *Record) times(w *bytes.Buffer) error {
	lanes, width := rec.lanes()
	for first := true; len(lanes) > 0; first = false {
		n := min(width, len(lanes))
		if !first {
			w.WriteByte('\n')
		}
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
	if len(lanes) <= mostLanes {
		return lanes, opLanes
	}
	lanes = nil
	for _, k := range rec.kinds() {
		if len(k.ops) == 0 || k.ops[0].Spent() == 0 {
			continue
		}
		middle, slowest := k.at(500), k.at(1000)
		if middle == slowest {
			lanes = append(lanes, lane{fmt.Sprintf("%s (op %s)", short(k.request), middle.ID), middle})
			continue
		}
		lanes = append(lanes, lane{fmt.Sprintf("%s p50 (op %s)", short(k.request), middle.ID), middle},
			lane{fmt.Sprintf("%s max (op %s)", short(k.request), slowest.ID), slowest})
	}
	return lanes, kindLanes
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
