package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"hcasim/scenario/run"
)

// opColumns are the columns of ops.csv before the parts; doc.go explains them.
var opColumns = []string{"op", "step", "line", "host", "qp", "request", "object", "bytes", "status",
	"start_ps", "end_ps", "latency_ps", "unsignaled", "expected", "fault_host", "fault_cause", "fault_rule"}

// opsCSV writes one row an op.
func (rec *Record) opsCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := append([]string(nil), opColumns...)
	for _, p := range run.PartNames() {
		head = append(head, strings.ReplaceAll(p, "-", "_")+"_ps")
	}
	head = append(head, "row")
	if err := c.Write(head); err != nil {
		return err
	}
	row := make([]string, 0, len(head))
	for i := range rec.Result.Ops {
		row = append(opRow(row[:0], &rec.Result.Ops[i]), strconv.Itoa(i+1))
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// WriteOps writes one row an op into a file of its own, zipped.
func (rec *Record) WriteOps(name string) error {
	return File(name).Write(func(w io.Writer) error { return Zipped(w, true, rec.opsCSV) })
}

func opRow(row []string, o *run.Op) []string {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	end, took := "", ""
	if o.Done {
		end, took = number(uint64(o.End)), number(uint64(o.Latency()))
	}
	row = append(row, o.ID, strconv.Itoa(o.Step), strconv.Itoa(o.Line), o.Host, o.QP, o.Request, o.Object,
		number(o.Bytes), o.Outcome(), number(uint64(o.Start)), end, took, flag(o.Unsignaled), flag(o.Expected))
	if len(o.Faults) > 0 {
		f := &o.Faults[0]
		row = append(row, f.Host, f.Cause.String(), f.Rule)
	} else {
		row = append(row, "", "", "")
	}
	told := o.Spent() > 0
	for _, d := range o.Parts {
		if told {
			row = append(row, number(uint64(d)))
		} else {
			row = append(row, "")
		}
	}
	return row
}

func flag(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

// statsCSV writes the figures of the run, of its kinds of requests and of the
// measured part.
func (rec *Record) statsCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"name", "value", "unit", "description"}}
	for _, list := range []struct {
		prefix string
		stats  []run.Stat
	}{{"", rec.Result.Stats}, {"", rec.Result.KindStats()}, {"measured.", rec.Result.Measured}} {
		for _, s := range list.stats {
			rows = append(rows, []string{list.prefix + s.Name, s.Value, s.Unit, s.Doc})
		}
	}
	return c.WriteAll(rows)
}
