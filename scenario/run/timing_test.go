package run_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// byID returns the op of an id.
func byID(t testing.TB, res *run.Result, id string) *run.Op {
	t.Helper()
	i := slices.IndexFunc(res.Ops, func(o run.Op) bool { return o.ID == id })
	if i < 0 {
		t.Fatalf("no op %s", id)
	}
	return &res.Ops[i]
}

// TestStepsFollow verifies W1: a step begins when the one before it has
// settled, and not before.
func TestStepsFollow(t *testing.T) {
	res := held(t, b0+`ops:
  - {on: A, wr_rdma_write: {}}
  - {on: B, rereg_mr: {mr: mB, access: [LOCAL_WRITE]}}
  - {on: A, wr_rdma_read: {qp: qA2}, expect: {wc: REM_ACCESS_ERR}}
`)
	for i := 1; i < len(res.Ops); i++ {
		if res.Ops[i].Start < res.Ops[i-1].End {
			t.Errorf("op %s begins at %v, before %v", res.Ops[i].ID, res.Ops[i].Start, res.Ops[i-1].End)
		}
	}
}

// TestAt: a step begins at its instant, the ones behind it do not wait for it.
func TestAt(t *testing.T) {
	res := held(t, b0+`ops:
  - {on: A, at: 50us, wr_rdma_write: {}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_read: {qp: qA2}, expect: {wc: SUCCESS}}
`)
	if at := byID(t, res, "1").Start; at != sim.Time(50*sim.Microsecond) {
		t.Errorf("step 1 begins at %v", at)
	}
	if at := byID(t, res, "2").Start; at != 0 {
		t.Errorf("step 2 begins at %v", at)
	}
}

// TestAfter: each moment that a step can wait for comes, in the order of the
// way of a request.
func TestAfter(t *testing.T) {
	const ops = `ops:
  - {on: A, id: w, async: true, wr_rdma_write: {sge: [{mr: mA, length: 4KiB}]}}
  - {on: B, async: true, after: %s, store: {buf: bufB, offset: 4KiB, data: {u64: 1}}}
  - {wait: all}
`
	last := sim.Time(0)
	for _, after := range []string{
		"{id: w, at: post}", "{id: w, at: doorbell}", "{id: w, at: wqe-fetch}", "{id: w, at: mpt-lookup}", "{id: w, at: mpt-check}",
		"{id: w, at: mtt-lookup}", "{id: w, at: dma}", "{id: w, at: send}", "{id: w, at: receive}", "{id: w, packet: 1}",
		"{id: w, packet: 2}", "{id: w, packet: 4}", "{id: w, at: answer}", "{id: w, at: cqe}", "{id: w, at: poll}", "w",
		"{id: w, delay: 10us}",
	} {
		res := held(t, b0+fmt.Sprintf(ops, after))
		w, store := byID(t, res, "1"), byID(t, res, "2")
		if store.Start < last {
			t.Errorf("after: %s comes at %v, what is before it on the way at %v", after, store.Start, last)
		}
		switch {
		case after == "w" && store.Start != w.End:
			t.Errorf("after: w at %v, it ended at %v", store.Start, w.End)
		case strings.Contains(after, "delay") && store.Start != w.End.Add(10*sim.Microsecond):
			t.Errorf("after: %s at %v, it ended at %v", after, store.Start, w.End)
		}
		last = store.Start
	}
}

// TestAfterResponse: the packets of an answer are counted at the requester.
func TestAfterResponse(t *testing.T) {
	const ops = `ops:
  - {on: A, wr_rdma_read: {sge: [{mr: mA, length: 8KiB}]}}
  - {on: A, id: r, async: true, wr_rdma_read: {sge: [{mr: mA, length: 4KiB}]}}
  - {on: A, async: true, after: {id: r, response: %d}, store: {buf: bufA, offset: 4KiB, data: {u64: 1}}}
  - {wait: r}
`
	last := sim.Time(0)
	for i := 1; i <= 4; i++ {
		res := held(t, b0+fmt.Sprintf(ops, i))
		store, read := byID(t, res, "3"), byID(t, res, "2")
		if store.Start <= last || store.Start >= read.End {
			t.Errorf("response %d at %v, the one before at %v, the READ ended at %v", i, store.Start, last, read.End)
		}
		last = store.Start
	}
	res := read(t, b0+fmt.Sprintf(ops, 5))
	if res.End != run.Stuck || !slices.ContainsFunc(res.Waits, func(s string) bool { return strings.Contains(s, "step 3 never began") }) {
		t.Errorf("after a response that does not come: %v, %q", res.End, res.Waits)
	}
}

// TestAfterOneOfAList: an id of a request means that request, not its list; so
// does l.2, the second of list l.
func TestAfterOneOfAList(t *testing.T) {
	const ops = `ops:
  - {on: A, wr_rdma_write: {}}
  - {on: A, async: true, id: l, post_send: [{id: x, opcode: RDMA_WRITE}, {id: y, opcode: RDMA_WRITE, remote: {offset: 64}}]}
  - {on: B, async: true, after: {id: %s, packet: 1}, store: {buf: bufB, offset: 4KiB, data: {u64: 1}}}
  - {wait: all}
`
	x := byID(t, held(t, b0+fmt.Sprintf(ops, "x")), "3").Start
	y := byID(t, held(t, b0+fmt.Sprintf(ops, "y")), "3").Start
	if x >= y {
		t.Errorf("the first packet of x was executed at %v, that of y at %v", x, y)
	}
	if second := byID(t, held(t, b0+fmt.Sprintf(ops, "l.2")), "3").Start; second != y {
		t.Errorf("the first packet of y was executed at %v, that of l.2 at %v", y, second)
	}
}

// TestAfterEvent: a step follows an event of one host.
func TestAfterEvent(t *testing.T) {
	res := held(t, b0+`ops:
  - {on: A, async: true, after: {event: QP_ACCESS_ERR, on: B}, wr_rdma_write: {qp: qA2}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {wc: REM_ACCESS_ERR}}
`)
	if byID(t, res, "1").Start <= byID(t, res, "2").Start {
		t.Error("it began before what raises the event")
	}
}

// TestAsyncAndWait: async lets the next step begin at once, and wait settles
// it.
func TestAsyncAndWait(t *testing.T) {
	res := held(t, b0+`ops:
  - {on: A, id: w, async: true, wr_rdma_write: {sge: [{mr: mA, length: 8KiB}]}, expect: {wc: SUCCESS}}
  - {on: B, id: s, async: true, wr_rdma_read: {qp: qB2, remote: {mr: mA}}, expect: {wc: REM_ACCESS_ERR}}
  - {wait: [w, s]}
  - {on: A, wr_rdma_write: {}}
  - {wait: 100us}
  - {on: A, wr_rdma_write: {}}
`)
	w, s, next, late := byID(t, res, "1"), byID(t, res, "2"), byID(t, res, "4"), byID(t, res, "6")
	if s.Start >= w.End || next.Start < max(w.End, s.End) {
		t.Errorf("%v-%v, %v-%v, then %v", w.Start, w.End, s.Start, s.End, next.Start)
	}
	if late.Start != next.End.Add(100*sim.Microsecond) {
		t.Errorf("wait of 100us: from %v to %v", next.End, late.Start)
	}
}

// TestParallel: branches begin at one instant, each goes on by itself, and the
// step settles with the last of them.
func TestParallel(t *testing.T) {
	res := held(t, b0+`ops:
  - parallel:
    - [{on: A, id: a1, wr_rdma_write: {}}, {on: A, id: a2, wr_rdma_write: {}}]
    - [{on: B, id: b1, alloc_pd: {as: p9}}]
    - [{wait: a1}, {on: A, id: c1, wr_rdma_read: {qp: qA2}}]
  - {on: A, id: last, wr_rdma_read: {qp: qA3}, expect: {wc: REM_ACCESS_ERR}}
`)
	at := func(step string) *run.Op { return byID(t, res, step) }
	a1, a2, b1, c1, last := at("2"), at("3"), at("4"), at("6"), at("7")
	if a1.Start != 0 || b1.Start != 0 {
		t.Errorf("branches begin at %v and %v", a1.Start, b1.Start)
	}
	if a2.Start < a1.End || c1.Start < a1.End {
		t.Errorf("a1 ends at %v; a2 begins at %v, c1 at %v", a1.End, a2.Start, c1.Start)
	}
	if last.Start < max(a2.End, b1.End, c1.End) {
		t.Errorf("the step behind begins at %v, before all branches have ended", last.Start)
	}
}

// TestLoop: rounds are numbered in ids, and var counts in them.
func TestLoop(t *testing.T) {
	res := held(t, b0+`ops:
  - loop: {times: 3, var: i, from: 1, ops: [{on: A, wr_rdma_write: {remote: {offset: "${i*64}"}}, expect: {memory: {B.bufB: {at: "${i*64}", equals: A.bufA, rest: unchanged}}}}]}
  - loop: {times: 2, ops: [{on: A, wr_rdma_write: {}}, {on: A, wr_rdma_read: {}}]}
`)
	var ids []string
	for _, o := range res.Ops {
		ids = append(ids, o.ID)
	}
	if got := strings.Join(ids, " "); got != "2.1 2.2 2.3 4.1 5.1 4.2 5.2" && got != "2.1 3.2 4.3 6.1 7.1 6.2 7.2" {
		t.Error(got)
	}
	if res.Asked != 3*3 { // the bytes, those before them and those behind
		t.Errorf("%d expectations", res.Asked)
	}
}

// TestUntil: reaching run.until with work in flight is a failure that says who
// waits, unless stop is said; reaching it at rest is neither.
func TestUntil(t *testing.T) {
	const text = "run: {until: %s, stop: %v}\nops:\n  - {on: A, wr_rdma_write: {}}\n  - {on: B, rereg_mr: {mr: mB, access: [LOCAL_WRITE]}}\n"
	if res := held(t, b0+fmt.Sprintf(text, "1ms", false)); res.End != run.Finished {
		t.Errorf("with time to spare: %v", res.End)
	}
	res := read(t, b0+fmt.Sprintf(text, "10us", false))
	if res.End != run.Limit || res.OK() || !slices.ContainsFunc(res.Waits, func(s string) bool { return strings.Contains(s, "rereg_mr") }) {
		t.Errorf("%v: %q", res.End, res.Waits)
	}
	if res = read(t, b0+fmt.Sprintf(text, "10us", true)); res.End != run.Stopped || !res.OK() || len(res.Waits) > 0 {
		t.Errorf("with stop: %v, %q", res.End, res.Waits)
	}
	const late = "run: {until: 5us}\nops:\n  - {on: A, at: %s, query_device: {}}\n"
	if res := held(t, b0+fmt.Sprintf(late, "1us")); res.End != run.Finished {
		t.Errorf("before the limit: %v", res.End)
	}
	res = read(t, b0+fmt.Sprintf(late, "6us"))
	if want := "step 1 never began: at: 6us is beyond the limit of simulated time"; res.End != run.Limit || !slices.Contains(res.Waits, want) {
		t.Errorf("%v: %q, want %q", res.End, res.Waits, want)
	}
	if res = read(t, b0+fmt.Sprintf(text, "1us", false)); len(res.Ops) != 1 || res.End != run.Limit {
		t.Errorf("%d ops, %v: no step begins behind the limit", len(res.Ops), res.End)
	}
}
