package run_test

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/sim"
)

// binding is a host that binds windows to a region under load.
const binding = `version: 1
kind: scenario
name: t
%s
hosts:
  A:
    pd: [p]
    mr: {m: {length: 64KiB, access: [LOCAL_WRITE, MW_BIND]}}
    mw: {one: {type: 1, count: 64}, two: {type: 2, count: 64}}
    qp: {q: {count: 8, peer: B.q}}
  B: {pd: [p], qp: {q: {count: 8, peer: A.q}}}
ops:
  - {on: A, traffic: {opcode: BIND_MW, %s}}
`

// binds returns the binds per microsecond of a load, and the median latency.
func binds(t testing.TB, set, traffic string) (rate float64, p50 sim.Duration) {
	t.Helper()
	res := held(t, fmt.Sprintf(binding, set, traffic))
	if len(res.Traffic) != 1 || res.Traffic[0].Opcode != "IBV_WR_BIND_MW" {
		t.Fatalf("%+v", res.Traffic)
	}
	tr := &res.Traffic[0]
	return float64(tr.Count) / float64(tr.Elapsed) * float64(sim.Microsecond), tr.Latency.Quantile(50)
}

// TestBindTraffic: type 1 windows are bound again and again, those of type 2
// once; a second time is refused (BIN-3).
func TestBindTraffic(t *testing.T) {
	binds(t, "", "qp: q#0, target: {of: [one]}, count: 1000")
	binds(t, "", "qp: q#0, target: {of: [two]}, count: 64, depth: 1")
	res := read(t, fmt.Sprintf(binding, "", "qp: q#0, target: {of: [two]}, count: 65, depth: 1"))
	if len(res.Failures) != 1 || !strings.Contains(res.Failures[0].Got, "1 failed, the first with IBV_WC_MW_BIND_ERR") {
		t.Errorf("a type 2 window was bound twice: %+v", res.Failures)
	}
	for _, say := range []string{"mix: {BIND_MW: 1, RDMA_WRITE: 1}, count: 1", "mode: pingpong, opcode: BIND_MW, count: 1"} {
		text := strings.Replace(fmt.Sprintf(binding, "", say), "opcode: BIND_MW, "+say, say, 1)
		if err := mistakes(t, text); !strings.Contains(err.Error(), "binds stand alone in a traffic") {
			t.Errorf("%s: %v", say, err)
		}
	}
}

// TestTurn: one thread that posts and polls by turns does one bind after the
// other, each its own work longer; with more in flight it is the thread that
// limits, whatever the adapter can.
func TestTurn(t *testing.T) {
	const deep = "profile: connectx5-like"
	_, p50 := binds(t, deep, "qp: q#0, target: {of: [one]}, depth: 1, turn: 0ns, count: 500, warmup: 100")
	for _, turn := range []sim.Duration{0, 200 * sim.Nanosecond, sim.Microsecond} {
		rate, _ := binds(t, deep, fmt.Sprintf("qp: q#0, target: {of: [one]}, depth: 1, turn: %v, count: 500, warmup: 100", turn))
		if want := float64(sim.Microsecond) / float64(p50+turn); rate < want*0.999 || rate > want*1.001 {
			t.Errorf("turn %v: %.3f binds/us, want %.3f", turn, rate, want)
		}
	}
	const thread = 40 + 132 + 40 // ns: post, doorbell, poll of host-modern
	rate, _ := binds(t, deep, "qp: q#0, target: {of: [one]}, depth: 16, turn: 200ns, count: 2000, warmup: 200")
	if want := 1e3 / float64(thread+200); rate < want*0.99 || rate > want*1.01 {
		t.Errorf("16 in flight: %.3f binds/us, want %.3f", rate, want)
	}
}

// TestListsOfBinds: the adapter of the profile takes the binds of a list one
// after the other without waiting for each to be written back.
func TestListsOfBinds(t *testing.T) {
	say := "qp: q#0, target: {of: [one]}, depth: 8, batch: 8, signal_every: 8, turn: 0ns, count: 800, warmup: 80"
	deep, _ := binds(t, "profile: connectx5-like", say)
	for _, worse := range []string{"hca: {local_depth: 1}", "hca: {cache: {renew: false}}", "host: {cpu: {blueflame_list: 0B}}"} {
		if rate, _ := binds(t, "profile: connectx5-like\n"+worse, say); rate > deep*0.9 {
			t.Errorf("%s: %.3f binds/us, and %.3f without", worse, rate, deep)
		}
	}
	many, _ := binds(t, "profile: connectx5-like", "target: {of: [one]}, depth: 16, count: 4000, warmup: 400")
	if limit := 1e3 / 38; many > limit*1.001 || many < limit*0.98 {
		t.Errorf("%.3f binds/us of eight queue pairs, the table unit makes %.3f", many, limit)
	}
}

// TestRefusedBindCutsTheRest: behind a bind that is refused nothing of the same
// list changes anything, however many are with the table unit.
func TestRefusedBindCutsTheRest(t *testing.T) {
	for _, depth := range []int{1, 2, 16} {
		held(t, fmt.Sprintf(`version: 1
kind: scenario
name: t
hca: {local_depth: %d}
hosts:
  A:
    pd: [p]
    mr: {m: {length: 64KiB, access: [LOCAL_WRITE, MW_BIND, REMOTE_READ]}}
    mw: {u: {type: 2}, v: {type: 2}, w: {type: 2}}
    qp: {q: {peer: B.q}}
  B: {pd: [p], qp: {q: {peer: A.q}}}
ops:
  - on: A
    post_send:
      - {opcode: BIND_MW, bind_mw: {mw: u, access: [REMOTE_READ]}}
      - {opcode: BIND_MW, bind_mw: {mw: v, mr_key: {of: m, byte: +1}, access: [REMOTE_READ]}}
      - {opcode: BIND_MW, bind_mw: {mw: w, access: [REMOTE_READ]}}
    expect: {wc: [SUCCESS, MW_BIND_ERR, WR_FLUSH_ERR], at: {A: {u: BOUND, v: FREE, w: FREE}}}
`, depth))
	}
}

// TestDeregistrationStorm: deregistrations of one tenant, which go through the
// table unit and empty the cache of translations, slow down the traffic of
// another.
func TestDeregistrationStorm(t *testing.T) {
	latency := func(storm string) sim.Duration {
		res := held(t, fmt.Sprintf(`version: 1
kind: scenario
name: t
profile: connectx5-like
hca: {cache: {l0: {entries: 0}, mtt: {entries: 256, l1: {entries: 0}}}}
hosts:
  A: {pd: [p], mr: {src: {length: 4KiB, access: [LOCAL_WRITE]}}, qp: {q: {peer: B.q}}}
  B:
    pd: [p, other]
    mem: {big: {length: 64MiB}}
    mr: {dst: {length: 512KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}, theirs: {pd: other, count: 64, length: 16MiB, access: [LOCAL_WRITE]}}
    qp: {q: {peer: A.q, access: [REMOTE_WRITE]}}
ops:
  - parallel:
      - [{on: A, traffic: {opcode: RDMA_WRITE, depth: 1, target: {of: [dst], walk: uniform}, count: 2000, warmup: 200}}]
%s`, storm))
		return res.Traffic[0].Latency.Mean()
	}
	quiet := latency("")
	var b strings.Builder
	b.WriteString("      -\n")
	for i := range 64 {
		fmt.Fprintf(&b, "        - {on: B, dereg_mr: theirs#%d}\n", i)
	}
	if storm := latency(b.String()); storm < quiet*101/100 {
		t.Errorf("a WRITE takes %v in the storm, %v without", storm, quiet)
	}
}
