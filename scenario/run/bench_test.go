package run_test

import (
	"fmt"
	"testing"

	"hcasim/scenario"
)

// writeLoad is a stream of RDMA WRITEs over warm caches.
const writeLoad = `
version: 1
kind: scenario
name: bench
profile: %s
hosts:
  a: {pd: [pd0], qp: {q0: {pd: pd0, peer: b.q0, mtu: 4096}}, mr: {src: {length: 64KiB, access: [LOCAL_WRITE]}}}
  b: {pd: [pd0], qp: {q0: {pd: pd0, peer: a.q0, mtu: 4096, access: [REMOTE_WRITE]}}, mr: {dst: {length: 64KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}}
ops:
  - {on: a, traffic: {opcode: RDMA_WRITE, size: %s, depth: %d, count: %d, target: {of: [dst]}, source: {of: [src]}}}
`

// BenchmarkWrite64 runs WRITEs of 64 bytes with 64 in flight. Allocations are
// those of the whole run, set-up included, spread over its requests: they
// vanish as b.N grows.
func BenchmarkWrite64(b *testing.B) { benchmarkWrite(b, "connectx5-like", "64B", 64) }

// BenchmarkWrite64Depth1 has one in flight.
func BenchmarkWrite64Depth1(b *testing.B) { benchmarkWrite(b, "connectx5-like", "64B", 1) }

func benchmarkWrite(b *testing.B, profile, size string, depth int) {
	b.ReportAllocs()
	runs, err := scenario.Read("bench.yaml", fmt.Appendf(nil, writeLoad, profile, size, depth, b.N), scenario.Options{})
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
	b.ReportMetric(float64(res.Events)/float64(b.N), "events/op")
	b.ReportMetric(float64(res.Now)/float64(b.N)/1000, "sim-ns/op")
}
