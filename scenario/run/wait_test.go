package run_test

import (
	"strings"
	"testing"
)

// TestHeldRequest: a request held in SQD does not move: its step settles
// without a completion, and what comes of it later is judged where it is
// awaited.
func TestHeldRequest(t *testing.T) {
	res := held(t, b0+`ops:
  - {on: A, modify_qp: {qp: qA, state: SQD}}
  - {on: A, id: held, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {wc: none, memory: {bufB: unchanged}}}
  - {wait: 5us, expect: {wc: none, memory: {bufB: 0x5A}}}
  - {on: A, modify_qp: {qp: qA, state: RTS}, async: true}
  - {wait: held, expect: {wc: REM_ACCESS_ERR, fault: bad-key, memory: {bufB: unchanged}, qp: {qA: ERR}}}
`)
	if o := res.Ops[len(res.Ops)-1]; len(res.Ops) != 3 || o.Outcome() != "IBV_WC_REM_ACCESS_ERR" {
		t.Errorf("%d ops, the last %s", len(res.Ops), o.Outcome())
	}
}

// TestHeldInBranch: nor does it keep the branch from going on.
func TestHeldInBranch(t *testing.T) {
	held(t, b0+`ops:
  - {on: A, modify_qp: {qp: qA, state: SQD}}
  - parallel:
      - [{on: A, id: held, wr_rdma_write: {}, expect: {wc: none}}, {on: A, modify_qp: {qp: qA, state: RTS}}, {wait: held, expect: {wc: SUCCESS, latency: ">= 1us"}}]
      - {on: A, wr_rdma_read: {qp: qA2}, expect: {wc: SUCCESS}}
`)
}

// TestWaitExpects: what is expected of a wait is asked, by the awaited step or
// request, or by what has come since the wait began.
func TestWaitExpects(t *testing.T) {
	const ops = b0 + `ops:
  - {on: A, id: one, async: true, wr_rdma_write: {}}
  - {on: A, id: two, async: true, post_send: [{qp: qA2, id: r, opcode: RDMA_READ}, {qp: qA2, opcode: RDMA_WRITE}]}
`
	held(t, ops+`  - {wait: r, expect: {wc: {id: r, opcode: RDMA_READ}}}
  - {wait: one, expect: {wc: {opcode: RDMA_WRITE}, latency: "<= 100us"}}
  - {wait: two, expect: {wc: [{id: r}, SUCCESS]}}
  - {wait: all, expect: {wc: none, memory: {bufB: unchanged}}}
`)
	held(t, ops+"  - {wait: all, expect: {wc: [SUCCESS, SUCCESS, SUCCESS]}}\n")
	for _, wrong := range []string{
		"{wait: one, expect: {wc: none}}", "{wait: all, expect: {memory: {bufB: 0xEE}}}", "{wait: 1ns, expect: {wc: SUCCESS}}",
		"{parallel: [[{wait: two, expect: {wc: SUCCESS}}]]}", "{parallel: [[{wait: 5us, expect: {qp: {qA: ERR}}}]]}",
	} {
		if res := read(t, ops+"  - "+wrong+"\n"); len(res.Failures) != 1 {
			t.Errorf("%s: %d failures", wrong, len(res.Failures))
		}
	}
}

// TestTransitionRule: a refused transition names its rule.
func TestTransitionRule(t *testing.T) {
	held(t, b0+strings.Join([]string{"ops:",
		"  - {on: A, modify_qp: {qp: qA, state: SQE}, expect: {errno: EINVAL, fault: {at: A, rule: QP-1}}}",
		`  - {on: A, modify_qp: {qp: qA, state: RTR}, expect: {errno: EINVAL, fault: {at: A, rule: "1.5"}}}`,
		"  - {on: A, destroy_qp: qA}", ""}, "\n"))
}
