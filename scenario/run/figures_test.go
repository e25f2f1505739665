package run_test

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/scenario/run"
)

// near reports whether a figure is what it should be, up to so many parts of a
// thousand.
func near(got, want, perMille float64) bool {
	off := got - want
	return off <= want*perMille/1000 && off >= -want*perMille/1000
}

// TestStallOfTags: reads that have one tag go one by one, and the next of them
// waits for it from the moment at which the one in front has left until its
// data are there: all the time.
func TestStallOfTags(t *testing.T) {
	res := held(t, fmt.Sprintf(direct, "op: read, size: 64, walk: fixed, count: 200, warmup: {count: 10}, depth: 3", ""), "hca.pcie.tags=1")
	got := figures(t, res.Measured)
	x := &res.Traffic[0]
	if n := got["A.stall.pcie_tags.count"]; n < x.Count-2 || n > x.Count+2 {
		t.Errorf("%d reads waited %d times for a tag", x.Count, n)
	}
	if waited := float64(got["A.stall.pcie_tags.time"]); !near(waited, float64(x.Elapsed), 10) {
		t.Errorf("waited %.0f ps for tags in %v", waited, x.Elapsed)
	}
	if busy := got["A.pcie.up.busy"] * 1_000_000 / uint64(x.Elapsed); got["A.pcie.up.utilisation"] != busy {
		t.Errorf("the link was taken %d of a million, busy says %d", got["A.pcie.up.utilisation"], busy)
	}
	free := figures(t, held(t, fmt.Sprintf(direct, "op: read, size: 64, walk: fixed, count: 200, warmup: {count: 10}, depth: 3", "")).Measured)
	if free["A.stall.pcie_tags.count"] != 0 || !near(float64(free["A.pcie.reads_per_op"]), 1e6, 10) || !near(float64(free["A.pcie.read_bytes_per_op"]), 64e6, 10) {
		t.Errorf("with tags enough: %d waits, %d reads and %d bytes each", free["A.stall.pcie_tags.count"], free["A.pcie.reads_per_op"], free["A.pcie.read_bytes_per_op"])
	}
}

// TestStallsByCause: what is made scarce is what is waited for, nearly all the
// time: no figure of another thing reaches so much.
func TestStallsByCause(t *testing.T) {
	for _, c := range []struct{ traffic, sets, stall string }{
		{"opcode: RDMA_WRITE, size: 1KiB, depth: 32", "host.pcie.posted_headers=1 host.pcie.credit_return=2us", "B.pcie_posted_credits"},
		{"opcode: RDMA_READ, size: 64, depth: 8", "host.pcie.non_posted_headers=1 host.pcie.credit_return=2us", "B.pcie_nonposted_credits"},
		{"opcode: RDMA_READ, size: 512, depth: 8", "host.pcie.mrrs=512B hca.pcie.completion_headers=9 hca.pcie.completion_data=40", "B.pcie_completion_credits"},
		{"opcode: RDMA_READ, size: 64, depth: 16", "hca.pcie.read_ops=1", "B.pcie_read_engine"},
		{"opcode: RDMA_WRITE, size: 64, depth: 64", "hca.mtp.mpt_interval=400 hca.mtp.depth=1", "A.mpt_stage"},
		{"opcode: RDMA_WRITE, size: 64, depth: 32", "hca.send_buffers=1", "A.send_buffers"},
		{"opcode: RDMA_READ, size: 4KiB, depth: 16", "hca.answer_buffers=1", "B.answer_buffers"},
		{"opcode: RDMA_WRITE, size: 64, depth: 64", "hca.receive_buffers=1", "B.receive_buffers"},
		{"opcode: RDMA_WRITE, size: 4KiB, depth: 64", "wire.rate=1Gb/s", "A.wire_request_queue"},
		{"opcode: RDMA_WRITE, size: 4KiB, depth: 64", "wire.requests.packets=1 wire.delay=5us", "A.wire_request_credits"},
		{"opcode: ATOMIC_FETCH_AND_ADD, depth: 8, target: {of: dst, walk: fixed}", "hca.atomic_hold=5000", "B.atomic_bucket"},
		{"opcode: SEND, size: 64, depth: 8", "hca.recv_prefetch=1", "B.rwqe_fetch"},
		{"opcode: RDMA_WRITE, size: 64, depth: 64", "host.cpu.post=3us", "A.cpu"},
		{"opcode: RDMA_WRITE, size: 64, depth: 64", "hca.wqe_room=1", "A.wqe_room"},
		{"opcode: RDMA_WRITE, size: 64, depth: 64", "wire.delay=50us", "A.sq_slots"},
		{"opcode: RDMA_READ, size: 64, depth: 8", "", "A.outstanding_reads"},
	} {
		t.Run(c.stall, func(t *testing.T) {
			say := c.traffic
			if !strings.Contains(say, "target: ") {
				say += ", target: dst"
			}
			text := strings.Replace(fmt.Sprintf(loaded, say+", count: 500, warmup: {count: 100}"), "target: dst, ", "", 1)
			text = strings.ReplaceAll(text, "q: {count: 4,", "q: {count: 4, sq: 32, max_rd_atomic: 16, max_dest_rd_atomic: 16,")
			if c.stall == "A.outstanding_reads" {
				text = strings.ReplaceAll(text, "rd_atomic: 16", "rd_atomic: 1")
			}
			res := held(t, text, strings.Fields(c.sets)...)
			got := figures(t, res.Measured)
			host, what, _ := strings.Cut(c.stall, ".")
			name := host + ".stall." + what
			if got[name+".count"] == 0 || float64(got[name+".time"]) < 0.5*float64(res.Traffic[0].Elapsed) {
				t.Errorf("%d waits, %d ps of %v", got[name+".count"], got[name+".time"], res.Traffic[0].Elapsed)
				for n, v := range got {
					if strings.Contains(n, ".stall.") && strings.HasSuffix(n, ".time") && v > 0 {
						t.Logf("%s %d", n, v)
					}
				}
			}
		})
	}
}

// TestUtilisation: a wire that is all that limits is taken all the time; units
// of the adapter are taken as often as there are packets and accesses.
func TestUtilisation(t *testing.T) {
	res := held(t, fmt.Sprintf(loaded, "opcode: RDMA_WRITE, size: 4KiB, depth: 64, count: 1000, warmup: {count: 200}"), "wire.rate=10Gb/s")
	got := figures(t, res.Measured)
	if u := got["A.wire.utilisation"]; u < 999_000 || u > 1_001_000 {
		t.Errorf("a full wire was taken %d of a million", u)
	}
	whole := figures(t, held(t, fmt.Sprintf(loaded, "opcode: RDMA_WRITE, size: 64, depth: 16, count: 1000"), "hca.schedule=7", "hca.packet_gap=9").Stats)
	for name, cycles := range map[string]uint64{
		"A.send_engine.busy": 7 * 1000, "B.send_engine.busy": 0, "A.tx_requests.busy": 9 * 1000, "B.tx_answers.busy": 9 * 1000,
		"B.receive_engine.busy": 9 * 1000, "A.receive_engine.busy": 9 * 1000, "A.mpt.busy": 1000, "B.mtt.busy": 1000,
	} {
		if want := cycles * 1000; whole[name] != want { // of 1 GHz
			t.Errorf("%s is %d ps, want %d", name, whole[name], want)
		}
	}
}

// TestHitRates: a cache holds what the first request has brought; of two
// levels the second one is asked by those that miss the first.
func TestHitRates(t *testing.T) {
	got := figures(t, held(t, strings.Replace(fmt.Sprintf(loaded, "opcode: RDMA_WRITE, size: 64, depth: 1, count: 1000"), "target: dst", "target: {of: dst, walk: fixed}", 1)).Stats)
	if got["B.mpt.lookups"] != 1000 || got["B.mpt.hit_rate"] != 999_000 || got["B.mpt.fetches"] != 1 || got["B.mtt.hit_rate"] != 999_000 || got["B.mtt.fetches"] != 1 {
		t.Errorf("mpt %d, mtt %d of a million", got["B.mpt.hit_rate"], got["B.mtt.hit_rate"])
	}
	for _, absent := range []string{"B.mpt.l1.hit_rate", "A.iotlb.hit_rate"} {
		if _, is := got[absent]; is {
			t.Errorf("%s is there", absent)
		}
	}
	two := figures(t, held(t, fmt.Sprintf(strings.Replace(loaded, "target: dst", "target: {of: few, pick: sequential}", 1), "opcode: RDMA_WRITE, size: 64, depth: 1, count: 1000"),
		"hca.cache.mpt.entries=4", "hca.cache.mpt.ways=4", "hca.cache.mpt.l1.entries=64", "hca.cache.mpt.l1.ways=4").Stats)
	if two["B.mpt.hit_rate"] != 0 || two["B.mpt.l1.hit_rate"] != 992_000 || two["B.mpt.fetches"] != 8 {
		t.Errorf("8 regions in turn through 4 entries: %d near, %d far, %d fetched", two["B.mpt.hit_rate"], two["B.mpt.l1.hit_rate"], two["B.mpt.fetches"])
	}
}

// TestFiguresOfKinds: thresholds may hold every figure of a load, and of its
// measured part.
func TestFiguresOfKinds(t *testing.T) {
	text := fmt.Sprintf(loaded, "opcode: RDMA_WRITE, count: 1000, warmup: {count: 100}, rate: 1Mop/s") +
		"thresholds: [write.p9999 <= 100us, write.p9999 >= 500ns, write.rate >= 0.99Mop/s, write.bytes_per_s >= 63000000, write.bandwidth <= 513Mb/s, write.offered >= 999kop/s," +
		" measured.ops == 1000, measured.A.pcie.stores_per_op >= 0.99, measured.B.mpt.hit_rate == 1, measured.A.wire.utilisation <= 2%, A.stall.pcie_tags.time == 0ps]\n"
	text = strings.Replace(text, "0.99Mop/s", "990kop/s", 1)
	res := held(t, text)
	if res.Limits != 11 {
		t.Errorf("%d thresholds", res.Limits)
	}
	kinds := figures(t, res.KindStats())
	x := &res.Traffic[0]
	if kinds["write.count"] != 1000 || kinds["write.p9999"] != uint64(x.Latency.AtBasis(9999)) || kinds["write.offered"] != 1_000_000 || kinds["write.bandwidth"]/8 != kinds["write.bytes_per_s"] {
		t.Errorf("%v", kinds)
	}
	for _, wrong := range []string{"measured.write.p99 <= 1us", "A.stall.nothing.count == 0", "A.mpt.rate == 1"} {
		mistakes(t, fmt.Sprintf(loaded, "opcode: RDMA_WRITE, count: 1")+"thresholds: ["+wrong+"]\n")
	}
}

// TestTails: of ten thousand, 9,999 are no longer than p9999.
func TestTails(t *testing.T) {
	var h run.Histogram
	for i := range 10_000 {
		h.Add(1000)
		if i == 5000 || i == 7000 {
			h.Add(1_000_000)
		}
	}
	if h.AtBasis(9990) != 1000 || h.AtBasis(9999) < 999_000 || h.Quantile(999) != h.AtBasis(9990) {
		t.Errorf("p99.9 %v, p99.99 %v", h.AtBasis(9990), h.AtBasis(9999))
	}
}
