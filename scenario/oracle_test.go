package scenario_test

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hcasim/scenario"
	"hcasim/scenario/run"
)

var oracleSteps = flag.Int("oracle.steps", 12, "most steps of a life in TestOracle, verbs aside")

// Whatever happens to the objects, in whatever memory of its own the adapter
// keeps of them, a run comes to what the rules' text says. Lives are told to a
// model that knows the text alone, written as scenarios with what must come of
// them, and run. For long: -rapid.checks=5000 -oracle.steps=60.
func TestOracle(t *testing.T) {
	dir := ""
	failed := func(text string) string {
		if dir == "" {
			dir, _ = os.MkdirTemp("", "hcasim-oracle-")
		}
		name := filepath.Join(dir, "oracle.yaml")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err.Error()
		}
		return name
	}
	made := map[string]int{}
	lives, steps := 0, 0
	rounds := 2 // of 100 lives each, unless -rapid.checks says otherwise
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		rapid.Check(t, func(t *rapid.T) {
			l := &life{T: t, made: made}
			l.begin()
			for range 1 + even.Draw(t, "steps")**oracleSteps>>12 {
				switch pick(l, "kind", "post", "verb", "post", "verb", "post", "together", "post") {
				case "post":
					l.post()
				case "verb":
					l.verb()
				case "together":
					l.together()
				}
			}
			l.end()
			text := l.text(l.config())
			res := try(t, text, false, failed)
			lives, steps = lives+1, steps+len(l.lines)
			other := l.text(l.config())
			if again := try(t, other, true, failed); verdicts(again) != verdicts(res) {
				t.Fatalf("with other caches and latencies it comes to something else: hcasim run %s\n%s", failed(other), cmp.Diff(verdicts(res), verdicts(again)))
			}
		})
	}
	for _, outcome := range strings.Fields(`bad-index bad-key not-valid pd-mismatch no-right out-of-range
		SUCCESS LOC_LEN_ERR LOC_PROT_ERR MW_BIND_ERR REM_ACCESS_ERR REM_INV_REQ_ERR REM_OP_ERR RETRY_EXC_ERR RNR_RETRY_EXC_ERR
		WR_FLUSH_ERR BIND_MW REG_MR LOCAL_INV SEND_WITH_INV ATOMIC_CMP_AND_SWP RDMA_WRITE_WITH_IMM drop duplicate delay`) {
		if made[outcome] == 0 && steps > 30000 { // of fewer it would be bad luck
			t.Errorf("no life came to %s", outcome)
		}
	}
	t.Logf("%d lives, %d steps: %v", lives, steps, made)
}

// try runs a text and holds it to what it says; alone, once more unwatched.
func try(t *rapid.T, text string, alone bool, failed func(text string) string) *run.Result {
	runs, err := scenario.Read("oracle.yaml", []byte(text), scenario.Options{})
	if err != nil {
		t.Fatalf("%v\nhcasim run %s", err, failed(text))
	}
	res, err := runs[0].Do()
	if err != nil {
		t.Fatalf("%v\nhcasim run %s", err, failed(text))
	}
	var wrong []string
	for _, f := range res.Failures {
		wrong = append(wrong, fmt.Sprintf("%d: %s: expected %s, got %s", f.Pos.Line, f.What, f.Expected, f.Got))
	}
	wrong = append(append(wrong, res.Waits...), res.Broken...)
	if !res.OK() || len(wrong) > 0 {
		t.Fatalf("hcasim run %s: ended %v\n%s", failed(text), res.End, strings.Join(wrong, "\n"))
	}
	if !alone {
		return res
	}
	unwatched, err := runs[0].DoUnwatched()
	if err != nil || times(unwatched) != times(res) {
		t.Fatalf("without watchers it differs: hcasim run %s: %v", failed(text), err)
	}
	return res
}

// verdicts is what came of each op, in the order of their ids.
func verdicts(res *run.Result) string {
	var list []string
	for i := range res.Ops {
		o := &res.Ops[i]
		list = append(list, fmt.Sprintf("%s %s %s %s\n", o.ID, o.Host, o.Request, o.Outcome()))
	}
	slices.Sort(list)
	return strings.Join(list, "")
}

// times is verdicts with the times of each op.
func times(res *run.Result) string {
	b := strings.Builder{}
	b.WriteString(verdicts(res))
	for i := range res.Ops {
		fmt.Fprintln(&b, res.Ops[i].Start, res.Ops[i].End)
	}
	return b.String()
}

// begin draws the world before time 0.
func (l *life) begin() {
	l.v = switches{
		flavor2A: l.one(3, "2A"), keepKeys: l.one(3, "keep keys"), noEvents: l.one(4, "no events"),
		localInvStatus: pick(l, "status of LOCAL_INV", "MW_BIND_ERR", "MW_BIND_ERR", "LOC_QP_OP_ERR"),
		recvStatus:     pick(l, "status of receives", "LOC_PROT_ERR", "LOC_PROT_ERR", "LOC_QP_OP_ERR"),
		immStatus:      pick(l, "status of immediates", "LOC_ACCESS_ERR", "LOC_ACCESS_ERR", "REM_ACCESS_ERR"),
		invAnswer:      pick(l, "answer to SEND_WITH_INV", "RETRY_EXC_ERR", "RETRY_EXC_ERR", "REM_ACCESS_ERR"),
		mlx5:           l.one(4, "mlx5"),
	}
	for _, host := range []string{"A", "B"} {
		low := strings.ToLower(host)
		for i := range 3 {
			b := &buffer{name: fmt.Sprintf("%s%d", low, i), host: host, at: uint64(i+1) << 24, page: 4096, bytes: make([]byte, 12288)}
			if i == 2 && l.one(2, "huge page") {
				b.page = 2 << 20
			}
			pattern := make([]byte, 61)
			for j := range pattern {
				pattern[j] = byte(7*j + 11*i + 1)
				if host == "B" {
					pattern[j] ^= 0xFF
				}
			}
			for j := range b.bytes {
				b.bytes[j] = pattern[j%61]
			}
			b.fill = hex.EncodeToString(pattern)
			l.buffers = append(l.buffers, b)
		}
	}
	for i := range 4 {
		mtu := uint64(pick(l, "mtu", 1024, 256, 512, 4096))
		qa := &queue{name: fmt.Sprintf("qa%d", i), host: "A", pd: l.pd("A"), mtu: mtu}
		qb := &queue{name: fmt.Sprintf("qb%d", i), host: "B", pd: l.pd("B"), mtu: mtu, peer: qa}
		qa.peer = qb
		for _, q := range []*queue{qa, qb} {
			q.access = rw | rr | ra
			if l.one(6, "limited") {
				q.access = pick(l, "access", rw|rr, rr|ra, rw|ra, 0)
			}
			l.queues = append(l.queues, q)
		}
	}
	for _, host := range []string{"A", "B"} {
		for range 2 {
			l.regMR(host)
			l.allocMW(host)
		}
		l.allocMR(host)
		for _, pd := range []string{"0", "1"} { // so that there is always something
			low := strings.ToLower(host)
			o := &object{name: l.name(host, "m"), host: host, kind: "plain", state: "valid", pd: "p" + low + pd, rights: lw | rw | rr | ra | mb}
			for _, b := range l.buffers {
				if b.host == host && o.buf == nil {
					o.buf, o.n, o.start = b, uint64(len(b.bytes)), b.at
				}
			}
			l.objects = append(l.objects, o)
			l.step(fmt.Sprintf("on: %s, reg_mr: {as: %s, pd: %s, buf: %s, access: %s}", host, o.name, o.pd, o.buf.name, accessText(o.rights)), "errno: OK", l.at(o))
		}
	}
}

// end holds all objects to the model once more, and takes everything down.
func (l *life) end() {
	for _, host := range []string{"A", "B"} {
		for _, regions := range []bool{false, true} { // the windows first
			for left := l.living(host); len(left) > 0; left = left[1:] {
				o, verb := left[0], "dealloc_mw"
				if o.isRegion() != regions {
					continue
				}
				if regions {
					verb = "dereg_mr"
				}
				o.state, o.on, o.qp = "gone", nil, nil
				l.step(fmt.Sprintf("on: %s, %s: %s", host, verb, o.name), "errno: OK", l.at(l.living(host, o)...))
			}
		}
		l.lines = append(l.lines, &line{text: "wait: 1us", expect: []string{"at: {" + host + ": {count: {mr: 0, mw: 0, pinned: 0, mtt: 0}}}"}})
	}
}

// living lists the objects of a host that are not gone, behind some others.
func (l *life) living(host string, list ...*object) []*object {
	for _, o := range l.objects {
		if o.host == host && o.state != "gone" {
			list = append(list, o)
		}
	}
	return list
}

// config draws how the adapters and what is around them are built.
func (l *life) config() string {
	cache := func() string {
		ways := pick(l, "ways", 1, 2, 4)
		return fmt.Sprintf("{entries: %d, ways: %d, replace: %s, hash: %v}", ways*pick(l, "sets", 1, 2, 1, 8, 256), ways,
			pick(l, "replace", "lru", "plru", "random", "direct"), l.one(2, "hash"))
	}
	return fmt.Sprintf(`run: {seed: %d}
hca:
  clock: %s
  cache: {qpc: %s, mpt: %s, mtt: %s}
  mtp: {mpt_latency: %d, mpt_interval: %d, mtt_latency: %d, depth: %d, miss: %s, fills: %d, arbiter: %s, change_cycles: %d}
  transmit: %d
  receive: %d
  send_buffers: %d
  receive_buffers: %d
  answer_buffers: %d
wire: {rate: %s, delay: %s}
`,
		1+l.upTo(99, "seed"), pick(l, "clock", "1GHz", "200MHz", "2GHz"), cache(), cache(), cache(),
		pick(l, "mpt latency", 5, 1, 100), pick(l, "mpt interval", 1, 7), pick(l, "mtt latency", 5, 1, 200),
		pick(l, "depth", 16, 1, 2), pick(l, "miss", "overlap", "block"), pick(l, "fills", 32, 1, 2, 4),
		pick(l, "arbiter", "rr", "priority", "weighted"), pick(l, "change", 10, 1, 1000),
		pick(l, "transmit", 50, 1, 300), pick(l, "receive", 50, 1, 300),
		pick(l, "send buffers", 256, 1, 3), pick(l, "receive buffers", 256, 1, 3), pick(l, "answer buffers", 256, 1, 3),
		pick(l, "rate", "100Gb/s", "1Gb/s", "400Gb/s"), pick(l, "delay", "0ns", "1us", "20us"))
}

// text says the switches.
func (v *switches) text() string {
	word := func(is bool, no, yes string) string {
		if is {
			return yes
		}
		return no
	}
	number := map[string]int{"LOC_QP_OP_ERR": 2, "LOC_PROT_ERR": 4, "MW_BIND_ERR": 6}
	return fmt.Sprintf("variant: {base: %s, mw2_flavor: %s, rereg_keys: %s, async_events: %s, local_inv_fail_status: %d, recv_lkey_fail_status: %d, write_imm_fault: %s, remote_inv_fail: %s}\n",
		word(v.mlx5, "spec", "mlx5"), word(v.flavor2A, "2B", "2A"), word(v.keepKeys, "new", "keep"), word(v.noEvents, "on", "off"),
		number[v.localInvStatus], number[v.recvStatus], word(v.immStatus == "REM_ACCESS_ERR", "recv_8", "recv_10"),
		word(v.invAnswer == "REM_ACCESS_ERR", "silent", "nak_access"))
}

// text is the scenario.
func (l *life) text(config string) string {
	var b strings.Builder
	b.WriteString("version: 1\nkind: scenario\nname: oracle\n" + l.v.text() + config + "hosts:\n")
	for _, host := range []string{"A", "B"} {
		low := strings.ToLower(host)
		fmt.Fprintf(&b, "  %s:\n    pd: [p%s0, p%s1]\n    mem:\n", host, low, low)
		for _, x := range l.buffers {
			if x.host == host {
				fmt.Fprintf(&b, "      %s: {length: %d, at: %d, page: %dKiB, fill: {hex: %q}}\n", x.name, len(x.bytes), x.at, x.page/1024, x.fill)
			}
		}
		b.WriteString("    qp:\n")
		for _, q := range l.queues {
			if q.host == host {
				fmt.Fprintf(&b, "      %s: {pd: %s, peer: %s.%s, access: %s, mtu: %d, timeout: 8, retry_cnt: 7, rnr_retry: 0}\n",
					q.name, q.pd, q.peer.host, q.peer.name, accessText(q.access), q.mtu)
			}
		}
	}
	b.WriteString("ops:\n")
	for _, s := range l.lines {
		expect := s.expect
		if s.wc != "" {
			expect = []string{"wc: " + s.wc}
		}
		b.WriteString("  - {" + s.text)
		if len(expect) > 0 {
			b.WriteString(", expect: {" + strings.Join(expect, ", ") + "}")
		}
		b.WriteString("}\n")
	}
	return b.String()
}
