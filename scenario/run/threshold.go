package run

import (
	"fmt"
	"strconv"
	"strings"

	"hcasim/scenario/lang"
	"hcasim/sim"
)

// thresholds judges the figures of the whole run.
func (r *runner) thresholds(list []lang.Threshold) {
	v := verdict{r: r, st: &step{Step: &lang.Step{}}}
	for i := range list {
		v.threshold(&list[i])
	}
	r.result.Failures = append(r.result.Failures, v.failures...)
	r.result.Asked += v.asked
	r.result.Held += v.asked - len(v.failures)
	r.result.Limits = len(list)
}

// threshold judges one figure.
func (v *verdict) threshold(t *lang.Threshold) {
	got, text, ok := v.r.metric(t.Metric, t.Value.Unit)
	if !ok {
		v.hold(false, t.Pos, t.Metric, "a figure of this run", "there is none of this name")
		return
	}
	v.hold(compare(got, t.Op, t.Value.Value), t.Pos, t.Metric, string(t.Op)+" "+showQuantity(t.Value), text)
}

func showQuantity(q lang.Quantity) string {
	switch q.Unit {
	case lang.UnitTime:
		return sim.Duration(q.Value).String()
	case lang.UnitBytes:
		return sim.Bytes(q.Value).String()
	case lang.UnitRate:
		return sim.BitRate(q.Value).String()
	default:
		return showMillionths(q.Value)
	}
}

func showMillionths(v uint64) string {
	if v%1_000_000 == 0 {
		return strconv.FormatUint(v/1_000_000, 10)
	}
	return fmt.Sprintf("%d.%06d", v/1_000_000, v%1_000_000)
}

// kinds are the words of thresholds for what ops request.
var kinds = map[string]string{
	"write": "IBV_WR_RDMA_WRITE", "read": "IBV_WR_RDMA_READ", "send": "IBV_WR_SEND",
	"write_imm": "IBV_WR_RDMA_WRITE_WITH_IMM", "send_imm": "IBV_WR_SEND_WITH_IMM", "send_inv": "IBV_WR_SEND_WITH_INV",
	"fetch_add": "IBV_WR_ATOMIC_FETCH_AND_ADD", "cmp_swp": "IBV_WR_ATOMIC_CMP_AND_SWP",
	"bind": "IBV_WR_BIND_MW", "local_inv": "IBV_WR_LOCAL_INV", "reg_wr": "IBV_WR_REG_MR",
	"reg_mr": "ibv_reg_mr", "dereg_mr": "ibv_dereg_mr", "rereg_mr": "ibv_rereg_mr", "bind_mw": "ibv_bind_mw",
	"recv": "ibv_post_recv",
}

// metric returns a figure by name: KIND.p50, KIND.mean …, or a stat.
func (r *runner) metric(name string, unit lang.Unit) (value uint64, text string, ok bool) {
	kind, part, dotted := strings.Cut(name, ".")
	if request, known := kinds[kind]; dotted && known {
		return r.latencyOf(request, part)
	}
	for _, s := range r.statsNow() {
		if s.Name == name {
			n, _ := strconv.ParseUint(s.Value, 10, 64)
			if unit == lang.Plain {
				n *= 1_000_000
			}
			return n, s.Value + s.Unit, true
		}
	}
	return 0, "", false
}

// statsNow returns the figures as they stand.
func (r *runner) statsNow() []Stat {
	c := r.rec.counts
	list := []Stat{
		{Name: "ops", Value: fmt.Sprint(c.ops)}, {Name: "faults", Value: fmt.Sprint(len(r.rec.faults))},
		{Name: "wire.packets", Value: fmt.Sprint(c.packets)}, {Name: "wire.bytes", Value: fmt.Sprint(c.bytes)},
	}
	for _, x := range r.world.sides {
		i := int(x.end)
		list = append(list,
			Stat{Name: x.name + ".mpt.misses", Value: fmt.Sprint(c.mptAsk[i] - c.mptHit[i])},
			Stat{Name: x.name + ".mtt.misses", Value: fmt.Sprint(c.mttAsk[i] - c.mttHit[i])})
	}
	return list
}

// latencyOf returns a quantile, the mean or the count of the latencies of all
// requests of one kind.
func (r *runner) latencyOf(request, part string) (uint64, string, bool) {
	var h Histogram
	for i := range r.result.Ops {
		if o := &r.result.Ops[i]; o.Request == request && o.Done && !o.Failed() {
			h.Add(o.Latency())
		}
	}
	for i := range r.result.Traffic {
		if r.result.Traffic[i].Opcode == request {
			h = r.result.Traffic[i].Latency
		}
	}
	if h.Count() == 0 {
		return 0, "", false
	}
	var d sim.Duration
	switch part {
	case "p50":
		d = h.Quantile(500)
	case "p90":
		d = h.Quantile(900)
	case "p99":
		d = h.Quantile(990)
	case "p999":
		d = h.Quantile(999)
	case "min":
		d = h.Min()
	case "max":
		d = h.Max()
	case "mean":
		d = h.Mean()
	case "count":
		return h.Count() * 1_000_000, fmt.Sprint(h.Count()), true
	default:
		return 0, "", false
	}
	return uint64(d), d.String(), true
}
