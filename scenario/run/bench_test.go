package run_test

import (
	"testing"

	"hcasim/study/bench"
)

// BenchmarkWrite64 runs WRITEs of 64 bytes with 64 in flight, the row
// write-64-d64 of hcasim bench. Allocations are those of the whole run, set-up
// included, spread over its requests: they vanish as b.N grows.
func BenchmarkWrite64(b *testing.B) { benchmarkWrite(b, "write-64-d64") }

// BenchmarkWrite64Depth1 has one in flight.
func BenchmarkWrite64Depth1(b *testing.B) { benchmarkWrite(b, "write-64-d1") }

func benchmarkWrite(b *testing.B, file string) {
	b.ReportAllocs()
	r, err := bench.Read(file, uint64(b.N))
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	res, err := r.Do()
	if err != nil {
		b.Fatal(err)
	}
	if !res.OK() {
		b.Fatal(res.End, res.Waits, res.Broken)
	}
	b.ReportMetric(float64(res.Events)/float64(b.N), "events/op")
	b.ReportMetric(float64(res.Now)/float64(b.N)/1000, "sim-ns/op")
}
