package report

import (
	"fmt"

	"hcasim/report/page"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// table is the grid for a page, without the columns that are empty.
func (g *grid) table(title string, folded bool) page.Table {
	t := page.Table{Title: title, Folded: folded}
	var shown []int
	for i, c := range g.columns {
		if !g.full(i) {
			continue
		}
		shown = append(shown, i)
		t.Head = append(t.Head, c.name)
		t.Align += map[bool]string{true: "r", false: "l"}[c.right]
	}
	for _, r := range g.rows {
		cells := make([]string, len(shown))
		for k, i := range shown {
			cells[k] = r[i]
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// requestSection shows the ops, one by one or by request, and the refusals.
func (rec *Record) requestSection() page.Section {
	s := page.Section{ID: "requests", Title: "Requests"}
	switch n := len(rec.Result.Ops); {
	case n == 0:
	case n > mostOps:
		s.Lead = fmt.Sprintf("%s, by request; the result folder has them one by one.", count(n, "op"))
		if rec.Result.Omitted > 0 {
			s.Lead = fmt.Sprintf("The first %s of %s ops, by request; the rest is not kept.", thousands(uint64(n)), thousands(uint64(n)+rec.Result.Omitted))
		}
		s.Tables = append(s.Tables, rec.summaryTable().table("", false))
	default:
		s.Tables = append(s.Tables, rec.opTable().table("", false))
	}
	for i := range rec.Result.Faults {
		if i == mostFaults {
			s.Notes = append(s.Notes, fmt.Sprintf("… and %d more refusals.", len(rec.Result.Faults)-i))
			break
		}
		s.Notes = append(s.Notes, refusal(&rec.Result.Faults[i]))
	}
	return s
}

// timeSection draws where the time of requests went. The parts of each row add
// up to its latency (R2).
func (rec *Record) timeSection() page.Section {
	return page.Section{ID: "time", Title: "Where the time went", Plots: rec.timePlots()}
}

// A bar is a row of the picture of parts.
type bar struct {
	name  string
	parts [len(run.Op{}.Parts)]sim.Duration
}

// timePlots are the parts of each work request and of each verb call; of many,
// the mean of their kind and the slowest.
func (rec *Record) timePlots() (list []page.Plot) {
	var requests, verbs []bar
	for _, k := range rec.kinds() {
		for _, b := range k.timeBars(len(rec.Result.Ops) <= mostLanes) {
			if k.verb() {
				verbs = append(verbs, b)
			} else {
				requests = append(requests, b)
			}
		}
	}
	if len(requests) > 0 {
		list = append(list, partPlot("parts", "Work requests", requests))
	}
	if len(verbs) > 0 {
		list = append(list, partPlot("verb-parts", "Verb calls", verbs))
	}
	return list
}

// verb reports whether the ops are calls, and no work requests.
func (k *kind) verb() bool { return k.all[0].Verb }

// timeBars are the rows of one kind.
func (k *kind) timeBars(each bool) (list []bar) {
	var timed []*run.Op
	for _, o := range k.all {
		if o.Done && o.Spent() > 0 {
			timed = append(timed, o)
		}
	}
	if each {
		for _, o := range timed {
			list = append(list, bar{"op " + o.ID + " " + short(o.Request), o.Parts})
		}
		return list
	}
	if len(timed) == 0 {
		return nil
	}
	mean, slowest := bar{name: fmt.Sprintf("%s, mean of %s", short(k.request), thousands(uint64(len(timed))))}, timed[0]
	for p := range mean.parts {
		var sum sim.Duration
		for _, o := range timed {
			sum += o.Parts[p]
		}
		mean.parts[p] = sum / sim.Duration(len(timed))
	}
	for _, o := range timed {
		if o.Spent() > slowest.Spent() {
			slowest = o
		}
	}
	if len(timed) == 1 {
		return []bar{{short(k.request) + ", op " + slowest.ID, slowest.Parts}}
	}
	return []bar{mean, {fmt.Sprintf("%s, slowest: op %s", short(k.request), slowest.ID), slowest.Parts}}
}

// partPlot lays the parts of each row one behind the other.
func partPlot(id, title string, bars []bar) page.Plot {
	p := page.Plot{ID: id, Title: title, Sideways: true, X: page.Axis{Label: "request"}, Y: page.Axis{Label: "time", Unit: "ns"}}
	by := float64(sim.Nanosecond)
	for _, b := range bars {
		p.X.Ticks = append(p.X.Ticks, b.name)
		var sum sim.Duration
		for _, d := range b.parts {
			sum += d
		}
		if sum >= 10*sim.Microsecond {
			p.Y.Unit, by = "us", float64(sim.Microsecond)
		}
	}
	for part, name := range run.PartNames() {
		s := page.Series{Name: name, Kind: page.Stack}
		for row, b := range bars {
			if b.parts[part] > 0 {
				s.X, s.Y = append(s.X, float64(row)), append(s.Y, float64(b.parts[part])/by)
			}
		}
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// keySection shows the lives of keys that a reader should know of.
func (rec *Record) keySection() page.Section {
	s := page.Section{ID: "keys", Title: "Keys", Lead: "Times in us."}
	g, more := rec.keyTable()
	if len(g.rows) > 0 {
		s.Tables = append(s.Tables, g.table("", false))
	}
	if more > 0 {
		s.Notes = append(s.Notes, "… and "+count(more, "more key")+"; keys.csv has all.")
	}
	if n := rec.Result.KeysOmitted; n > 0 {
		s.Notes = append(s.Notes, count(int(n), "key")+" beyond those are not kept.")
	}
	return s
}
