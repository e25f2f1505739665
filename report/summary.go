package report

import (
	"fmt"
	"io"
	"slices"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// A kind is the ops of one request.
type kind struct {
	request string
	ops     []*run.Op // that were done and did not fail, fastest first
	failed  int
	pending int
}

// kinds groups the ops by request, in the order in which they first appear.
func (rec *Record) kinds() (list []*kind) {
	place := map[string]*kind{}
	for i := range rec.Result.Ops {
		o := &rec.Result.Ops[i]
		k := place[o.Request]
		if k == nil {
			k = &kind{request: o.Request}
			place[o.Request] = k
			list = append(list, k)
		}
		switch {
		case !o.Done:
			k.pending++
		case o.Failed():
			k.failed++
		default:
			k.ops = append(k.ops, o)
		}
	}
	for _, k := range list {
		slices.SortStableFunc(k.ops, func(a, b *run.Op) int {
			if a.Latency() != b.Latency() {
				if a.Latency() < b.Latency() {
					return -1
				}
				return 1
			}
			return 0
		})
	}
	return list
}

// at returns the op of which a share of all, in parts per thousand, is not
// slower: the nearest rank.
func (k *kind) at(perMille int) *run.Op {
	i := (len(k.ops)*perMille + 999) / 1000
	return k.ops[max(i, 1)-1]
}

// summary shows the ops by request.
func (rec *Record) summary(w io.Writer) error {
	n := uint64(len(rec.Result.Ops)) + rec.Result.Omitted
	fmt.Fprintf(w, "%s ops, by request; the result folder has them one by one\n", thousands(n))
	return rec.summaryTable().plain(w)
}

func (rec *Record) summaryTable() *grid {
	g := &grid{columns: []column{left("request"), right("count"), right("failed"), right("pending"),
		right("min"), right("p50"), right("p99"), right("max")}}
	for _, k := range rec.kinds() {
		cells := []string{k.request, fmt.Sprint(len(k.ops) + k.failed + k.pending), fmt.Sprint(k.failed), fmt.Sprint(k.pending)}
		for _, share := range []int{0, 500, 990, 1000} {
			if len(k.ops) == 0 {
				cells = append(cells, "-")
				continue
			}
			cells = append(cells, micro(k.at(share).Latency()))
		}
		g.row(cells...)
	}
	return g
}

// traffic shows the measured part of each load on a line.
func (rec *Record) traffic(w io.Writer) error {
	for i := range rec.Result.Traffic {
		if _, err := fmt.Fprintln(w, trafficLine(&rec.Result.Traffic[i])); err != nil {
			return err
		}
	}
	return nil
}

func trafficLine(t *run.Traffic) string {
	text := fmt.Sprintf("traffic of step %d  %s  %s ops, %s in %s", t.Step, t.Opcode, thousands(t.Count), sim.Bytes(t.Bytes).String(), micro(t.Elapsed))
	if t.Failed > 0 {
		text += fmt.Sprintf(", %s failed", thousands(t.Failed))
	}
	h := &t.Latency
	text += fmt.Sprintf("\n  %s, %s", rate(t.Count, t.Elapsed, "op/s"), rate(8*t.Bytes, t.Elapsed, "b/s"))
	return text + fmt.Sprintf("; latency min %s, p50 %s, p99 %s, p99.9 %s, max %s",
		micro(h.Min()), micro(h.Quantile(500)), micro(h.Quantile(990)), micro(h.Quantile(999)), micro(h.Max()))
}
