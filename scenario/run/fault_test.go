package run_test

import "testing"

// TestFaultOfOneStep: a fault on the wire hits the packets of the step or
// request that it names, and no other.
func TestFaultOfOneStep(t *testing.T) {
	held(t, b0+`ops:
  - {on: A, fault: {wire: drop, of: second, count: 2}}
  - {on: A, fault: {wire: drop, of: r2}}
  - {on: A, wr_rdma_write: {}, expect: {packets: 2, wc: SUCCESS}}
  - {on: A, id: second, wr_rdma_write: {}, expect: {packets: [RDMA_WRITE_ONLY, RDMA_WRITE_ONLY, RDMA_WRITE_ONLY, ACK], wc: SUCCESS}}
  - {on: A, id: list, post_send: [{id: r1, qp: qA2, opcode: RDMA_READ}, {id: r2, qp: qA2, opcode: RDMA_READ, remote: {offset: 64}}], expect: {wc: [SUCCESS, SUCCESS], packets: [{psn: 100}, {psn: 101}, {psn: 100}, {psn: 101}, {psn: 101}]}}
`)
}
