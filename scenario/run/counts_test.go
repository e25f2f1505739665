package run_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"hcasim/pcie"
	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// figures returns the figures of a list by name, shares in millionths.
func figures(t testing.TB, list []run.Stat) map[string]uint64 {
	t.Helper()
	all := map[string]uint64{}
	for _, s := range list {
		v, err := strconv.ParseUint(strings.Replace(s.Value, ".", "", 1), 10, 64)
		if err != nil || s.Doc == "" {
			t.Errorf("%+v: %v", s, err)
		}
		all[s.Name] = v
	}
	return all
}

// TestBusFigures: what DMA puts on the link is what the formulas say.
func TestBusFigures(t *testing.T) {
	for _, cut := range []pcie.Cutting{pcie.CutMPS, pcie.CutRCB} {
		h := pcie.DefaultHostParams()
		h.Cut, h.MRRS = cut, 512
		l, _ := pcie.Train(h, pcie.DefaultDeviceParams())
		for _, n := range []sim.Bytes{64, 300, 4096} {
			for _, op := range []string{"read", "write", "both"} {
				res := held(t, fmt.Sprintf(direct, fmt.Sprintf("op: %s, size: %d, walk: fixed, count: 50", op, n), ""), "host.pcie.completion_cut="+string(cut), "host.pcie.mrrs=512B")
				got := figures(t, res.Stats)
				up, down := l.ReadBytes(n)
				write := l.WriteBytes(n)
				readTLPs, writeTLPs, payload := (n+511)/512, (n+255)/256, n
				if op == "read" {
					write, writeTLPs = 0, 0
				}
				if op == "write" {
					up, down, readTLPs = 0, 0, 0
				}
				for name, want := range map[string]sim.Bytes{
					"A.pcie.up.bytes": up + write, "A.pcie.down.bytes": down, "A.pcie.reads": readTLPs, "A.pcie.writes": writeTLPs,
					"A.pcie.up.tlps": readTLPs + writeTLPs, "A.pcie.read_bytes": min(payload, down), "A.pcie.write_bytes": min(payload, write),
					"A.pcie.down.tlps": (down - min(payload, down)) / sim.Bytes(l.CompletionBytes()), "B.pcie.up.tlps": 0, "A.pcie.payload_reads": 0,
				} {
					if got[name] != 50*uint64(want) {
						t.Errorf("%s of %v, cut %s: %s is %d, want %d", op, n, cut, name, got[name], 50*want)
					}
				}
				for name, bytes := range map[string]sim.Bytes{"A.pcie.up.busy": up + write, "A.pcie.down.busy": down} {
					if off := float64(got[name]) - 50*float64(l.Time(bytes)); math.Abs(off) > 50*20 {
						t.Errorf("%s of %v: %s is off by %.0f ps", op, n, name, off)
					}
				}
			}
		}
	}
}

// TestFiguresAddUp: the packets of both hosts are all packets, and so are
// those of all opcodes; TLPs are reads and writes.
func TestFiguresAddUp(t *testing.T) {
	res := load(t, "mix: {RDMA_WRITE: 1, RDMA_READ: 1, SEND: 1}, size: 3000, count: 500, warmup: 100, depth: 8")
	for _, list := range [][]run.Stat{res.Stats, res.Measured} {
		got := figures(t, list)
		var packets, bytes uint64
		for name, v := range got {
			if strings.HasPrefix(name, "wire.packets.") {
				packets += v
			}
			if strings.HasPrefix(name, "wire.bytes.") {
				bytes += v
			}
		}
		if packets != got["wire.packets"] || bytes != got["wire.bytes"] || packets != got["A.wire.packets"]+got["B.wire.packets"] || bytes != got["A.wire.bytes"]+got["B.wire.bytes"] || packets == 0 {
			t.Errorf("%d packets by opcode, %d in all", packets, got["wire.packets"])
		}
		for _, h := range []string{"A.", "B."} {
			reads := got[h+"pcie.wqe_reads"] + got[h+"pcie.rwqe_reads"] + got[h+"pcie.table_reads"] + got[h+"pcie.payload_reads"]
			if got[h+"pcie.up.tlps"] != got[h+"pcie.reads"]+got[h+"pcie.writes"] || reads != got[h+"pcie.reads"] {
				t.Errorf("%s %d TLPs, %d reads and %d writes; %d reads by kind", h, got[h+"pcie.up.tlps"], got[h+"pcie.reads"], got[h+"pcie.writes"], reads)
			}
			if got[h+"qpc.lookups"] != got[h+"qpc.hits"]+got[h+"qpc.misses"] || got[h+"qpc.hits"] == 0 {
				t.Errorf("%s %d contexts, %d hits", h, got[h+"qpc.lookups"], got[h+"qpc.hits"])
			}
			if busy := got[h+"wire.busy"]; busy == 0 || busy > got["time"] {
				t.Errorf("%s the wire was busy for %d of %d ps", h, busy, got["time"])
			}
		}
		if got["B.pcie.rwqe_reads"] == 0 || got["A.pcie.rwqe_reads"] != 0 || got["A.pcie.wqe_reads"] == 0 || got["B.pcie.wqe_reads"] != 0 {
			t.Errorf("work requests read: %d and %d, receives %d and %d", got["A.pcie.wqe_reads"], got["B.pcie.wqe_reads"], got["A.pcie.rwqe_reads"], got["B.pcie.rwqe_reads"])
		}
	}
}

// TestMeasured: the figures of the measured part are of its time and its
// requests, and of the load that ended last.
func TestMeasured(t *testing.T) {
	const text = `version: 1
kind: scenario
name: t
hosts: {A: {mem: {b: {length: 16MiB}}}, B: {}}
ops:
  - {on: A, dma: {op: write, count: 700, size: 1KiB}}
  - {on: A, dma: {op: read, count: 1000, warmup: %s, depth: 16}}
  - {wait: 5us}
`
	for _, warmup := range []string{"100", "10us", "0ps"} {
		res := held(t, fmt.Sprintf(text, warmup))
		got, whole := figures(t, res.Measured), figures(t, res.Stats)
		if got["time"] != uint64(res.Traffic[1].Elapsed) || got["ops"] != 1000 || len(got) != len(whole) {
			t.Errorf("warm-up %s: %d ops in %d ps, the load took %v", warmup, got["ops"], got["time"], res.Traffic[1].Elapsed)
		}
		if n := got["A.pcie.reads"]; n < 1000-16 || n > 1000 || got["A.pcie.writes"] != 0 || whole["A.pcie.writes"] != 2800 {
			t.Errorf("warm-up %s: %d reads and %d writes measured", warmup, n, got["A.pcie.writes"])
		}
	}
	if res := read(t, b0+"ops: [{on: A, wr_rdma_write: {}}]\n"); res.Measured != nil {
		t.Error("figures of a load that was not")
	}
	// Elapsed and the figures of requests agree too.
	res := load(t, "opcode: RDMA_WRITE, count: 1000, warmup: 200, depth: 4")
	if got := figures(t, res.Measured); got["time"] != uint64(res.Traffic[0].Elapsed) || got["ops"] != 1000 || got["wire.packets.RC_RDMA_WRITE_ONLY"] < 996 || got["wire.packets.RC_RDMA_WRITE_ONLY"] > 1000 {
		t.Errorf("%v in %v", got, res.Traffic[0].Elapsed)
	}
}

// TestRates: thresholds of what loads do in a second, and of packets that do
// not occur.
func TestRates(t *testing.T) {
	const text = `version: 1
kind: scenario
name: t
hosts: {A: {mem: {b: {length: 16MiB}}}, B: {}}
ops: [{on: A, dma: {op: write, count: 500}, expect: {stats: [dma_write.rate >= 1Mop/s, A.pcie.writes == 500]}}]
thresholds: [dma_write.rate %s, dma_write.bandwidth %s, wire.packets.RC_RDMA_WRITE_ONLY == 0]
`
	x := held(t, fmt.Sprintf(text, ">= 4Mop/s", ">= 2Gb/s")).Traffic[0]
	rate := float64(sim.Second) * 500 / float64(x.Elapsed)
	held(t, fmt.Sprintf(text, fmt.Sprintf("== %d", int(rate)), fmt.Sprintf("<= %.3fGb/s", rate*512/1e9+0.001)))
	if res := read(t, fmt.Sprintf(text, "<= 1Mop/s", "<= 1Gb/s")); len(res.Failures) != 2 || res.Failures[0].Expected != "<= 1000000 op/s" {
		t.Errorf("%+v", res.Failures)
	}
}

// TestUnwatchedFigures: links are counted all the same.
func TestUnwatchedFigures(t *testing.T) {
	runs, err := scenario.Read("t.yaml", fmt.Appendf(nil, loaded, "opcode: RDMA_WRITE, count: 100"), scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := runs[0].DoUnwatched()
	if err != nil {
		t.Fatal(err)
	}
	got, want := figures(t, res.Stats), figures(t, load(t, "opcode: RDMA_WRITE, count: 100").Stats)
	for name, v := range want {
		link := strings.Contains(name, "pcie.") || strings.Contains(name, "wire.")
		if link && got[name] != v || !link && strings.Contains(name, ".qpc.") && got[name] != 0 {
			t.Errorf("%s is %d unwatched, %d watched", name, got[name], v)
		}
	}
}

// TestIOTLBFigures: random DMA over a window misses as often as the IOTLB does
// not reach, and pays a walk each time; a window that it holds costs nothing.
func TestIOTLBFigures(t *testing.T) {
	sets := []string{"host.iommu.mode=on", "host.iommu.entries=64", "host.iommu.walk=300ns"}
	for _, window := range []float64{128, 256, 512, 1024} { // KiB
		say := fmt.Sprintf(direct, fmt.Sprintf("op: read, walk: uniform, window: %.0fKiB, count: 20000, warmup: 5000", window), "")
		res, plain := held(t, say, sets...), held(t, say)
		got := figures(t, res.Measured)
		want := max(0, 1-64*4/window)
		misses := float64(got["A.iotlb.misses"]) / float64(got["A.iotlb.lookups"])
		if got["A.iotlb.lookups"] != 20000 || math.Abs(misses-want) > 0.02 {
			t.Errorf("%.0f KiB: %.3f of %d miss, want %.3f", window, misses, got["A.iotlb.lookups"], want)
		}
		more := float64(res.Traffic[0].Latency.Mean() - plain.Traffic[0].Latency.Mean())
		if math.Abs(more-misses*300_000) > 2 {
			t.Errorf("%.0f KiB: %.1f ns more, for %.3f walks each", window, more/1e3, misses)
		}
	}
}
