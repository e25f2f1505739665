package perf

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"hcasim/report"
	"hcasim/sim"
)

// Formats are the forms of the rows: text is perftest's.
var Formats = []string{"text", "json", "csv", "md"}

// Write writes the rows in one of Formats. Rows that failed are not there.
func (x *Experiment) Write(w io.Writer, format string, rows []Row) error {
	var b bytes.Buffer
	switch {
	case format == "json":
		return x.json(w, rows)
	case format == "csv":
		x.csv(&b, rows)
	case format == "md":
		if err := x.markdown(&b, rows); err != nil {
			return err
		}
	case x.Output != "":
		x.alone(&b, rows)
	default:
		x.perftest(&b, rows)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// perftest writes what perftest writes.
func (x *Experiment) perftest(b *bytes.Buffer, rows []Row) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("%s\n                    %s\n%s%s", report.PerftestRuler, x.title(), x.settings(), report.PerftestRuler)
	line("%s", x.head())
	for i := range rows {
		if rows[i].Failed == "" {
			line("%s", x.line(&rows[i]))
		}
	}
	line("%s", report.PerftestRuler)
}

// title is perftest's name of the test.
func (x *Experiment) title() string {
	more := ""
	if x.Atomic != "" {
		more = x.Atomic + " "
	}
	if x.Both {
		more += "Bidirectional "
	}
	if x.PostList > 1 {
		more += "Post List "
	}
	name, what, _ := strings.Cut(x.Test.title, " ")
	return name + " " + more + what
}

// settings are perftest's lines of them, of those that there are here.
func (x *Experiment) settings() string {
	var b strings.Builder
	line := func(is bool, format string, args ...any) {
		if is {
			fmt.Fprintf(&b, " "+format+"\n", args...)
		}
	}
	link := "IB"
	if x.runs[0].Settings[0].Params.Wire.Protocol != "ib" {
		link = "Ethernet"
	}
	line(true, "Dual-port       : OFF\t\tDevice         : %s", x.runs[0].Profile)
	line(true, "Number of qps   : %d\t\tTransport type : IB", x.QPs)
	line(true, "Connection type : %s\t\tUsing SRQ      : OFF", x.Connection)
	line(true, "TX depth        : %d", x.TxDepth)
	line(x.PostList > 1, "Post List       : %d", x.PostList)
	line(x.received() && x.Both, "RX depth        : %d", x.RxDepth)
	line(!x.Test.latency, "CQ Moderation   : %d", x.CQMod)
	line(true, "Mtu             : %d[B]", x.MTU)
	line(true, "Link type       : %s", link)
	if reads := x.Test.verb == read || x.Test.verb == atomic; reads {
		line(true, "Outstand reads  : %d", x.Outs)
	} else {
		line(true, "Max inline data : %d[B]", x.Inline)
	}
	return b.String()
}

// The form that perftest has for latencies of -D.
const (
	lastedHead = " #bytes        #iterations       t_avg[usec]    tps average"
	lastedRow  = " %-7d       %d            %-7.2f        %-7.2f"
)

func (x *Experiment) head() string {
	switch {
	case !x.Test.latency:
		return report.Band{}.Head(x.Gbits)
	case x.Duration > 0:
		return lastedHead
	}
	return report.Spread{}.Head()
}

func (x *Experiment) line(r *Row) string {
	switch {
	case !x.Test.latency:
		return r.Band.Row(x.Gbits)
	case x.Duration > 0:
		return fmt.Sprintf(lastedRow, r.Size, r.Spread.Iterations, x.lasted(r), r.Rate)
	}
	return r.Spread.Row()
}

// lasted is the mean latency by the clock on the wall, in microseconds.
func (x *Experiment) lasted(r *Row) float64 {
	us := 1e6 / r.Rate
	if x.Test.pingpong() {
		us /= 2
	}
	return us
}

// alone writes one figure a row.
func (x *Experiment) alone(b *bytes.Buffer, rows []Row) {
	unit := float64(1 << 20)
	if x.Gbits {
		unit = 125e6
	}
	for i := range rows {
		v := rows[i].Band.Average / unit
		switch {
		case rows[i].Failed != "":
			continue
		case x.Output == "message_rate":
			v = rows[i].Band.Messages / 1e6
		case x.Output == "latency" && x.Duration > 0:
			v = x.lasted(&rows[i])
		case x.Output == "latency":
			v = float64(rows[i].Spread.Mean) / float64(sim.Microsecond)
		}
		fmt.Fprintf(b, "%f\n", v)
	}
}
