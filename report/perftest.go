package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// The heads and rows of perftest 6, blanks, tabs and all.
const (
	latencyHead = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"
	latencyRow  = " %-7d %d          %-7s        %-7s      %-7s  \t       %-7s     \t%-7s\t\t%-7s \t\t%-7s"
	bandHead    = " #bytes     #iterations    BW peak[%[1]s]    BW average[%[1]s]   MsgRate[Mpps]"
	bandRow     = " %-7d    %-10d       %-7s            %-7s\t\t   %-7s"
)

// PerftestRuler is the line that perftest draws between its parts.
var PerftestRuler = strings.Repeat("-", 87)

// writePerftest writes the latencies of a run in the columns and units of perftest,
// and the bandwidth of its traffic: MB is 2^20 bytes, Mpps a million requests
// a second. A latency is that of one request, from post to polled completion;
// perftest's own WRITE and SEND latencies are half a ping-pong.
func writePerftest(w io.Writer, rec *Record) error {
	var b bytes.Buffer
	for i := range rec.Result.Traffic {
		t := &rec.Result.Traffic[i]
		fmt.Fprintf(&b, "%s\n                    %s, traffic of step %d\n%s\n%s\n", PerftestRuler, t.Opcode, t.Step, PerftestRuler, latencyHead)
		fmt.Fprintln(&b, trafficSpread(t))
		fmt.Fprintf(&b, "%s\n%s\n%s\n", PerftestRuler, BandOf(t).Head(false), BandOf(t).Row(false))
	}
	for _, k := range rec.kinds() {
		sizes := timed(k)
		if len(sizes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n                    %s\n%s\n%s\n", PerftestRuler, k.request, PerftestRuler, latencyHead)
		for _, s := range sizes {
			fmt.Fprintln(&b, s.spread())
		}
	}
	if b.Len() == 0 {
		return fmt.Errorf("%s has no work request that succeeded, so there is nothing to show as perftest does", rec.Run.Name)
	}
	fmt.Fprintln(&b, PerftestRuler)
	_, err := w.Write(b.Bytes())
	return err
}

// timed are the sizes of a work request of which any succeeded.
func timed(k *kind) (list []*kind) {
	for _, s := range k.bySize() {
		if len(s.ops) > 0 && !s.ops[0].Verb && !s.ops[0].Recv {
			list = append(list, s)
		}
	}
	return list
}

// spread is one row of latencies; the ops stand fastest first.
func (k *kind) spread() string {
	mean, dev := moments(k.ops)
	x := Spread{
		Bytes: k.bytes, Iterations: uint64(len(k.ops)),
		Min: k.at(0).Latency(), Max: k.at(1000).Latency(), Typical: k.at(500).Latency(), Mean: mean, StdDev: dev,
		P99: k.at(990).Latency(), P999: k.at(999).Latency(),
	}
	return x.Row()
}

// moments returns mean and standard deviation.
func moments(ops []*run.Op) (mean, dev sim.Duration) {
	var sum float64
	for _, o := range ops {
		sum += float64(o.Latency())
	}
	m := sum / float64(len(ops))
	var square float64
	for _, o := range ops {
		d := float64(o.Latency()) - m
		square += d * d
	}
	return sim.Duration(m), sim.Duration(math.Sqrt(square / float64(len(ops))))
}

func trafficSpread(t *run.Traffic) string {
	h := &t.Latency
	x := Spread{
		Bytes: t.Bytes / max(1, t.Count), Iterations: t.Count,
		Min: h.Min(), Max: h.Max(), Typical: h.Quantile(500), Mean: h.Mean(), StdDev: h.StdDev(),
		P99: h.Quantile(990), P999: h.Quantile(999),
	}
	return x.Row()
}

// usec writes microseconds with two digits, rounded half up.
func usec(d sim.Duration) string {
	n := (uint64(d) + 5000) / 10_000
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}
