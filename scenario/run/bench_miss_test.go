package run_test

import (
	"fmt"
	"strconv"
	"testing"

	"hcasim/scenario"
)

// levelsLoad is a stream of RDMA WRITEs of which each goes to another region: to
// more of them than either level of b's caches holds, one after another, so that
// it finds there neither the region's entry nor its pages, and both are read from
// host memory, put into both levels and push others out of them.
const levelsLoad = `
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

// BenchmarkWrite64Miss has one miss of the MPT and one of the MTT a WRITE, of
// caches of one level: the row write-64-d64-miss of hcasim bench.
func BenchmarkWrite64Miss(b *testing.B) { benchmarkWrite(b, "write-64-d64-miss") }

// BenchmarkWrite64MissLevels has them in both of two levels.
func BenchmarkWrite64MissLevels(b *testing.B) {
	b.ReportAllocs()
	runs, err := scenario.Read("bench.yaml", fmt.Appendf(nil, levelsLoad, b.N), scenario.Options{})
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
