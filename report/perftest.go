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

const (
	latencyHead = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"
	latencyRow  = " %-7d %-14d %-14s %-12s %-18s %-14s %-15s %-22s %s"
	bandHead    = " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]"
	bandRow     = " %-10d %-14d %-18s %-20s %s"
)

// ruler is the line that perftest draws between its parts.
var ruler = strings.Repeat("-", 79)

// Perftest writes the latencies of a run in the columns and units of perftest,
// and the bandwidth of its traffic: MB is 2^20 bytes, Mpps a million requests
// a second. A latency is that of one request, from post to polled completion;
// perftest's own WRITE and SEND latencies are half a ping-pong.
func Perftest(w io.Writer, rec *Record) error {
	var b bytes.Buffer
	for i := range rec.Result.Traffic {
		t := &rec.Result.Traffic[i]
		fmt.Fprintf(&b, "%s\n                    %s, traffic of step %d\n%s\n%s\n", ruler, t.Opcode, t.Step, ruler, latencyHead)
		fmt.Fprintln(&b, trafficSpread(t))
		fmt.Fprintf(&b, "%s\n%s\n%s\n", ruler, bandHead, trafficBand(t))
	}
	for _, k := range rec.kinds() {
		sizes := timed(k)
		if len(sizes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n                    %s\n%s\n%s\n", ruler, k.request, ruler, latencyHead)
		for _, s := range sizes {
			fmt.Fprintln(&b, s.spread())
		}
	}
	if b.Len() == 0 {
		return fmt.Errorf("%s has no work request that succeeded, so there is nothing to show as perftest does", rec.Run.Name)
	}
	fmt.Fprintln(&b, ruler)
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
	return fmt.Sprintf(latencyRow, k.bytes, len(k.ops),
		usec(k.at(0).Latency()), usec(k.at(1000).Latency()), usec(k.at(500).Latency()), usec(mean), usec(dev),
		usec(k.at(990).Latency()), usec(k.at(999).Latency()))
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
	return fmt.Sprintf(latencyRow, t.Bytes/max(1, t.Count), t.Count,
		usec(h.Min()), usec(h.Max()), usec(h.Quantile(500)), usec(h.Mean()), usec(h.StdDev()), usec(h.Quantile(990)), usec(h.Quantile(999)))
}

// trafficBand is one row of bandwidth. The peak is not measured; perftest then
// writes 0.00.
func trafficBand(t *run.Traffic) string {
	seconds := float64(t.Elapsed) / float64(sim.Second)
	if seconds == 0 {
		seconds = math.Inf(1)
	}
	return fmt.Sprintf(bandRow, t.Bytes/max(1, t.Count), t.Count, "0.00",
		fmt.Sprintf("%.2f", float64(t.Bytes)/seconds/(1<<20)), fmt.Sprintf("%.6f", float64(t.Count)/seconds/1e6))
}

// usec writes microseconds with two digits, rounded half up.
func usec(d sim.Duration) string {
	n := (uint64(d) + 5000) / 10_000
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}
