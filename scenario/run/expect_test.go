package run_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// Each of these expects something wrong of a step. What is printed is the
// place of the expectation that failed, its member, what was expected and what
// there was instead; T stands for a time.
var wrong = []struct{ name, ops, want string }{
	{"wc status", `- {on: A, wr_rdma_write: {}, expect: {wc: REM_ACCESS_ERR}}`, `6:45 wc | IBV_WC_REM_ACCESS_ERR | IBV_WC_SUCCESS`},
	{"wc none", `- {on: A, wr_rdma_write: {}, expect: {wc: none}}`, `6:45 wc | none | IBV_WC_SUCCESS`},
	{"wc too few", `- {on: A, post_send: [{opcode: RDMA_WRITE}, {opcode: RDMA_READ}], expect: {wc: SUCCESS}}`, `6:82 wc | IBV_WC_SUCCESS | IBV_WC_SUCCESS, IBV_WC_SUCCESS`},
	{"wc of unsignaled", `- {on: A, wr_rdma_write: {signaled: false}, expect: {wc: SUCCESS}}`, `6:60 wc | IBV_WC_SUCCESS | none`},
	{"wc one of", `- {on: A, wr_rdma_write: {}, expect: {wc: {any: [REM_ACCESS_ERR, WR_FLUSH_ERR]}}}`, `6:45 wc | IBV_WC_REM_ACCESS_ERR or IBV_WC_WR_FLUSH_ERR | IBV_WC_SUCCESS`},
	{"wc opcode", `- {on: A, wr_rdma_write: {}, expect: {wc: {status: SUCCESS, opcode: RDMA_READ}}}`, `6:45 wc | IBV_WC_SUCCESS IBV_WC_RDMA_READ | IBV_WC_SUCCESS with IBV_WC_RDMA_WRITE`},
	{"wc byte_len", `- {on: A, wr_rdma_read: {}, expect: {wc: {byte_len: 65}}}`, `6:44 wc | any status byte_len 65 | IBV_WC_SUCCESS with byte_len 64`},
	{"wc id", `- {on: A, post_send: [{opcode: RDMA_WRITE, id: x}, {opcode: RDMA_READ, id: y}], expect: {wc: [{id: x}, {id: x}]}}`, `6:96 wc | any status of x, any status of x | IBV_WC_SUCCESS, IBV_WC_SUCCESS with id 1.2`},
	{"wc qp", `- {on: A, wr_rdma_write: {qp: qA2}, expect: {wc: {qp: A.qA}}}`, `6:52 wc | any status of A.qA | IBV_WC_SUCCESS with qp A.qA2`},
	{"recv", "- {on: B, post_recv: {sge: [{mr: mB}]}}\n  - {on: A, wr_send: {}, expect: {recv: LOC_LEN_ERR}}", `7:41 recv | IBV_WC_LOC_LEN_ERR | IBV_WC_SUCCESS`},
	{"recv none", "- {on: B, post_recv: {sge: [{mr: mB}]}}\n  - {on: A, wr_send: {}, expect: {recv: none}}", `7:41 recv | none | IBV_WC_SUCCESS`},
	{"recv imm", "- {on: B, post_recv: {sge: [{mr: mB}]}}\n  - {on: A, wr_send_imm: {imm: 7}, expect: {recv: {wc_flags: [WITH_IMM], imm: 8}}}", `7:51 recv | any status IBV_WC_WITH_IMM imm 0x8 | IBV_WC_SUCCESS with imm 0x7`},
	{"recv byte_len", "- {on: B, post_recv: {sge: [{mr: mB}]}}\n  - {on: A, wr_send: {}, expect: {recv: {byte_len: 63, opcode: RECV}}}", `7:41 recv | any status IBV_WC_RECV byte_len 63 | IBV_WC_SUCCESS with byte_len 64`},
	{"recv of its own step", "- {on: B, post_recv: {sge: [{mr: mB}]}, expect: {recv: WR_FLUSH_ERR}}\n  - {on: A, wr_send: {}}", `6:58 recv | IBV_WC_WR_FLUSH_ERR | IBV_WC_SUCCESS`},
	{"recv that never comes", "- {on: B, post_recv: {sge: [{mr: mB}]}, expect: {recv: SUCCESS}}\n  - {on: A, wr_rdma_write: {}}", `6:58 recv | IBV_WC_SUCCESS | none`},
	{"errno", `- {on: B, dereg_mr: mB, expect: {errno: EBUSY}}`, `6:35 errno | EBUSY | OK`},
	{"errno of two", `- {on: B, dereg_mr: mB, expect: {errno: [EBUSY, EINVAL]}}`, `6:35 errno | EBUSY or EINVAL | OK`},
	{"errno of a post", `- {on: A, post_send: [{opcode: RDMA_WRITE}, {opcode: SEND, sge: [mA, mA, mA, mA, mA]}], expect: {errno: ENOMEM}}`, `6:99 errno | ENOMEM | EINVAL`},
	{"bad_wr", `- {on: A, post_send: [{opcode: RDMA_WRITE}, {opcode: SEND, sge: [mA, mA, mA, mA, mA]}], expect: {bad_wr: 1}}`, `6:99 bad_wr | 1 | 2`},
	{"rereg", `- {on: B, rereg_mr: {mr: mB, access: [REMOTE_WRITE]}, expect: {rereg: INPUT}}`, `6:65 rereg | IBV_REREG_MR_ERR_INPUT | IBV_REREG_MR_ERR_CMD`},
	{"event none", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {event: none}}`, `6:73 event | none | B: IBV_EVENT_QP_ACCESS_ERR`},
	{"event of the other host", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {event: {A: QP_ACCESS_ERR}}}`, `6:73 event | A: IBV_EVENT_QP_ACCESS_ERR | B: IBV_EVENT_QP_ACCESS_ERR`},
	{"event of another queue pair", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {event: {on: B, event: QP_ACCESS_ERR, qp: qB2}}}`, `6:73 event | B: IBV_EVENT_QP_ACCESS_ERR of qB2 | B: IBV_EVENT_QP_ACCESS_ERR`},
	{"event twice", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {event: [{B: QP_ACCESS_ERR}, {B: QP_ACCESS_ERR}]}}`, `6:73 event | B: IBV_EVENT_QP_ACCESS_ERR, B: IBV_EVENT_QP_ACCESS_ERR | B: IBV_EVENT_QP_ACCESS_ERR`},
	{"event that is not", `- {on: A, wr_rdma_write: {}, expect: {event: {B: QP_ACCESS_ERR}}}`, `6:48 event | B: IBV_EVENT_QP_ACCESS_ERR | none`},
	{"fault none", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {fault: none}}`, `6:73 fault | none | bad-key at B (KEY-2)`},
	{"fault cause", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {fault: bad-index}}`, `6:73 fault | bad-index | bad-key at B (KEY-2)`},
	{"fault at", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {fault: {at: A, cause: bad-key}}}`, `6:73 fault | bad-key at A | bad-key at B (KEY-2)`},
	{"fault rule", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {fault: {cause: bad-key, rule: KEY-1}}}`, `6:73 fault | bad-key (KEY-1) | bad-key at B (KEY-2)`},
	{"fault that is not", `- {on: A, wr_rdma_write: {}, expect: {fault: {at: B}}}`, `6:48 fault | any at B | none`},
	{"memory unchanged", `- {on: A, wr_rdma_write: {remote: {offset: 100}}, expect: {memory: {bufB: unchanged}}}`, `6:77 memory B.bufB | unchanged | byte 100 changed`},
	{"memory equals", `- {on: A, wr_rdma_write: {}, expect: {memory: {bufB: {at: 32, equals: bufA}}}}`, `6:56 memory B.bufB | 64 bytes equal | byte 32 is 0x5a, not 0xa5`},
	{"memory fill", `- {on: A, wr_rdma_write: {}, expect: {memory: {bufB: {first: 64, equals: 0x5A}}}}`, `6:56 memory B.bufB | 64 bytes equal | byte 0 is 0xa5, not 0x5a`},
	{"memory fill of more than was moved", `- {on: A, wr_rdma_write: {}, expect: {memory: {bufB: {first: 65, equals: 0xA5}}}}`, `6:56 memory B.bufB | 65 bytes equal | byte 64 is 0x5a, not 0xa5`},
	{"memory fill where nothing was moved", `- {on: A, wr_rdma_write: {sge: []}, expect: {memory: {bufB: 0xA5}}}`, `6:63 memory B.bufB | 8192 bytes equal | byte 0 is 0x5a, not 0xa5`},
	{"memory bytes", `- {on: A, wr_rdma_write: {}, expect: {memory: {bufB: {at: 60, equals: {hex: A5A5A5A5A5}}}}}`, `6:56 memory B.bufB | 5 bytes equal | byte 4 is 0x5a, not 0xa5`},
	{"memory u64", `- {on: A, wr_atomic_fetch_add: {add: 1}, expect: {memory: {bufB: {equals: {u64: 0x5A5A5A5A5A5A5A5A}}}}}`, `6:68 memory B.bufB | 8 bytes equal | byte 0 is 0x5b, not 0x5a`},
	{"memory rest", `- {on: A, wr_rdma_write: {}, expect: {memory: {bufB: {length: 32, equals: bufA, rest: unchanged}}}}`, `6:56 memory B.bufB after it | unchanged | byte 32 changed`},
	{"memory rest before", `- {on: A, wr_rdma_write: {}, expect: {memory: {bufB: {at: 32, length: 32, equals: bufA, rest: unchanged}}}}`, `6:56 memory B.bufB before it | unchanged | byte 0 changed`},
	{"memory changed", `- {on: A, wr_rdma_write: {}, expect: {memory: {bufB: {changed: 63}}}}`, `6:56 memory B.bufB | 63B changed | 64B changed`},
	{"memory prefix", `- {on: A, wr_rdma_write: {sge: [{mr: mA, length: 2KiB}]}, expect: {memory: {bufB: {length: 2KiB, prefix: 1KiB, equals: 0x77}}}}`, `6:85 memory B.bufB | a prefix of a multiple of 1024 bytes, the rest unchanged | 0 bytes equal, and some behind byte 0 changed`},
	{"qp", `- {on: A, wr_rdma_write: {}, expect: {qp: {qA: ERR}}}`, `6:50 qp A.qA | IBV_QPS_ERR | IBV_QPS_RTS`},
	{"qp one of", `- {on: A, wr_rdma_write: {}, expect: {qp: {B.qB: [ERR, SQD]}}}`, `6:52 qp B.qB | IBV_QPS_ERR or IBV_QPS_SQD | IBV_QPS_RTS`},
	{"at state", `- {on: B, dereg_mr: mB, expect: {at: {B: {mB: VALID}}}}`, `6:45 B.mB | valid | absent`},
	{"at access", `- {on: A, wr_rdma_write: {}, expect: {at: {B: {mB: {access: [LOCAL_WRITE]}}}}}`, `6:50 B.mB access | IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_LOCAL_WRITE|IBV_ACCESS_REMOTE_WRITE|IBV_ACCESS_REMOTE_READ|IBV_ACCESS_REMOTE_ATOMIC|IBV_ACCESS_MW_BIND`},
	{"at pd", `- {on: A, wr_rdma_write: {}, expect: {at: {B: {mB: {pd: pB2}}}}}`, `6:50 B.mB pd | pB2 | 1`},
	{"at addr and length", `- {on: A, wr_rdma_write: {}, expect: {at: {B: {mB: {addr: 0x200040, length: 4KiB}}}}}`, `6:50 B.mB addr | 0x200040 | 0x200000
6:50 B.mB length | 4KiB | 8KiB`},
	{"at windows", "- {on: B, alloc_mw: {as: w, type: 2}}\n  - {on: B, wr_bind_mw: {mw: w, mr: mB, length: 4KiB, access: [REMOTE_READ]}, expect: {at: {B: {mB: {windows: 0}, w: {qp: qB2, mr: mB, state: BOUND}}}}}", `7:97 B.mB windows | 0 | 1
7:115 B.w qp | qB2 | 16`},
	{"at posted", `- {on: B, post_recv: {times: 3}, expect: {at: {B: {qB: {posted: 2}}}}}`, `6:54 B.qB posted | 2 | 3`},
	{"at count", `- {on: B, dereg_mr: mB, expect: {at: {B: {count: {mr: unchanged, pd: 2}}}}}`, `6:53 count of mr | 1 | 0`},
	{"at qp state", `- {on: A, wr_rdma_write: {}, expect: {at: {B: {qB: ERR}}}}`, `6:50 qp B.qB | IBV_QPS_ERR | IBV_QPS_RTS`},
	{"key new", `- {on: A, wr_rdma_write: {}, expect: {key: {B.mB: new}}}`, `6:53 key of B.mB | a new one | 0x00000100, before 0x00000100`},
	{"key the same", `- {on: B, rereg_mr: {mr: mB, access: [LOCAL_WRITE]}, expect: {key: {mB: {new: false}}}}`, `6:75 key of B.mB | the same | 0x00000101, before 0x00000100`},
	{"key equals", `- {on: B, rereg_mr: {mr: mB, access: [LOCAL_WRITE]}, expect: {key: {mB: {equals: {of: mB, generation: 0}}}}}`, `6:75 key of B.mB | 0x00000100 | 0x00000101`},
	{"key differs", `- {on: A, wr_rdma_write: {}, expect: {key: {B.mB: {differs: {of: B.mB}}}}}`, `6:53 key of B.mB | not 0x00000100 | 0x00000100`},
	{"key byte", "- {on: B, alloc_mw: {as: w, type: 2}}\n  - {on: B, wr_bind_mw: {mw: w, mr: mB, length: 4KiB, access: [REMOTE_READ], key_byte: 0x37}, expect: {key: {w: {byte: 0x38, same_index: false}}}}", `7:113 key of B.w byte | 0x38 | 0x37
7:113 key of B.w index | 2 | 2`},
	{"key distinct", `- {on: A, wr_rdma_write: {}, expect: {key: {distinct: [B.mB, B.mB]}}}`, `6:57 keys | distinct indices, none 0 | B.mB and B.mB have index 1`},
	{"key of inc_rkey", `- {on: B, inc_rkey: 0x123456ff, expect: {key: 0x12345700}}`, `6:49 key | 0x12345700 | 0x12345600`},
	{"nak none", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {nak: none}}`, `6:71 nak | none | NAK_REMOTE_ACCESS_ERROR at PSN 100`},
	{"nak", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {nak: INVALID_REQUEST}}`, `6:71 nak | NAK_INVALID_REQUEST | NAK_REMOTE_ACCESS_ERROR at PSN 100`},
	{"nak psn", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {nak: {syndrome: REMOTE_ACCESS_ERROR, psn: 101}}}`, `6:71 nak | NAK_REMOTE_ACCESS_ERROR at PSN 101 | NAK_REMOTE_ACCESS_ERROR at PSN 100`},
	{"packets none", `- {on: A, wr_rdma_write: {}, expect: {packets: none}}`, `6:50 packets | none | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE`},
	{"packets count", `- {on: A, wr_rdma_write: {}, expect: {packets: 3}}`, `6:50 packets | 3 | 2: RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE`},
	{"packets list", `- {on: A, wr_rdma_write: {}, expect: {packets: [WRITE_ONLY, WRITE_ONLY, ACK]}}`, `6:50 packets | RC_RDMA_WRITE_ONLY, RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE; packet 2 is RC_ACKNOWLEDGE`},
	{"packets from", `- {on: A, wr_rdma_write: {}, expect: {packets: [WRITE_ONLY, {from: A, opcode: ACK}]}}`, `6:50 packets | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE; packet 2 is from B`},
	{"packets length", `- {on: A, wr_rdma_write: {}, expect: {packets: [{opcode: WRITE_ONLY, length: 63}, ACK]}}`, `6:50 packets | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE; packet 1 is 64 bytes long`},
	{"packets psn", `- {on: A, wr_rdma_write: {}, expect: {packets: [{opcode: WRITE_ONLY, psn: 99}, ACK]}}`, `6:50 packets | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE | RC_RDMA_WRITE_ONLY, RC_ACKNOWLEDGE; packet 1 is PSN 100`},
	{"latency", `- {on: A, wr_rdma_write: {}, expect: {latency: "<= 1us"}}`, `6:50 latency | <= 1us | T`},
	{"latency factor", "- {on: A, id: w, wr_rdma_write: {}}\n  - {on: A, wr_rdma_write: {}, expect: {latency: \">= 0.5 x w\"}}", `7:50 latency | >= 0.5 x w = T | T`},
	{"latency of a step under way", "- {on: A, id: w, async: true, wr_rdma_write: {}}\n  - {on: B, async: true, store: {buf: bufB, data: {u64: 1}}}\n  - {on: B, store: {buf: bufB, data: {u64: 1}}, expect: {latency: \">= 1 x w\"}}", `8:67 latency | >= 1 x w = T | 0ps`},
	{"no_bytes_after", "- {on: A, id: r, async: true, wr_rdma_read: {qp: qA2}}\n  - {on: A, async: true, id: w, wr_rdma_write: {sge: [{mr: mA, length: 8KiB}]}, expect: {no_bytes_after: r}}", `7:89 no_bytes_after | no byte after T | 8192 bytes, the last at T`},
	{"stats", `- {on: A, wr_rdma_write: {}, expect: {stats: [B.mpt.misses == 0, wire.packets >= 3, write.max <= 1us]}}`, `6:49 B.mpt.misses | == 0 | 1
6:68 wire.packets | >= 3 | 2
6:87 write.max | <= 1us | T`},
	{"stats there are none of", `- {on: A, wr_rdma_write: {}, expect: {stats: [read.p50 <= 1us]}}`, `6:49 read.p50 | a figure of this run | there is none of this name`},
	{"coherence", `- {on: A, wr_rdma_write: {}, expect: {coherence: broken}}`, `6:40 coherence | broken | unbroken`},
	{"any", `- {on: A, wr_rdma_write: {}, expect: {any: [{wc: WR_FLUSH_ERR}, {qp: {qA: ERR}}]}}`, `6:40 any | one of them to hold | wc is IBV_WC_SUCCESS; qp A.qA is IBV_QPS_RTS`},
	{"not", `- {on: A, wr_rdma_write: {}, expect: {not: {wc: SUCCESS}}}`, `6:46 not | this not to hold | it holds`},
	{"not of two holds by one", `- {on: A, wr_rdma_write: {}, expect: {wc: SUCCESS, not: {wc: SUCCESS, qp: {qA: RTS}}}}`, `6:59 not | this not to hold | it holds`},
	{"a note says why", `- {on: A, wr_rdma_write: {remote: {key: {byte: +1}}}, expect: {wc: SUCCESS}}`, `6:70 wc | IBV_WC_SUCCESS | IBV_WC_REM_ACCESS_ERR`},
}

// span is a time with a fraction: of what the model came to, not of what the
// text asks for.
var span = regexp.MustCompile(`\d+\.\d+us`)

func TestWrongExpectations(t *testing.T) {
	for _, c := range wrong {
		t.Run(c.name, func(t *testing.T) {
			res := read(t, b0+"ops:\n  "+c.ops+"\n")
			got := ""
			for _, f := range res.Failures {
				got += fmt.Sprintf("%d:%d %s | %s | %s\n", f.Pos.Line, f.Pos.Column, f.What, f.Expected, f.Got)
			}
			if got = span.ReplaceAllString(strings.TrimSpace(got), "T"); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}
