package run_test

import "testing"

// TestPacketByHand: a packet sent past the requester is judged by the responder
// as if the requester had sent it; answers to it are nobody's, and both sides
// go on.
func TestPacketByHand(t *testing.T) {
	held(t, b0+`ops:
  - {on: A, packet: {opcode: RDMA_WRITE_ONLY, payload: 64, data: 0x77}, expect: {wc: none, memory: {bufB: {first: 64, equals: 0x77, rest: unchanged}}, packets: [{from: A, opcode: RDMA_WRITE_ONLY, psn: 100, length: 64}, {from: B, opcode: ACK, psn: 100}]}}
  - {on: A, wr_rdma_write: {}, expect: {wc: SUCCESS, memory: {bufB: {first: 64, equals: bufA}}, packets: [{opcode: RDMA_WRITE_ONLY, psn: 101}, ACK]}}
  - {on: A, packet: {opcode: RDMA_READ_REQUEST, dma_length: 3KiB}, expect: {packets: [{psn: 102}, {opcode: RDMA_READ_RESPONSE_FIRST, psn: 102}, RDMA_READ_RESPONSE_MIDDLE, RDMA_READ_RESPONSE_LAST], memory: {bufA: unchanged}}}
  - {on: A, wr_rdma_read: {}, expect: {wc: SUCCESS, packets: [{psn: 105}, {psn: 105}]}}
  - {on: A, packet: {opcode: FETCH_ADD, add: 2, remote: {mr: mB, offset: 4KiB}}, expect: {memory: {bufB: {at: 4KiB, equals: {u64: 0x5A5A5A5A5A5A5A5C}}}}}
  - {on: A, packet: {opcode: RDMA_WRITE_ONLY, psn: 100, payload: 64, data: 0x99}, expect: {memory: {bufB: unchanged}, packets: [{psn: 100}, {opcode: ACK}]}}
  - {on: A, packet: {opcode: RDMA_WRITE_ONLY, payload: 64, psn: +0, data: 0x99, bad_icrc: true}, expect: {memory: {bufB: unchanged}, packets: 1}}
  - {on: A, packet: {opcode: RDMA_WRITE_ONLY, payload: 64, psn: +0, data: 0x99, pkey: 0x1234}, expect: {memory: {bufB: unchanged}, packets: 1}}
  - {on: A, packet: {opcode: RDMA_WRITE_ONLY, payload: 64, psn: +0, data: 0x99, dest_qp: 0x77}, expect: {memory: {bufB: unchanged}, packets: 1}}
  - {on: A, packet: {opcode: RDMA_WRITE_ONLY, payload: 64, psn: +3, data: 0x99}, expect: {memory: {bufB: unchanged}, nak: PSN_SEQUENCE_ERROR}}
  - {on: A, wr_rdma_write: {remote: {offset: 128}}, expect: {wc: SUCCESS}}
  - {on: B, packet: {opcode: ACK, syndrome: REMOTE_ACCESS_ERROR, psn: 3}, expect: {packets: 1, qp: {A.qA: RTS}}}
`)
}

// TestPacketThatIsRefused: the responder refuses it by the rules, and the
// requester, who has sent nothing, lives on until it speaks to the dead end.
func TestPacketThatIsRefused(t *testing.T) {
	for _, c := range []string{
		"{opcode: 0x1f}, expect: {nak: INVALID_REQUEST, fault: {at: B, rule: 3.2-4}",
		"{opcode: RDMA_WRITE_MIDDLE, payload: 1KiB}, expect: {nak: INVALID_REQUEST, fault: {at: B, rule: 3.2-3}",
		"{opcode: RDMA_WRITE_ONLY, payload: 64, dma_length: 65}, expect: {nak: INVALID_REQUEST, fault: {at: B, rule: 3.2-6}",
		"{opcode: RDMA_WRITE_ONLY, payload: 64, remote: {mr: mB, key: {byte: +1}}}, expect: {nak: REMOTE_ACCESS_ERROR, fault: {at: B, cause: bad-key}",
	} {
		held(t, b0+"ops:\n  - {on: A, packet: "+c+`, wc: none, memory: {bufB: unchanged}, qp: {qA: RTS, B.qB: ERR}}}
  - {on: A, wr_rdma_write: {qp: qA2}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_write: {}, expect: {wc: RETRY_EXC_ERR}}
`)
	}
}

// TestPacketsBetweenRequests: packets by hand while requests are under way do
// not keep those from ending.
func TestPacketsBetweenRequests(t *testing.T) {
	held(t, b0+`ops:
  - {on: A, async: true, wr_rdma_write: {sge: [{mr: mA, length: 8KiB}]}, expect: {wc: SUCCESS}}
  - {on: A, async: true, after: {id: "1", packet: 2}, packet: {opcode: RDMA_WRITE_ONLY, payload: 8, data: 0x42}}
  - {on: A, async: true, wr_rdma_read: {}, expect: {wc: SUCCESS}}
  - {wait: all}
  - {on: A, wr_rdma_write: {}, expect: {wc: SUCCESS}}
`)
}
