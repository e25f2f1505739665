package scenario

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"hcasim/scenario/config"
)

var everyParameter = flag.Bool("every-parameter", false, "try every parameter in TestEveryParameterMatters, not one of eight")

// worlds are where parameters matter that do not in a world of defaults.
var worlds = map[string][]string{
	"":          nil,
	"cx3":       {"profile=connectx3-like"},
	"cx5":       {"profile=connectx5-like", "hca.mtp.fills=4"},
	"iommu":     {"host.iommu={mode: on, entries: 4, in_order: on, queue: 3, walks: 1}"},
	"llc":       {"host.memory={llc: on, llc_size: 64KiB, llc_ways: 4, far: on}"},
	"caches":    {"hca.cache={qpc: {entries: 4, ways: 2}, mpt: {entries: 4, ways: 2}, mtt: {entries: 4, ways: 2}}"},
	"far":       {"hca.cache={qpc: {entries: 2, ways: 2, l1: {entries: 4, ways: 2}}, mpt: {entries: 4, ways: 2, l1: {entries: 8, ways: 2}}, mtt: {entries: 4, ways: 2, l1: {entries: 8, ways: 2}}}"},
	"near":      {"hca.cache={l0: {entries: 8, ways: 2}, qpc: {l1: {entries: 8, ways: 2}}, mpt: {l1: {entries: 8, ways: 2}}, mtt: {l1: {entries: 8, ways: 2}}}"},
	"narrow":    {"hca.pcie={arbiter: weighted, lanes: 1, tags: 4, posted_headers: 1, credit_return: 2us}", "host.pcie={posted_headers: 2, credit_return: 2us}", "hca.cache.mpt={entries: 4, ways: 2}"},
	"turns":     {"hca.mtp={arbiter: weighted, mpt_interval: 200, depth: 1}"},
	"again":     {"hca.wqe_again=true"},
	"blueflame": {"host.cpu.blueflame=on"},
	"pause":     {"wire={flow: pause, requests: {packets: 8}, answers: {packets: 8}}", "hosts.b.hca={receive_buffers: 1, pcie: {lanes: 1}}"},
	"full":      {"wire={flow: credits, requests: {bytes: 16KiB}, answers: {bytes: 16KiB}}", "hosts.b.hca={receive_buffers: 1, pcie: {lanes: 1}}"},
	"held":      {"hca={receive: 1000, pipe_depth: 1}", "wire.answers.bytes=4200B"},
	"slow":      {"host.cpu.poll=20us"},
}

// where says in which world a parameter matters, and at which value, where it
// is not the default one and a bound or another of its words.
var where = map[string]struct{ world, value string }{
	"wire.mtu":                     {"cx3", "4096"},
	"hca.pcie.posted_headers":      {"narrow", "0"},
	"host.pcie.posted_headers":     {"narrow", "0"},
	"host.pcie.posted_data":        {"", "256"},
	"host.pcie.non_posted_headers": {"", "1"},
	"hca.pcie.arbiter":             {"narrow", "priority"},
	"hca.pcie.fetch_weight":        {"narrow", "1024"},
	"hca.pcie.payload_weight":      {"narrow", "1024"},
	"hca.pcie.answer_weight":       {"narrow", "1024"},
	"hca.pcie.posted_data":         {"cx5", "8"},
	"hca.pcie.completion_data":     {"cx3", "64"},
	"hca.pcie.completion_headers":  {"", "3"},
	"hca.mtp.arbiter":              {"turns", "priority"},
	"hca.mtp.context_fills":        {"cx3", "1"},
	"hca.cache.qpc.entries":        {"caches", "8"},
	"hca.cache.qpc.ways":           {"caches", "1"},
	"hca.cache.qpc.replace":        {"caches", "random"},
	"hca.cache.qpc.hash":           {"caches", "true"},
	"hca.cache.qpc.hold":           {"near", "100000"},
	"hca.cache.qpc.fetch_hold":     {"near", "100000"},
	"hca.cache.qpc.refill":         {"near", "1"},
	"hca.cache.qpc.l1.entries":     {"far", "64"},
	"hca.cache.qpc.l1.ways":        {"far", "1"},
	"hca.cache.qpc.l1.replace":     {"far", "random"},
	"hca.cache.qpc.l1.hash":        {"far", "true"},
	"hca.cache.mpt.entries":        {"caches", "64"},
	"hca.cache.mpt.ways":           {"caches", "1"},
	"hca.cache.mpt.replace":        {"caches", "random"},
	"hca.cache.mpt.hash":           {"caches", "true"},
	"hca.cache.mpt.hold":           {"near", "100000"},
	"hca.cache.mpt.fetch_hold":     {"near", "100000"},
	"hca.cache.mpt.refill":         {"near", "1"},
	"hca.cache.mpt.l1.entries":     {"far", "64"},
	"hca.cache.mpt.l1.ways":        {"far", "1"},
	"hca.cache.mpt.l1.replace":     {"far", "random"},
	"hca.cache.mpt.l1.hash":        {"far", "true"},
	"hca.cache.mtt.entries":        {"caches", "64"},
	"hca.cache.mtt.ways":           {"caches", "1"},
	"hca.cache.mtt.replace":        {"caches", "random"},
	"hca.cache.mtt.hash":           {"caches", "true"},
	"hca.cache.mtt.hold":           {"near", "100000"},
	"hca.cache.mtt.fetch_hold":     {"near", "100000"},
	"hca.cache.mtt.refill":         {"near", "1"},
	"hca.cache.mtt.l1.entries":     {"far", "64"},
	"hca.cache.mtt.l1.ways":        {"far", "1"},
	"hca.cache.mtt.l1.replace":     {"far", "random"},
	"hca.cache.mtt.l1.hash":        {"far", "true"},
	"hca.cache.l0.entries":         {"near", "64"},
	"hca.cache.l0.ways":            {"near", "1"},
	"hca.cache.l0.replace":         {"near", "random"},
	"hca.cache.l0.hash":            {"near", "true"},
	"hca.turns.place":              {"turns", "1024"},
	"hca.turns.gather":             {"turns", "1024"},
	"hca.turns.atomic":             {"turns", "1024"},
	"hca.limit.mr":                 {"", "25"},
	"hca.limit.mtt":                {"", "200"},
	"hca.limit.qp":                 {"", "9"},
	"hca.gap.again":                {"again", "1000"},
	"hca.max_inline":               {"", "0B"},
	"hca.command_depth":            {"cx5", "1"},
	"host.pcie.mmio.wc_line_gap":   {"cx5", "0ps"},
	"host.memory.size":             {"", "1MiB"},
	"host.memory.pin_limit":        {"", "2MiB"},
	"host.memory.socket":           {"llc", "0ps"},
	"host.memory.llc_hit":          {"llc", "0ps"},
	"host.memory.llc_size":         {"llc", "4GiB"},
	"host.memory.llc_ways":         {"llc", "64"},
	"host.memory.ddio_ways":        {"llc", "0"},
	"host.iommu.entries":           {"iommu", "1"},
	"host.iommu.page":              {"iommu", "1GiB"},
	"host.iommu.hit":               {"iommu", "1ms"},
	"host.iommu.walk":              {"iommu", "0ps"},
	"host.iommu.walks":             {"iommu", "64"},
	"host.iommu.in_order":          {"iommu", "off"},
	"host.iommu.queue":             {"iommu", "0"},
	"host.cpu.inline_copy":         {"blueflame", "1000"},
	"host.cpu.blueflame_list":      {"blueflame", "8KiB"},
	"host.cpu.blueflame_at":        {"blueflame", "64B"},
	"host.queue.recv":              {"", "8"},
	"host.queue.cq":                {"slow", "1"},
	"wire.pause_at":                {"pause", "300000"},
	"wire.resume_at":               {"pause", "0"},
	"wire.requests.bytes":          {"full", "1MiB"},
	"wire.answers.bytes":           {"held", "1MiB"},
	"wire.requests.packets":        {"full", "1"},
	"wire.answers.packets":         {"", "1"},
	"wire.hop_delay":               {"cx5", "0ps"},
	"hca.wqe_room":                 {"", "1"},
	"hca.mtp.contexts":             {"caches", "receive"},
}

// TestEveryParameterMatters: a parameter that no code reads, or that is handed
// on to nobody, would be found here. One value other than the default changes
// some figure of a run, or has it refused in the words of its limit.
func TestEveryParameterMatters(t *testing.T) {
	text, err := os.ReadFile("testdata/every-parameter.yaml")
	if err != nil {
		t.Fatal(err)
	}
	base := map[string]string{}
	figures := func(sets ...string) (string, bool) { return figuresOf(string(text), sets) }
	for i, p := range config.Describe(&config.World{}) {
		if !*everyParameter && i%8 != 0 {
			continue
		}
		at := where[p.Path]
		if base[at.world] == "" {
			got, refused := figures(worlds[at.world]...)
			if refused {
				t.Fatalf("world %q: %s", at.world, got)
			}
			base[at.world] = got
		}
		values := []string{at.value}
		if at.value == "" {
			values = others(p)
		}
		if !slices.ContainsFunc(values, func(v string) bool {
			got, refused := figures(append(slices.Clone(worlds[at.world]), p.Path+"="+v)...)
			return got != base[at.world] && (!refused || at.value != "")
		}) {
			t.Errorf("%s: none of %q changes anything; if it does elsewhere, say where", p.Path, values)
		}
	}
}

// others are values of a parameter that should not do as its default does.
func others(p config.Param) []string {
	switch {
	case len(p.Enum) > 0:
		return p.Enum
	case p.Type == "switch":
		return []string{"true", "false"}
	}
	return []string{p.Min, p.Max}
}

// figuresOf runs a scenario and returns its figures, and what became of its
// ops; or the words in which it is refused.
func figuresOf(text string, sets []string) (figures string, refused bool) {
	runs, err := Read("every-parameter.yaml", []byte(text), Options{Sets: sets})
	if err != nil {
		return err.Error(), true
	}
	r, err := runs[0].Do()
	if err != nil {
		return err.Error(), true
	}
	var b strings.Builder
	fmt.Fprintln(&b, r.Now, r.End)
	for _, s := range r.Stats {
		fmt.Fprintln(&b, s.Name, s.Value)
	}
	for _, o := range r.Ops {
		fmt.Fprintln(&b, o.ID, o.Status, o.Errno, o.End.Sub(o.Start))
	}
	return b.String(), false
}
