package run_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"hcasim/pcie"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// direct begins a scenario of which one host has 16 MiB of memory.
const direct = `version: 1
kind: scenario
name: t
hosts: {A: {mem: {b: {length: 16MiB, page: 2MiB}}}, B: {}}
ops:
  - {on: A, id: d, dma: {of: b, %s}%s}
`

func dma(t testing.TB, say string, sets ...string) *run.Traffic {
	t.Helper()
	return &held(t, fmt.Sprintf(direct, say, ""), sets...).Traffic[0]
}

// ends are parameters of a bus without a round number among them, as the
// formulas and as a scenario take them.
func ends(t testing.TB, command bool) (pcie.Link, []string) {
	h, d := pcie.DefaultHostParams(), pcie.DefaultDeviceParams()
	h.Generation, h.Lanes, h.Utilisation, h.MRRS = 3, 8, 918_583, 512
	h.Propagation, h.ReadLatency, h.WriteLatency = 61_003, 230_017, 77_001
	if !command {
		d.ReadOverhead, d.WriteOverhead, d.ReadPerByte, d.WritePerByte = 120_001, 9_007, 147, 95
	} else {
		d.ReadOverhead = 0
	}
	l, err := pcie.Train(h, d)
	if err != nil {
		t.Fatal(err)
	}
	return l, []string{
		"host.pcie.generation=3", "host.pcie.lanes=8", "host.pcie.utilisation=918583", "host.pcie.mrrs=512B",
		"host.pcie.propagation=61003ps", "host.pcie.read_latency=230017ps", "host.pcie.write_latency=77001ps",
		"hca.pcie.read_overhead=120001ps", "hca.pcie.write_overhead=9007ps", "hca.pcie.read_per_byte=147", "hca.pcie.write_per_byte=95",
	}
}

// TestDMAUnloaded: alone on the bus, DMA takes the time of the closed formulas
// and what memory takes, to the picosecond; past the DMA engines without their
// overheads.
func TestDMAUnloaded(t *testing.T) {
	const dram, commit = 100 * sim.Nanosecond, 30 * sim.Nanosecond
	for _, by := range []string{"engine", "command"} {
		l, sets := ends(t, by == "command")
		for _, n := range []sim.Bytes{1, 8, 64, 65, 256, 257, 512, 1024, 4096} {
			for op, want := range map[string]sim.Duration{"read": l.UnloadedRead(n) + dram, "write": l.UnloadedWrite(n) + commit} {
				x := dma(t, fmt.Sprintf("op: %s, size: %d, walk: fixed, count: 100, interface: %s", op, n, by), sets...)
				if x.Latency.Min() != want || x.Latency.Max() != want || x.Latency.Quantile(500) != want || x.Count != 100 || x.Bytes != 100*uint64(n) {
					t.Errorf("%s of %v by %s: %v to %v, the formula says %v", op, n, by, x.Latency.Min(), x.Latency.Max(), want)
				}
				if x.Opcode != "dma_"+op || x.Elapsed != 100*want {
					t.Errorf("100 of %s in %v, want %v", x.Opcode, x.Elapsed, 100*want)
				}
			}
		}
	}
}

// TestDMAPairs: a read behind a write of the same bytes waits for the write
// and no longer; beside a write it does not wait.
func TestDMAPairs(t *testing.T) {
	l, sets := ends(t, false)
	write, read := l.UnloadedWrite(64)+30*sim.Nanosecond, l.UnloadedRead(64)+100*sim.Nanosecond
	if x := dma(t, "op: both, count: 10", sets...); x.Latency.Max() != max(write, read) || x.Count != 10 || x.Bytes != 1280 {
		t.Errorf("both take %v, a read %v, a write %v", x.Latency.Max(), read, write)
	}
	x := dma(t, "op: write_read, count: 10", sets...)
	if got := x.Latency.Max(); got <= read || got >= write+read || x.Bytes != 1280 {
		t.Errorf("a write and the read behind it take %v, alone %v and %v", got, write, read)
	}
	// The read may leave as soon as the write has left: it is a write TLP and
	// what the endpoint takes for the write later than alone.
	if late := x.Latency.Max() - read; late > 9_007+64*95+l.WriteTime(64)+1 {
		t.Errorf("the read comes %v later", late)
	}
}

// TestDMARates: many in flight have the rate of the link to 0.1 %, in each
// direction.
func TestDMARates(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	h, d := pcie.DefaultHostParams(), pcie.DefaultDeviceParams()
	h.Generation, h.Lanes, h.Utilisation, h.MRRS, d.MRRS, d.Tags = 3, 8, 0, 512, 512, 15360
	h.PostedHeaders, h.PostedData, h.NonPostedHeaders = 0, 0, 0
	l, err := pcie.Train(h, d)
	if err != nil {
		t.Fatal(err)
	}
	sets := []string{
		"host.pcie.generation=3", "host.pcie.lanes=8", "host.pcie.utilisation=0", "host.pcie.mrrs=512B", "hca.pcie.tags=15360",
		"host.pcie.posted_headers=0", "host.pcie.posted_data=0", "host.pcie.non_posted_headers=0",
	}
	for _, n := range []sim.Bytes{8, 64, 65, 256, 257, 512, 1024, 4096} {
		for op, want := range map[string]sim.BitRate{"read": l.ReadRate(n), "write": l.WriteRate(n), "both": 2 * l.MixedRate(n)} {
			x := dma(t, fmt.Sprintf("op: %s, size: %d, stride: 4096, count: 20000, depth: 1024, warmup: 4000", op, n), sets...)
			got := float64(x.Bytes) * 8e12 / float64(x.Elapsed)
			if off := got/float64(want) - 1; math.Abs(off) > 0.001 {
				t.Errorf("%s of %v: %.3f Gb/s, the formula says %.3f (%.2f %% off)", op, n, got/1e9, float64(want)/1e9, 100*off)
			}
		}
	}
}

// TestDMACache: what the last-level cache holds as the measured part begins.
// Of what the adapter has written only its share of the ways is left.
func TestDMACache(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	sets := []string{"host.memory.llc=on", "host.memory.llc_size=15MiB", "host.memory.llc_ways=20", "host.memory.ddio_ways=2"}
	l, _ := pcie.Train(pcie.DefaultHostParams(), pcie.DefaultDeviceParams())
	const hit, dram = 30 * sim.Nanosecond, 100 * sim.Nanosecond
	for _, c := range []struct {
		cache  string
		window uint64 // KiB
		held   float64
	}{
		{"cold", 64, 0}, {"cold", 16384, 0}, {"as-is", 1024, 0},
		{"host", 64, 1}, {"host", 15360, 1}, {"host", 16384, 15. / 16},
		{"device", 64, 1}, {"device", 1536, 1}, {"device", 2048, 0.75}, {"device", 4096, 0.375}, {"device", 16384, 0.09375},
	} {
		lines := c.window * 16
		x := dma(t, fmt.Sprintf("op: read, window: %dKiB, cache: %s, count: %d", c.window, c.cache, lines), sets...)
		got := float64(x.Latency.Mean() - l.UnloadedRead(64) - hit)
		if want := (1 - c.held) * float64(dram-hit); math.Abs(got-want) > 1 {
			t.Errorf("%d KiB, cache %s: %.1f ns more than a hit, want %.1f", c.window, c.cache, got/1e3, want/1e3)
		}
	}
	// A read behind a write of the same bytes finds them where the write has
	// put them, whatever the window.
	x := dma(t, "op: write_read, cache: cold, count: 1000", sets...)
	y := dma(t, "op: write_read, cache: cold, count: 1000", append(sets, "host.memory.ddio_ways=0")...)
	if y.Latency.Min()-x.Latency.Max() != dram-hit {
		t.Errorf("with DDIO %v, without %v", x.Latency.Max(), y.Latency.Min())
	}
}

// TestDMAWarmup: the warm-up is no part of the figures, and the window begins
// with its last end.
func TestDMAWarmup(t *testing.T) {
	for _, warmup := range []string{"0ps", "100", "300ns", "20us"} {
		for _, depth := range []uint64{1, 8, 50} {
			x := dma(t, fmt.Sprintf("op: read, count: 1000, depth: %d, warmup: %s", depth, warmup))
			l, _ := pcie.Train(pcie.DefaultHostParams(), pcie.DefaultDeviceParams())
			trip := l.UnloadedRead(64) + 100*sim.Nanosecond
			if x.Count != 1000 || x.Latency.Count() != 1000 {
				t.Errorf("warm-up %s, depth %d: %d measured", warmup, depth, x.Count)
			}
			if flat := float64(depth) * float64(x.Elapsed) / 1000 / float64(trip); flat < 0.998 || flat > 1.015 { // without warm-up, 1.2 % for the first 50 one behind the other
				t.Errorf("warm-up %s, depth %d: 1000 in %v, %.4f of what %v each take", warmup, depth, x.Elapsed, flat, trip)
			}
		}
	}
}

// TestDMAPlaces: in memory of which no two frames are neighbours every byte is
// where the page tables say: the frames between are out of the adapter's
// reach. Afterwards the buffer is too.
func TestDMAPlaces(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(direct, "op: both, size: 12000, window: 1MiB, offset: 1000, stride: 100, walk: uniform, depth: 8, count: 500", ", expect: {event: none, at: {A: {count: {pinned: unchanged}}}}"), ", page: 2MiB", "", 1)
	x := held(t, text, "host.memory.contiguous=4KiB", "host.iommu.mode=on").Traffic[0]
	if x.Count != 500 || x.Bytes != 2*500*12000 {
		t.Errorf("%d of %d bytes", x.Count, x.Bytes)
	}
}

// TestDMARefused: what the IOMMU refuses breaks the load off, and is a failure
// unless the step expects the fault. A region is as its registration left it.
func TestDMARefused(t *testing.T) {
	const text = `version: 1
kind: scenario
name: t
host: {iommu: {mode: on}}
hosts: {A: {pd: [p], mem: {b: {length: 64KiB}}, mr: {m: {buf: b, access: [LOCAL_WRITE]}}}, B: {}}
ops:
  - {on: A, dma: {op: write, of: m, count: 100}}
  - {on: A, iommu_unmap: {mr: m, offset: 4KiB, length: 4KiB}}
  - {on: A, dma: {op: read, of: m, count: 100}%s}
  - {on: A, dma: {op: write, of: b, count: 100}}
  - {on: A, dereg_mr: m}
`
	res := read(t, fmt.Sprintf(text, ""))
	if len(res.Failures) != 1 || res.Failures[0].What != "dma" || res.Failures[0].Got != "1 refused by the IOMMU" || res.Traffic[1].Failed != 1 {
		t.Errorf("%+v", res.Failures)
	}
	held(t, fmt.Sprintf(text, ", expect: {event: {A: IOMMU_FAULT}}"))
}

// TestDMAInParallel: two steps share a host's bus, and end.
func TestDMAInParallel(t *testing.T) {
	res := held(t, `version: 1
kind: scenario
name: t
hosts: {A: {mem: {b: {length: 64KiB}}}, B: {mem: {c: {length: 64KiB}}}}
ops:
  - parallel:
      - {on: A, dma: {op: read, count: 2000, depth: 8}}
      - {on: A, dma: {op: write, of: b, count: 1000, depth: 4, relaxed: on}}
      - {dma: {op: both, of: c, count: 500}}
thresholds: [dma_read.count == 2000, dma_write.count == 1000, dma_both.count == 500, dma_read.p50 <= 1us, ops == 3500]
`)
	if len(res.Traffic) != 3 {
		t.Errorf("%d loads", len(res.Traffic))
	}
}

// TestDMAAllocatesNothing: twenty thousand more operations cost no more
// allocations than the growth of pools and rings.
func TestDMAAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	mallocs := func(count int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		dma(t, fmt.Sprintf("op: both, size: 8KiB, walk: uniform, depth: 16, count: %d", count))
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	mallocs(1000)
	if few, many := mallocs(1000), mallocs(21_000); many > few+500 {
		t.Errorf("%d allocations for 1000, %d for 21000", few, many)
	}
}

// TestDMAMistakes: each has its place.
func TestDMAMistakes(t *testing.T) {
	for say, want := range map[string]string{
		"op: read, count: 1, of: q":                    `mem or mr "q" is not declared on host A (b)`,
		"op: read, count: 1, window: 17MiB":            "the window leaves b of 16MiB",
		"op: read, count: 1, window: 16MiB, offset: 1": "the window leaves b of 16MiB",
		"op: read, count: 1, offset: 16MiB":            "the window begins behind b of 16MiB",
		"op: read, count: 1, size: 0":                  "0 is too little",
		"op: read, count: 1, size: 128, window: 127":   "128B do not fit into a window of 127B",
		"op: read":                                         "count is missing",
		"count: 1":                                         "op is missing",
		"op: fetch, count: 1":                              `"fetch" is not known here`,
		"op: read, count: 1, depth: 0":                     "0 is out of range",
		"op: read, count: 1, stride: 0":                    "0 is too little",
		"op: read, count: 1, walk: zipf":                   `"zipf" is not known here`,
		"op: read, count: 1, cache: hot":                   `"hot" is not known here`,
		"op: read, count: 1, relaxed: maybe":               `"maybe" is not known here`,
		"op: read, count: 1, interface: command, deph: 16": `unknown field "deph"`,
	} {
		text := strings.Replace(direct, "of: b, %s}%s", say+"}", 1)
		if m := mistakes(t, text); len(m.Problems) != 1 || m.Problems[0].Message != want || m.Problems[0].Line != 6 || m.Problems[0].Column < 20 {
			t.Errorf("%s: %+v", say, m.Problems)
		}
	}
}
