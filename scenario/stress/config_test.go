package stress

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A knob is a parameter and its extremes.
type knob struct {
	path   string
	values []string
}

func words(path, values string) knob { return knob{path, strings.Fields(values)} }

// adapterKnobs are those of hca:, each host's own.
var adapterKnobs = []knob{
	words("clock", "200MHz 1GHz 2GHz"),
	words("pcie.generation", "1 3 6"), words("pcie.lanes", "1 4 16"), words("pcie.mps", "128B 512B 4KiB"), words("pcie.mrrs", "128B 512B 4KiB"),
	words("pcie.cut", "packed"), words("pcie.tags", "1 2 4"), words("pcie.egress", "64B 128B"), words("pcie.arbiter", "priority weighted"),
	words("pcie.read_ops", "1 2"), words("pcie.read_overhead", "0ns 1us 5us"), words("pcie.completion_headers", "65 128"), words("pcie.completion_data", "300 512"),
	words("pcie.posted_headers", "1 2"), words("pcie.posted_data", "4 8"),
	words("mtp.mpt_latency", "1 100"), words("mtp.mpt_interval", "7"), words("mtp.mtt_latency", "1 200"), words("mtp.depth", "1 2 3"),
	words("mtp.miss", "block"), words("mtp.contexts", "receive block"), words("mtp.fills", "1 2 4"), words("mtp.context_fills", "1 2"),
	words("mtp.arbiter", "priority weighted"), words("mtp.change_cycles", "1 3000"), words("cache.renew", "true"),
	words("doorbell", "1 1000"), words("schedule", "0 100"), words("transmit", "1 500"), words("answer", "1 500"), words("receive", "1 500"), words("packet_gap", "0 100"),
	words("gap.again", "50"), words("gap.receive_write", "100"), words("gap.local", "200"), words("gap.send_read", "300"),
	words("engine", "shared"), words("pipe_depth", "1 2 3"), words("wqe_prefetch", "1 2"), words("wqe_room", "1 2 8"), words("wqe_whole", "true"), words("wqe_again", "true"),
	words("recv_prefetch", "1 2"), words("send_buffers", "1 2 4"), words("receive_buffers", "1 2 4"), words("answer_buffers", "1 2 4"),
	words("atomic_buckets", "1 2"), words("atomic_hold", "500"), words("atomic_cycles", "1 1000"), words("command_cycles", "1 5000"),
	words("fetch_list", "true"), words("local_depth", "2 16"), words("largest_page", "4KiB"), words("command_depth", "1"),
}

// hostKnobs are those of host:.
var hostKnobs = []knob{
	words("pcie.generation", "1 3"), words("pcie.lanes", "1 8"), words("pcie.mps", "128B 512B"), words("pcie.rcb", "128B"), words("pcie.completion_cut", "rcb"),
	words("pcie.read_order", "start"), words("pcie.posted_headers", "1 2"), words("pcie.posted_data", "256 300"), words("pcie.non_posted_headers", "1 2"), words("pcie.credit_return", "1us"),
	words("memory.far", "on"), words("memory.llc", "on"), words("memory.dram", "1us"), words("memory.commit", "0ns 2us"), words("memory.contiguous", "4KiB 16KiB"),
	words("iommu.mode", "on"), words("iommu.entries", "1 2"), words("iommu.walks", "1 2"), words("iommu.in_order", "on"), words("iommu.queue", "1 2"),
	words("cpu.blueflame", "on"), words("cpu.blueflame_list", "256B 2KiB"), words("cpu.poll", "0ns 5us"), words("cpu.interrupt", "0ns"), words("cpu.post", "0ns 1us"),
}

// wireKnobs are those of wire:.
var wireKnobs = []knob{
	words("rate", "1Gb/s 10Gb/s 400Gb/s"), words("delay", "1us 20us"), words("hops", "1 3"), words("send_queue", "1 2"),
	words("requests.packets", "1 2 4"), words("answers.packets", "1 2 4"), words("pause_at", "300000 750000"),
}

// config draws how the adapters and what is around them are built: each
// parameter its profile's or an extreme.
func (w *world) config() string {
	var b strings.Builder
	profiles := strings.Fields("spec-ideal connectx3-like connect-ib-like connectx5-like connectx7-like hangu-like connectx2-like connectx-20g-like connectx6-like bench-nfp6000 unlimited")
	profile := profiles[0]
	if w.one(3) {
		profile = pick(w.Rand, profiles...)
	}
	fmt.Fprintf(&b, "profile: %s\nrun: {seed: %d, until: 120s}\n", profile, w.IntN(1000))
	rate := pick(w.Rand, 2, 5, 20)
	var cables []string
	cables = append(cables, "protocol: "+pick(w.Rand, "ib", "roce_v4", "roce_v6"))
	flow := pick(w.Rand, "auto", "credits", "credits", "credits", "pause", "credits", "drop")
	w.drops = flow == "drop" || flow == "pause" || flow == "auto" && !strings.HasSuffix(cables[0], " ib")
	cables = append(cables, "flow: "+flow, "mtu: 4096")
	cables = append(cables, w.drawn(wireKnobs, rate)...)
	b.WriteString("wire: " + nested(cables) + "\n")
	for i, m := range w.machines {
		list := append(w.drawn(adapterKnobs, rate), w.caches()...)
		if w.storm { // keys are fetched all the time, and take long to die
			list = slices.DeleteFunc(list, func(s string) bool {
				return strings.HasPrefix(s, "mtp.") || strings.HasPrefix(s, "cache.mpt.") || strings.HasPrefix(s, "cache.l0.")
			})
			list = append(list, "cache.mpt.entries: 1", "cache.mpt.ways: 1", "mtp.change_cycles: "+pick(w.Rand, "500", "1000", "3000"))
			if strings.Contains(strings.Join(list, " "), ".l1.") {
				list = append(list, "cache.mpt.l1.entries: 1", "cache.mpt.l1.ways: 1")
			}
		}
		if w.rush { // of one a fill is long on its way, of the other what is done meanwhile is short
			list = slices.DeleteFunc(list, func(s string) bool {
				return strings.HasPrefix(s, "mtp.") || strings.HasPrefix(s, "cache.") || strings.HasPrefix(s, "pcie.read_overhead")
			})
			far := "0ns"
			if i == 1 {
				far = pick(w.Rand, "10us", "20us", "50us")
			}
			list = append(list, "pcie.read_overhead: "+far, "mtp.change_cycles: 1",
				"cache.mtt.entries: "+pick(w.Rand, "1", "2", "4"), "cache.mtt.ways: 1", "cache.mtt.hash: true")
		}
		m.hca, m.host = nested(list), nested(w.drawn(hostKnobs, rate))
		if i == 1 && !w.rush && w.one(2) { // both alike
			m.hca, m.host = w.machines[0].hca, w.machines[0].host
		}
	}
	return b.String()
}

// drawn sets one in so many of the knobs.
func (w *world) drawn(knobs []knob, in int) (list []string) {
	for _, k := range knobs {
		if w.one(in) {
			list = append(list, k.path+": "+pick(w.Rand, k.values...))
		}
	}
	return list
}

// caches draws caches of one to four entries, with and without a second level,
// or one first level for all three.
func (w *world) caches() (list []string) {
	shape := func(path string, most int) {
		ways := pick(w.Rand, 1, 1, 2, 4)
		list = append(list, fmt.Sprintf("%s.entries: %d", path, ways*pick(w.Rand, 1, 1, 2, most)), fmt.Sprintf("%s.ways: %d", path, ways),
			path+".replace: "+pick(w.Rand, "lru", "plru", "random", "direct"), fmt.Sprintf("%s.hash: %v", path, w.one(2)))
	}
	second := w.one(4)
	for _, what := range []string{"qpc", "mpt", "mtt"} {
		if w.one(6) && !second {
			continue
		}
		shape("cache."+what, 1)
		if second {
			shape("cache."+what+".l1", 16)
		}
		for _, k := range []knob{words("work", "300"), words("hold", "200"), words("fetch_hold", "200"), words("refill", "1 100")} {
			if w.one(6) {
				list = append(list, "cache."+what+"."+k.path+": "+pick(w.Rand, k.values...))
			}
		}
	}
	if second && w.one(3) {
		shape("cache.l0", 1)
	}
	return list
}

// nested writes paths as a mapping.
func nested(list []string) string {
	var order []string
	below := map[string][]string{}
	var parts []string
	for _, s := range list {
		path, _, _ := strings.Cut(s, ":")
		head, _, deeper := strings.Cut(path, ".")
		if !deeper {
			parts = append(parts, s)
			continue
		}
		if below[head] == nil {
			order = append(order, head)
		}
		below[head] = append(below[head], s[len(head)+1:])
	}
	for _, head := range order {
		parts = append(parts, head+": "+nested(below[head]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func pick[V any](r *rand.Rand, of ...V) V { return of[r.IntN(len(of))] }
