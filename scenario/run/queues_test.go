package run_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSharedReceives: receives of a shared queue go to whichever queue pair
// needs one, in its own domain; the low mark and the end of a queue pair are
// told.
func TestSharedReceives(t *testing.T) {
	held(t, b0+`hosts:
  B:
    srq: {s: {pd: pB2, max_wr: 4, limit: 2}}
    mr: {m2: {pd: pB2, length: 4KiB, access: [LOCAL_WRITE]}}
    qp: {qB: {srq: s}, qB2: {srq: s}}
ops:
  - {on: B, post_recv: {qp: qB, sge: [{mr: m2}]}, expect: {errno: EINVAL}}
  - {on: B, post_srq_recv: {srq: s, sge: [{mr: m2}], times: 4}, expect: {recv: [SUCCESS, SUCCESS, SUCCESS]}}
  - {on: B, post_srq_recv: {srq: s, sge: [{mr: m2}]}, expect: {errno: ENOMEM, at: {B: {s: {posted: 4}}}}}
  - {on: A, wr_send: {}, expect: {wc: SUCCESS, recv: {qp: qB, status: SUCCESS}}}
  - {on: A, wr_send: {qp: qA2}, expect: {recv: {qp: qB2, status: SUCCESS}, event: none}}
  - {on: A, wr_send: {qp: qA2}, expect: {recv: {qp: qB2, status: SUCCESS}, event: {B: SRQ_LIMIT_REACHED}}}
  - {on: B, modify_qp: {qp: qB, state: ERR}, expect: {event: {B: QP_LAST_WQE_REACHED}}}
`)
}

// TestSharedQueueVerbs: a shared receive queue is made, used and destroyed,
// not while a queue pair uses it.
func TestSharedQueueVerbs(t *testing.T) {
	held(t, b0+`ops:
  - {on: B, create_srq: {as: s, pd: pB, max_wr: 4}, expect: {errno: OK}}
  - {on: B, create_qp: {as: q, pd: pB, srq: s}, expect: {errno: OK}}
  - {on: B, destroy_srq: s, expect: {errno: EBUSY}}
  - {on: B, modify_srq: {srq: s, limit: 2}, expect: {errno: OK}}
  - {on: B, destroy_qp: q}
  - {on: B, destroy_srq: s, expect: {errno: OK}}
`)
}

// TestPolledByHand: completions of a queue that a scenario polls stay there
// until it does; the call takes the time of a look for each that it returns,
// and of one look if there is none.
func TestPolledByHand(t *testing.T) {
	held(t, b0+`hosts: {A: {cq: {c: {depth: 16}}, qp: {qA: {cq: c}}}}
ops:
  - {on: A, id: x, wr_rdma_write: {}, expect: {wc: SUCCESS}}
  - {on: A, id: y, post_send: [{opcode: RDMA_WRITE, id: y1}, {opcode: RDMA_READ, id: y2}]}
  - {on: A, id: p, poll_cq: {cq: c}, expect: {wc: [{status: SUCCESS, id: x, qp: A.qA}]}}
  - {on: A, poll_cq: {cq: c, n: 3}, expect: {wc: [{id: y1, opcode: RDMA_WRITE}, {id: y2, opcode: RDMA_READ}], latency: "== 2 x p"}}
  - {on: A, poll_cq: {cq: c, n: 3}, expect: {wc: none, latency: "== 1 x p"}}
`)
	held(t, b0+`ops:
  - {on: A, wr_rdma_write: {}}
  - {on: A, poll_cq: {qp: qA}, expect: {wc: SUCCESS}}
`)
}

// TestQueries: a query costs a trap and shows the state as it is.
func TestQueries(t *testing.T) {
	res := held(t, b0+`ops:
  - {on: A, query_qp: qA, expect: {errno: OK, qp: {qA: RTS}}}
  - {on: A, query_mr: mA, expect: {errno: OK, at: {A: {mA: VALID}}}}
  - {on: A, query_device: {}, expect: {errno: OK}}
`, "host.cpu.trap=3us")
	for _, o := range res.Ops {
		if o.Latency() != 3*us {
			t.Errorf("%s takes %v", o.Request, o.Latency())
		}
	}
}

// TestQueuesWithoutMemory: where host memory has no room for a ring the verb is
// refused, what it had taken is there again, and a smaller one is made.
func TestQueuesWithoutMemory(t *testing.T) {
	held(t, b0+`hosts: {B: {hca: {limit: {mr: 64, mw: 64, mtt: 4096, qp: 64}}, host: {memory: {size: 28MiB}}}}
ops:
  - {on: B, create_cq: {as: c, depth: 4194304}, expect: {errno: ENOMEM}}
  - {on: B, create_qp: {as: q, pd: pB, sq: 32768, rq: 32768, max_sge: 28}, expect: {errno: ENOMEM}}
  - {on: B, create_srq: {as: s, pd: pB, max_wr: 32768, max_sge: 48}, expect: {errno: OK}}
  - {on: B, create_srq: {as: s2, pd: pB, max_wr: 32768, max_sge: 48}, expect: {errno: ENOMEM}}
  - {on: B, create_qp: {as: small, pd: pB, sq: 16, rq: 16}, expect: {errno: OK}}
  - {on: A, wr_rdma_write: {}, expect: {wc: SUCCESS}}
`)
}

// TestObjectNeverMade: what uses an object that a refused verb should have
// made is refused too, and nothing breaks.
func TestObjectNeverMade(t *testing.T) {
	res := held(t, b0+`hosts: {B: {hca: {limit: {pd: 2, mr: 1, mw: 1, qp: 3}}}}
ops:
  - {on: B, alloc_pd: {as: p}}
  - {on: B, alloc_mw: {as: w, pd: p, type: 2}}
  - {on: B, wr_bind_mw: {mw: w, mr: mB, length: 64}}
  - {on: B, dealloc_mw: w}
  - {on: B, reg_mr: {as: m, buf: bufB}}
  - {on: B, rereg_mr: {mr: m, access: []}}
  - {on: B, dereg_mr: m}
  - {on: B, create_qp: {as: q, pd: pB}}
  - {on: B, modify_qp: {qp: q, state: INIT}}
  - {on: B, post_recv: {qp: q, sge: []}}
  - {on: B, destroy_qp: q}
  - {on: A, wr_rdma_write: {remote: {mw: B.w}}, expect: {fault: {at: B, cause: bad-index}}}
`)
	want := "ENOMEM ENOENT ENOENT ENOENT ENOMEM ENOENT ENOENT ENOMEM ENOENT ENOENT ENOENT IBV_WC_REM_ACCESS_ERR"
	var got []string
	for i := range res.Ops {
		got = append(got, res.Ops[i].Outcome())
	}
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

// TestOnDemand: pages come with the first access, with advice, and again after
// they went; what is not mapped any more is told to the peer.
func TestOnDemand(t *testing.T) {
	held(t, b0+`hosts:
  B: {mem: {far: {length: 16KiB, absent: true, fill: 0x33}}, mr: {od: {buf: far, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, ON_DEMAND]}}, qp: {qB: {min_rnr_timer: 1}}}
  A: {qp: {qA: {rnr_retry: 7}}}
ops:
  - {on: A, id: w, wr_rdma_write: {remote: {mr: od}}, expect: {wc: SUCCESS, memory: {B.far: {equals: bufA, rest: unchanged}}, at: {B: {count: {pinned: unchanged}}}}}
  - {on: A, wr_rdma_write: {remote: {mr: od, offset: 64}}, expect: {wc: SUCCESS, latency: "<= 0.5 x w"}}
  - {on: B, advise_mr: {mr: od, advice: prefetch, offset: 4KiB}, expect: {errno: OK}}
  - {on: A, wr_rdma_read: {remote: {mr: od, offset: 8KiB}}, expect: {wc: SUCCESS, latency: "<= 0.5 x w", memory: {bufA: {equals: 0x33}}}}
  - {on: B, page_out: far, expect: {errno: OK}}
  - {on: A, wr_rdma_read: {remote: {mr: od}}, expect: {wc: SUCCESS, latency: ">= 0.5 x w", memory: {bufA: {equals: 0xA5}}}}
  - {on: B, munmap: far, expect: {errno: OK}}
  - {on: A, wr_rdma_read: {remote: {mr: od}}, expect: {wc: REM_OP_ERR, nak: REM_OP_ERR, fault: {at: B, cause: no-translation}}}
`)
}

// TestArrayInABuffer: the regions of an array lie one behind the other.
func TestArrayInABuffer(t *testing.T) {
	held(t, b0+`hosts: {B: {mr: {part: {count: 4, buf: bufB, offset: 4KiB, length: 1KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}}}
ops:
  - {on: A, wr_rdma_write: {remote: {mr: part#0}}, expect: {memory: {B.bufB: {at: 4KiB, equals: bufA, rest: unchanged}}}}
  - {on: A, wr_rdma_write: {remote: {mr: part#3}}, expect: {memory: {B.bufB: {at: 7KiB, equals: bufA, rest: unchanged}}}}
`)
}

// TestRelativePSN: in expectations a number is counted from the step's first
// request, in faults from what the queue pair sends next.
func TestRelativePSN(t *testing.T) {
	const ops = `ops:
  - {on: A, wr_rdma_write: {}}
  - {on: A, fault: {wire: drop, psn: +1}}
  - on: A
    wr_rdma_write: {sge: [{mr: mA, length: 3KiB}]}
    expect:
      wc: SUCCESS
      packets:
        - {opcode: WRITE_FIRST, psn: +0}
        - {opcode: WRITE_MIDDLE, psn: %s}
        - {opcode: WRITE_LAST, psn: +2}
        - {from: B, opcode: ACK, psn: +1, syndrome: PSN_SEQ_ERR}
        - {opcode: WRITE_MIDDLE, psn: +1}
        - {opcode: WRITE_LAST, psn: +2}
        - {from: B, opcode: ACK, psn: +2}
`
	held(t, b0+fmt.Sprintf(ops, "+1"))
	res := read(t, b0+fmt.Sprintf(ops, "+2"))
	if len(res.Failures) != 1 || !strings.HasSuffix(res.Failures[0].Got, "packet 2 is PSN 102") {
		t.Errorf("%+v", res.Failures)
	}
}
