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
	got, text, ok := v.metric(t.Metric, t.Value.Unit)
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
	case lang.UnitOps:
		return fmt.Sprintf("%d op/s", q.Value)
	default:
		return showMillionths(q.Value)
	}
}

func showMillionths(v uint64) string {
	if v%1_000_000 == 0 {
		return strconv.FormatUint(v/1_000_000, 10)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%06d", v/1_000_000, v%1_000_000), "0")
}

// kinds are the words of thresholds for what ops request.
var kinds = map[string]string{
	"write": "IBV_WR_RDMA_WRITE", "read": "IBV_WR_RDMA_READ", "send": "IBV_WR_SEND",
	"write_imm": "IBV_WR_RDMA_WRITE_WITH_IMM", "send_imm": "IBV_WR_SEND_WITH_IMM", "send_inv": "IBV_WR_SEND_WITH_INV",
	"fetch_add": "IBV_WR_ATOMIC_FETCH_AND_ADD", "cmp_swp": "IBV_WR_ATOMIC_CMP_AND_SWP",
	"bind": "IBV_WR_BIND_MW", "local_inv": "IBV_WR_LOCAL_INV", "reg_wr": "IBV_WR_REG_MR",
	"reg_mr": "ibv_reg_mr", "dereg_mr": "ibv_dereg_mr", "rereg_mr": "ibv_rereg_mr", "bind_mw": "ibv_bind_mw",
	"recv": "ibv_post_recv", "srq_recv": "ibv_post_srq_recv",
	"dma_read": "dma_read", "dma_write": "dma_write", "dma_write_read": "dma_write_read", "dma_both": "dma_both",
}

// KindOf returns the word of figures for what an op or a traffic requests,
// such as write for IBV_WR_RDMA_WRITE; "" when it has none.
func KindOf(request string) string {
	for word, r := range kinds {
		if r == request {
			return word
		}
	}
	return ""
}

// metric returns a figure by name: KIND.p50, KIND.mean …, KIND.rate and so on
// of loads, a stat, or measured. and a stat. A step has those of its own time.
func (v *verdict) metric(name string, unit lang.Unit) (value uint64, text string, ok bool) {
	kind, part, dotted := strings.Cut(name, ".")
	if request, known := kinds[kind]; dotted && known {
		if isFlow(part) {
			return v.rateOf(request, part, unit)
		}
		return v.latencyOf(request, part)
	}
	name, measured := strings.CutPrefix(name, measuredPart)
	list := v.figures(measured)
	for i := range list {
		f := &list[i]
		switch {
		case f.name != name:
		case unit == lang.Plain && f.millionths:
			return f.value, f.String(), true
		case unit == lang.Plain:
			return f.value * million, f.String() + f.unit, true
		case unit == lang.UnitTime:
			return f.value, sim.Duration(f.value).String(), true
		default:
			return f.value, f.String() + f.unit, true
		}
	}
	return 0, "0", knownOpcodeFigure(name) // no such packet
}

// figures returns those of the step's time, or of its measured part.
func (v *verdict) figures(measured bool) []figure {
	if measured {
		if w := v.r.measured; v.load == nil && w != nil {
			v.load = v.r.figures(&w.from, &w.to)
		}
		return v.load
	}
	if v.all == nil {
		now := v.r.tally(v.r.world.engine.Now())
		v.all = v.r.figures(&v.from.tally, &now)
	}
	return v.all
}

// rateOf returns how many requests of one kind loads have done in a second, how
// many bytes or bits of payload, or how many were offered: of the run, or of a
// step.
func (v *verdict) rateOf(request, part string, unit lang.Unit) (uint64, string, bool) {
	var n uint64
	var elapsed sim.Duration
	for i := range v.r.result.Traffic {
		if t := &v.r.result.Traffic[i]; t.Opcode == request && (v.st.id == "" || t.Step == v.st.Number) {
			amount, per := t.flow(part)
			n += amount
			elapsed += per
		}
	}
	rate, ok := perSecond(n, elapsed)
	if !ok {
		return 0, "", false
	}
	text := fmt.Sprintf("%d op/s", rate)
	switch part {
	case "bandwidth":
		text = sim.BitRate(rate).String()
	case "bytes_per_s":
		text = fmt.Sprintf("%d B/s", rate)
	}
	if unit == lang.Plain {
		rate *= million
	}
	return rate, text, true
}

// latencyOf returns a quantile, the mean or the count of the latencies of all
// requests of one kind: of the run, or of a step.
func (v *verdict) latencyOf(request, part string) (uint64, string, bool) {
	var h Histogram
	ops, whole := v.st.done, v.st.id == ""
	if whole {
		ops = v.r.result.Ops
	}
	for i := range ops {
		if o := &ops[i]; o.Request == request && o.Done && !o.Failed() {
			h.Add(o.Latency())
		}
	}
	for i := range v.r.result.Traffic {
		if t := &v.r.result.Traffic[i]; t.Opcode == request && (whole || t.Step == v.st.Number) {
			h.Merge(&t.Latency)
		}
	}
	if h.Count() == 0 {
		return 0, "", false
	}
	if part == "count" {
		return h.Count() * million, fmt.Sprint(h.Count()), true
	}
	for _, p := range latencyParts {
		if p.name == part {
			d := p.value(&h)
			return uint64(d), d.String(), true
		}
	}
	return 0, "", false
}
