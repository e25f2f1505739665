package run_test

import (
	"fmt"
	"strconv"
	"testing"

	"hcasim/scenario"
)

// missLoad is a stream of RDMA WRITEs of which each goes to another region: to
// more of them than b's caches hold, one after another, so that it finds there
// neither the region's entry nor its pages, and both are read from host memory.
const missLoad = `
version: 1
kind: scenario
name: bench
profile: connectx5-like
hosts:
  a: {pd: [pd0], qp: {q0: {pd: pd0, peer: b.q0, mtu: 4096}}, mr: {src: {length: 64KiB, access: [LOCAL_WRITE]}}}
  b:
    hca: {cache: {mpt: {l1: {entries: 256}}, mtt: {l1: {entries: 256}}}}
    pd: [pd0]
    qp: {q0: {pd: pd0, peer: a.q0, mtu: 4096, access: [REMOTE_WRITE]}}
    mr: {dst: {count: 1024, length: 32KiB, page: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}
ops:
  - {on: a, traffic: {opcode: RDMA_WRITE, size: 64B, depth: 64, count: %d, target: {of: [dst], pick: sequential}, source: {of: [src]}}}
`

// BenchmarkWrite64Miss runs WRITEs of 64 bytes with 64 in flight, each with one
// miss of the MPT and one of the MTT.
func BenchmarkWrite64Miss(b *testing.B) {
	b.ReportAllocs()
	runs, err := scenario.Read("bench.yaml", fmt.Appendf(nil, missLoad, b.N), scenario.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	res, err := runs[0].Do()
	if err != nil {
		b.Fatal(err)
	}
	if !res.OK() {
		b.Fatal(res.End, res.Waits, res.Broken)
	}
	for _, s := range res.Stats {
		if s.Name == "b.mpt.misses" || s.Name == "b.mtt.misses" {
			n, err := strconv.ParseFloat(s.Value, 64)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(n/float64(b.N), s.Name[2:]+"/op")
		}
	}
	b.ReportMetric(float64(res.Events)/float64(b.N), "events/op")
}
