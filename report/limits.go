package report

import (
	"fmt"
	"reflect"
	"strings"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
	"hcasim/tpt"
)

// Limits is a table of what input may grow to. Points bounds a study.
func Limits(points uint64) string {
	var b strings.Builder
	b.WriteString("What would be larger than one of these is refused before anything runs, with its place and\n" +
		"the name of the limit; a run that reaches until, or a file that reaches output, ends there.\n" +
		"Limits are for the mistake of a zero too many: what is below them, they do not change.\n")
	rows := func(title string, list ...lang.Ceiling) {
		fmt.Fprintf(&b, "\n%s\n", title)
		for _, l := range list {
			fmt.Fprintf(&b, "  %-13s %15s  %s\n", l.Name, l.Default, l.Of)
		}
	}
	rows("Of a scenario: run: {limits: {ops: 1G}} raises one, or --set run.limits.ops=1G", lang.Ceilings()...)
	rows("Of simulated time: run: {until: 100s} raises it, or --until 100s",
		lang.Ceiling{Name: "until", Default: run.MaxTime.String(), Of: "the run stops there, with status 3 if work is in flight"})
	rows("Of the tables of an adapter: hca: {limit: {mr: 4194304}}, or --set hca.limit.mr=4194304", tables()...)
	rows("Of a study: limits: {points: 10M} raises it",
		lang.Ceiling{Name: "points", Default: lang.HowMany(points), Of: "rows times seeds; design: {lhs: 1000} draws some of a grid"})
	rows("That nothing raises", lang.Fixed()...)
	b.WriteString("\nThe memory of a host is host.memory.size. Ranges are shown of parameters by hcasim params,\n" +
		"of counts and depths by hcasim help language WORD. hcasim import pcap has --max-frames,\n" +
		"--max-payload and --max-data.")
	return b.String()
}

// tables are the sizes of the tables that an adapter has by default.
func tables() (list []lang.Ceiling) {
	l := reflect.ValueOf(tpt.DefaultLimits())
	for i := range l.NumField() {
		f := l.Type().Field(i)
		what, _, _ := strings.Cut(f.Tag.Get("doc"), ";")
		what, _, _ = strings.Cut(what, ",")
		list = append(list, lang.Ceiling{Name: f.Tag.Get("yaml"), Default: lang.HowMany(l.Field(i).Uint()), Of: strings.ToLower(what[:1]) + what[1:]})
	}
	return list
}
