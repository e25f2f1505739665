package run_test

import (
	"runtime"
	"testing"
)

// TestHighKey: a key of the highest index there is costs what one of a low index
// costs, in the tables of the adapter and in the book of the keys; and so does a
// queue pair of a high number.
func TestHighKey(t *testing.T) {
	const text = b0 + "hca: {limit: {mr: 16777215, qp: 16777215}}\n" +
		"hosts: {B: {qp: {far: {qpn: 0xffff00}}, mr: {high: {length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE], key: 0xffffff00}}}}\n" +
		"ops:\n  - {on: A, wr_rdma_write: {length: 64, remote: {mr: high}}, expect: {wc: SUCCESS}}\n" +
		"  - {on: B, dereg_mr: high}\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res := held(t, text)
	runtime.ReadMemStats(&after)
	if len(res.Ops) != 2 {
		t.Errorf("%d ops", len(res.Ops))
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
		t.Errorf("%d MiB for two ops", n>>20)
	}
}
