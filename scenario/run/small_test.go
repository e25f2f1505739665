package run_test

import "testing"

// TestSmallPages: memory of large pages, one of which consists of small ones,
// is translated by small ones, and every byte is where it belongs.
func TestSmallPages(t *testing.T) {
	held(t, b0+`hosts:
  B:
    mem: {even: {length: 6MiB, page: 2MiB, fill: 1}, mixed: {length: 6MiB, page: 2MiB, small: {offset: 3MiB, length: 4KiB}, fill: counting}}
ops:
  - {on: B, reg_mr: {as: e, buf: even, access: [LOCAL_WRITE]}, expect: {errno: OK, at: {B: {count: {mtt: 5}}}}}
  - {on: B, dereg_mr: e, expect: {at: {B: {count: {mtt: 2}}}}}
  - {on: B, reg_mr: {as: m, buf: mixed, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ]}, expect: {errno: OK, at: {B: {count: {mtt: 1538}}}}}
  - {on: A, wr_rdma_write: {sge: [{mr: mA, length: 8KiB}], remote: {mr: m, offset: 2093056}}, expect: {wc: SUCCESS, memory: {B.mixed: {at: 2093056, length: 8KiB, equals: 0xA5, rest: unchanged}}}}
  - {on: A, wr_rdma_read: {sge: [{mr: mA, length: 8KiB}], remote: {mr: m, offset: 4190208}}, expect: {wc: SUCCESS, memory: {bufA: {equals: counting}}}}
`)
}
