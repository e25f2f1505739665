package perf

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"hcasim/report"
	"hcasim/sim"
)

// A field is a column of CSV and Markdown and a member of JSON.
type field struct {
	name   string // with its unit
	digits int
	of     func(r *Row) float64
}

func (x *Experiment) fields() []field {
	us := func(name string, of func(*report.Spread) sim.Duration) field {
		return field{name + "_us", 3, func(r *Row) float64 { return float64(of(&r.Spread)) / float64(sim.Microsecond) }}
	}
	list := []field{{"bytes", 0, func(r *Row) float64 { return float64(r.Size) }}}
	switch {
	case !x.Test.latency:
		unit, name := float64(1<<20), "_mib_per_s"
		if x.Gbits {
			unit, name = 125e6, "_gbit_per_s"
		}
		return append(list,
			field{"iterations", 0, func(r *Row) float64 { return float64(r.Band.Iterations) }},
			field{"bw_peak" + name, 2, func(r *Row) float64 { return r.Band.Peak / unit }},
			field{"bw_average" + name, 2, func(r *Row) float64 { return r.Band.Average / unit }},
			field{"msg_rate_mpps", 6, func(r *Row) float64 { return r.Band.Messages / 1e6 }})
	case x.Duration > 0:
		return append(list,
			field{"iterations", 0, func(r *Row) float64 { return float64(r.Spread.Iterations) }},
			field{"t_avg_us", 3, x.lasted},
			field{"rounds_per_s", 2, func(r *Row) float64 { return r.Rate }})
	}
	return append(list,
		field{"iterations", 0, func(r *Row) float64 { return float64(r.Spread.Iterations) }},
		us("t_min", func(s *report.Spread) sim.Duration { return s.Min }),
		us("t_max", func(s *report.Spread) sim.Duration { return s.Max }),
		us("t_typical", func(s *report.Spread) sim.Duration { return s.Typical }),
		us("t_avg", func(s *report.Spread) sim.Duration { return s.Mean }),
		us("t_stdev", func(s *report.Spread) sim.Duration { return s.StdDev }),
		us("p99", func(s *report.Spread) sim.Duration { return s.P99 }),
		us("p999", func(s *report.Spread) sim.Duration { return s.P999 }))
}

func (f *field) text(r *Row) string { return strconv.FormatFloat(f.of(r), 'f', f.digits, 64) }

func (x *Experiment) csv(b *bytes.Buffer, rows []Row) {
	list := x.fields()
	cells := make([]string, len(list))
	for i := range list {
		cells[i] = list[i].name
	}
	fmt.Fprintln(b, strings.Join(cells, ","))
	for k := range rows {
		if rows[k].Failed != "" {
			continue
		}
		for i := range list {
			cells[i] = list[i].text(&rows[k])
		}
		fmt.Fprintln(b, strings.Join(cells, ","))
	}
}

func (x *Experiment) markdown(b *bytes.Buffer, rows []Row) error {
	fmt.Fprintf(b, "### %s · %s\n\n", x.title(), x.runs[0].Profile)
	list := x.fields()
	var heads []string
	for i := range list {
		heads = append(heads, ">"+list[i].name)
	}
	t := report.NewTable(heads...)
	for k := range rows {
		if rows[k].Failed != "" {
			continue
		}
		var cells []string
		for i := range list {
			cells = append(cells, list[i].text(&rows[k]))
		}
		t.Row(cells...)
	}
	return t.Write(b, true)
}
