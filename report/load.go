package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// traffic shows the measured part of each load: a row for each kind of request,
// and what it met.
func (rec *Record) traffic(w *bytes.Buffer) error {
	if len(rec.Result.Traffic) == 0 {
		return nil
	}
	if err := rec.trafficTable().plain(w); err != nil {
		return err
	}
	for _, line := range rec.remarks() {
		fmt.Fprintln(w, line)
	}
	return nil
}

// trafficTable has one row a kind of request.
func (rec *Record) trafficTable() *grid {
	g := &grid{columns: []column{right("step"), left("traffic"), right("count"), right("failed"), right("time"), right("rate"), right("bandwidth"),
		right("p50"), right("p99"), right("p99.9"), right("p99.99")}}
	for i := range rec.Result.Traffic {
		t := &rec.Result.Traffic[i]
		h := &t.Latency
		g.row(fmt.Sprint(t.Step), t.Opcode, thousands(t.Count), unlessZero(int(t.Failed)), micro(t.Elapsed), rate(t.Count, t.Elapsed, "op/s"), rate(8*t.Bytes, t.Elapsed, "b/s"),
			micro(h.AtBasis(5000)), micro(h.AtBasis(9900)), micro(h.AtBasis(9990)), micro(h.AtBasis(9999)))
	}
	return g
}

// How many of each a reader sees; the result folder has all.
const (
	topLanes  = 4
	topStalls = 4
)

// remarks are what a load met, a line each: what was offered, what caches held,
// what was busiest, and what was waited for most.
func (rec *Record) remarks() (lines []string) {
	for i := range rec.Result.Traffic {
		if line := offered(&rec.Result.Traffic[i]); line != "" {
			lines = append(lines, line)
		}
	}
	m := newMeasured(rec.Result.Measured)
	if m.time == 0 {
		return lines
	}
	for _, x := range []struct {
		what  string
		words []string
	}{{"found on chip", m.found()}, {"busiest", m.busiest()}, {"waited for", m.waits()}} {
		if len(x.words) > 0 {
			lines = append(lines, fmt.Sprintf("%-14s %s", x.what, strings.Join(x.words, ", ")))
		}
	}
	return lines
}

// offered says of an offered load what came of it.
func offered(t *run.Traffic) string {
	if t.Offered == 0 {
		return ""
	}
	line := fmt.Sprintf("%-14s %s of %s, done %s", "offered", rate(t.Offered, t.Arrivals, "op/s"), t.Opcode, rate(t.Count, t.Elapsed, "op/s"))
	if t.Queued > 0 {
		line += fmt.Sprintf("; %s of %s waited for a place in the queue, at most %s at once", thousands(t.Queued), thousands(t.Offered), thousands(t.Backlog))
	}
	return line
}

// A measured is what of the figures of a measured part a reader should see.
type measured struct {
	time   uint64   // ps
	caches []string // that lacked something
	whole  int      // that did not
	lanes  []measure
	stalls []measure // time in ps
	counts map[string]uint64
}

// A measure is a figure by what it tells of: "client pcie.up".
type measure struct {
	of    string
	value uint64
}

func newMeasured(list []run.Stat) *measured {
	m := &measured{counts: map[string]uint64{}}
	for i := range list {
		s := &list[i]
		name, value := s.Name, digits(s.Value)
		if name == "time" {
			m.time = value
		}
		host, name, _ := strings.Cut(name, ".")
		if of, ok := strings.CutSuffix(name, ".hit_rate"); ok && value < 1_000_000 {
			m.caches = append(m.caches, fmt.Sprintf("%s %s %s", host, of, percent(value)))
		} else if ok {
			m.whole++
		}
		if of, ok := strings.CutSuffix(name, ".utilisation"); ok && value > 0 {
			m.lanes = append(m.lanes, measure{host + " " + of, value})
		}
		if of, ok := strings.CutPrefix(name, "stall."); ok {
			if what, ok := strings.CutSuffix(of, ".time"); ok && value > 0 {
				m.stalls = append(m.stalls, measure{host + " " + what, value})
			} else if what, ok := strings.CutSuffix(of, ".count"); ok {
				m.counts[host+" "+what] = value
			}
		}
	}
	for _, list := range [][]measure{m.lanes, m.stalls} {
		slices.SortStableFunc(list, func(a, b measure) int { return cmp.Compare(b.value, a.value) })
	}
	return m
}

// digits reads a value of a figure: a whole number, or a share in millionths.
func digits(s string) uint64 {
	v, err := strconv.ParseUint(strings.Replace(s, ".", "", 1), 10, 64)
	if err != nil {
		panic("report: a figure is " + s)
	}
	return v
}

// percent writes millionths.
func percent(v uint64) string { return fmt.Sprintf("%d.%d %%", v/10_000, v/1000%10) }

// found says what caches held.
func (m *measured) found() []string {
	if len(m.caches) == 0 && m.whole > 0 {
		return []string{"all that was looked up"}
	}
	return m.caches
}

// busiest are the links and pipes that were taken most.
func (m *measured) busiest() (words []string) {
	for _, x := range m.lanes[:min(topLanes, len(m.lanes))] {
		words = append(words, x.of+" "+percent(x.value))
	}
	return words
}

// waits are what was waited for most: how often, and how many did in the mean.
func (m *measured) waits() (words []string) {
	for _, x := range m.stalls[:min(topStalls, len(m.stalls))] {
		n := m.counts[x.of]
		words = append(words, fmt.Sprintf("%s %s × %s", x.of, thousands(n), micro(sim.Duration(x.value/max(1, n)))))
	}
	return words
}
