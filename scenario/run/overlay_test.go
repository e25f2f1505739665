package run_test

import (
	"strings"
	"testing"

	"hcasim/scenario/run"
)

// TestUnder: what is said under a variant goes in the place of what is said
// for all, member by member, within any and not as well.
func TestUnder(t *testing.T) {
	const step = `ops:
  - on: B
    wr_local_inv: {invalidate: mB}
    expect: {wc: MW_BIND_ERR, qp: {qB: ERR}, under: {rxe: {wc: LOC_QP_OP_ERR}}}
  - on: A
    wr_rdma_write: {qp: qA2}
    expect:
      any: [{wc: REM_OP_ERR, under: {rxe: {wc: SUCCESS}}}, {wc: SUCCESS, under: {rxe: {wc: REM_OP_ERR}}}]
      not: {wc: REM_OP_ERR, under: {rxe: {wc: REM_OP_ERR}}}
`
	held(t, b0+step)
	held(t, b0+"variant: rxe\n"+step)
	res := read(t, b0+"variant: {base: rxe, local_inv_fail_status: 6}\n"+step)
	if len(res.Failures) != 1 || res.Failures[0].What != "wc" || res.Failures[0].Expected != "IBV_WC_LOC_QP_OP_ERR" {
		t.Errorf("%+v", res.Failures)
	}
}

// TestWholeRunExpectation: the file's own expect: is judged at the end and
// looks at the whole run.
func TestWholeRunExpectation(t *testing.T) {
	const ops = `ops:
  - {on: A, wr_rdma_write: {}}
  - {on: A, wr_rdma_read: {}}
expect: {wc: [SUCCESS, SUCCESS], packets: 4, memory: {B.bufB: {changed: 64}}}
`
	held(t, b0+ops)
	res := read(t, b0+strings.Replace(ops, "packets: 4", "packets: 5", 1))
	if len(res.Failures) != 1 || res.Failures[0].Op != "" || res.Held != 2 || res.Asked != 3 {
		t.Errorf("%+v, %d of %d held", res.Failures, res.Held, res.Asked)
	}
}

// TestThresholds: a bound on a figure of the run, met and not met.
func TestThresholds(t *testing.T) {
	const ops = "ops:\n  - {loop: {times: 10, ops: [{on: A, wr_rdma_write: {}}]}}\n"
	held(t, b0+ops+"thresholds: [write.count == 10, write.p50 <= 3us, wire.packets == 20, A.mpt.misses <= 1, ops == 10, faults == 0]\n")
	res := read(t, b0+ops+"thresholds: [write.count != 10, write.p50 <= 3ns]\n")
	if len(res.Failures) != 2 || res.Failures[0].What != "write.count" || res.Failures[0].Expected != "!= 10" || res.Failures[0].Got != "10" ||
		res.Failures[1].Expected != "<= 3ns" || res.Limits != 2 || res.Failures[1].Pos.Line != 7 {
		t.Errorf("%+v", res.Failures)
	}
	m := mistakes(t, b0+ops+"thresholds: [write.p98 <= 3us, C.mpt.misses == 0]\n")
	if len(m.Problems) != 2 || !strings.Contains(m.Problems[0].Message, `"write.p98"`) || m.Problems[1].Line != 7 {
		t.Error(m)
	}
}

// TestPending: a step that may stay open does not make the run stuck, and one
// that may not names itself, its request and who waits in the adapter.
func TestPending(t *testing.T) {
	const text = `hosts: {B: {qp: {qB: {state: RESET}}}, A: {qp: {qA: {timeout: 0}}}}
ops:
  - {on: A, id: w, wr_rdma_write: {}, expect: {pending: true, packets: [{opcode: WRITE_ONLY}]}}
`
	held(t, b0+text)
	res := read(t, b0+strings.Replace(text, "pending: true, ", "", 1))
	waits := strings.Join(res.Waits, "\n")
	if res.End != run.Stuck || !strings.Contains(waits, "step 1 has not settled: op 1 (IBV_WR_RDMA_WRITE)") ||
		!strings.Contains(waits, "A: queue pair 0x10: 1 send requests unfinished") {
		t.Errorf("%v: %s", res.End, waits)
	}
}

// TestHeldInSQD: a request that SQD holds need not end (law 9).
func TestHeldInSQD(t *testing.T) {
	held(t, b0+`ops:
  - {on: A, modify_qp: {qp: qA, state: SQD}}
  - {on: A, wr_rdma_write: {}, expect: {wc: none, packets: none}}
`)
}
