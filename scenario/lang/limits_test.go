package lang

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits: as much as a limit says is accepted, one more is refused, and the
// message names the limit; a greater limit allows it.
func TestLimits(t *testing.T) {
	const head = "version: 1\nkind: scenario\nuse: b0\n"
	deep := func(n int) string {
		return head + "hca: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\nops: [{on: A, wr_rdma_write: {}}]\n"
	}
	brackets := func(n int) string {
		return head + "ops: [{on: A, wr_rdma_write: {length: '${" + strings.Repeat("(", n) + "64" + strings.Repeat(")", n) + "}'}}]\n"
	}
	points := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("[%d, %d.%09d]", i+1, (i+1)/n, (i+1)%n)
		}
		return head + "ops: [{on: A, traffic: {opcode: RDMA_WRITE, count: 1, size: {cdf: [" + strings.Join(list, ", ") + "]}}}]\n"
	}
	aliases := func(n int) string {
		return head + "hca: {a: &a [" + strings.Repeat("x, ", 99) + "x], b: [" + strings.Repeat("*a, ", n-1) + "*a]}\nops: [{on: A, wr_rdma_write: {}}]\n"
	}
	for _, c := range []struct{ name, most, more, says, raised string }{
		{"steps", head + "run: {limits: {steps: 9}}\nops: [{loop: {times: 4, var: i, ops: [{on: A, wr_rdma_write: {}}]}}]\n",
			head + "run: {limits: {steps: 8}}\nops: [{loop: {times: 4, var: i, ops: [{on: A, wr_rdma_write: {}}]}}]\n", "more than 8 steps", "run.limits.steps=10"},
		{"ops", head + "ops: [{loop: {times: 100_000_000, ops: [{on: A, wr_rdma_write: {}}]}}]\n",
			head + "ops: [{loop: {times: 100_000_001, ops: [{on: A, wr_rdma_write: {}}]}}]\n", "run: {limits: {ops: …}} allows more", "run.limits.ops=1G"},
		{"ops of traffic", head + "ops: [{on: A, traffic: {opcode: RDMA_WRITE, count: 99M, warmup: 1M}}]\n",
			head + "ops: [{on: A, traffic: {opcode: RDMA_WRITE, count: 99M, warmup: 1000001}}]\n", "run: {limits: {ops: …}} allows more", "run.limits.ops=100000001"},
		{"packets", head + "ops: [{on: A, traffic: {opcode: RDMA_WRITE, size: 1MiB, count: 976562}}]\n",
			head + "ops: [{on: A, traffic: {opcode: RDMA_WRITE, size: 1MiB, count: 976563}}]\n", "run: {limits: {packets: …}} allows more", "run.limits.packets=2G"},
		{"depth", deep(deepest), deep(deepest + 1), "nested more than 200 deep", ""},
		{"brackets", brackets(deepestBrackets), brackets(deepestBrackets + 1), "more than 50 brackets within each other", ""},
		{"points", points(mostPoints), points(mostPoints + 1), "at most 10000 points", ""},
		{"payload", head + "ops: [{on: A, packet: {opcode: RDMA_WRITE_ONLY, dma_length: 64, payload: 4096}}]\n",
			head + "ops: [{on: A, packet: {opcode: RDMA_WRITE_ONLY, dma_length: 64, payload: 4097}}]\n", "at most 4096", ""},
		{"aliases", aliases(90), aliases(300), "aliases make this file too large", ""},
		{"store", head + "hosts: {A: {mem: {big: {length: 1GiB}}}}\nops: [{on: A, store: {buf: big, data: 1}}]\n",
			head + "hosts: {A: {mem: {big: {length: 1073741825}}}}\nops: [{on: A, store: {buf: big, data: 1}}]\n", "length: at most 1GiB", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			load := func(text string, flags ...string) string {
				src := []Source{{Name: "x.yaml", Data: []byte(text)}}
				for _, f := range flags {
					s, _ := SetFlag(f)
					src = append(src, s)
				}
				var b strings.Builder
				_, problems := testLoader.Load(src...)
				Print(&b, problems)
				return b.String()
			}
			if got := load(c.most); got != "" {
				t.Errorf("as much as may be: %s", got)
			}
			if got := load(c.more); !strings.Contains(got, c.says) {
				t.Errorf("one more: %s", got)
			}
			if c.raised == "" {
				return
			}
			if got := load(c.more, c.raised); got != "" {
				t.Errorf("with %s: %s", c.raised, got)
			}
		})
	}
}

// TestLimitsSayNothing: limits change no hash.
func TestLimitsSayNothing(t *testing.T) {
	text := "version: 1\nkind: scenario\nuse: b0\nops: [{on: A, wr_rdma_write: {}}]\n"
	f, _ := testLoader.Load(Source{Name: "x.yaml", Data: []byte(text)})
	g, _ := testLoader.Load(Source{Name: "x.yaml", Data: []byte(text + "run: {limits: {ops: 5, steps: 7, packets: 9, output: 1MiB}}\n")})
	if string(Canonical(f)) != string(Canonical(g)) {
		t.Error("limits are of the plan")
	}
}
