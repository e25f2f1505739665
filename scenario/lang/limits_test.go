package lang

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
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
		{"rounds of nothing", head + "ops: [{loop: {times: 10_000, ops: [{loop: {times: 10_000, ops: []}}]}}]\n",
			head + "ops: [{loop: {times: 10_000, ops: [{loop: {times: 10_001, ops: []}}]}}]\n", "run: {limits: {ops: …}} allows more", "run.limits.ops=100010k"},
		{"entries", head + "hosts: {A: {qp: {many: {peer: B.many, count: 1000000, sq: 500, rq: 350}}}, B: {qp: {many: {peer: A.many, count: 1000000, sq: 20, rq: 120}}}}\nops: [{on: A, wr_rdma_write: {}}]\n",
			head + "hosts: {A: {qp: {many: {peer: B.many, count: 1000000, sq: 500, rq: 360}}}, B: {qp: {many: {peer: A.many, count: 1000000, sq: 20, rq: 120}}}}\nops: [{on: A, wr_rdma_write: {}}]\n",
			"more than 1,000,000,000", "run.limits.entries=2G"},
		{"entries of steps", head + "run: {limits: {entries: 1936}}\nops: [{loop: {times: 2, ops: [{on: A, create_cq: {depth: 200}}]}}]\n",
			head + "run: {limits: {entries: 1936}}\nops: [{loop: {times: 3, ops: [{on: A, create_cq: {depth: 200}}]}}]\n", "run: {limits: {entries: …}} allows more", "run.limits.entries=2136"},
		{"fills", head + "hosts: {A: {mem: {a: {length: 512MiB, fill: random}, b: {length: 512MiB, fill: counting}, c: {length: 1TiB, fill: 7}}}}\nops: [{on: A, wr_rdma_write: {}}]\n",
			head + "hosts: {A: {mem: {a: {length: 512MiB, fill: random}}, mr: {m: {length: 1MiB, count: 513, fill: counting}}}}\nops: [{on: A, wr_rdma_write: {}}]\n",
			"fills come to 1025MiB up to here, more than 1GiB", "run.limits.fills=2GiB"},
		{"fills of steps", head + "run: {limits: {fills: 8KiB}}\nops: [{loop: {times: 2, ops: [{on: A, reg_mr: {length: 4KiB, fill: random}}]}}]\n",
			head + "run: {limits: {fills: 8KiB}}\nops: [{loop: {times: 3, ops: [{on: A, reg_mr: {length: 4KiB, fill: random}}]}}]\n", "run: {limits: {fills: …}} allows more", "run.limits.fills=12KiB"},
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
	g, _ := testLoader.Load(Source{Name: "x.yaml", Data: []byte(text + "run: {limits: {ops: 5, steps: 7, packets: 9, output: 1MiB, fills: 1GiB, entries: 1M}}\n")})
	if string(Canonical(f)) != string(Canonical(g)) {
		t.Error("limits are of the plan")
	}
}

// TestCeilings: every field of run.limits is told, with the default that the
// schema gives it.
func TestCeilings(t *testing.T) {
	source, err := os.ReadFile("limits.go")
	if err != nil {
		t.Fatal(err)
	}
	all := Ceilings()
	fields := reflect.TypeFor[Limits]()
	if len(all) != fields.NumField() {
		t.Fatalf("%d of %d are told", len(all), fields.NumField())
	}
	for i, c := range all {
		f := fields.Field(i)
		said := regexp.MustCompile(`(?s)// ` + f.Name + `[^;]*; (\S+)\.\n\t` + f.Name + ` `).FindSubmatch(source)
		if c.Name != f.Tag.Get("yaml") || said == nil {
			t.Fatalf("%s: %+v, %q", f.Name, c, said)
		}
		if n, ok := parseCount(string(said[1])); ok && HowMany(n) != c.Default || !ok && string(said[1]) != c.Default {
			t.Errorf("%s: the schema says %s, help %s", c.Name, said[1], c.Default)
		}
	}
}
