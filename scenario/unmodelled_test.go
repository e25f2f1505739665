package scenario

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"hcasim/scenario/config"
	"hcasim/scenario/lang"
)

// problems returns what is wrong with a text, a line each.
func problems(t *testing.T, text string, sets ...string) (list []string) {
	t.Helper()
	_, err := Read("t.yaml", []byte(text), Options{Sets: sets})
	var m *Mistakes
	if !errors.As(err, &m) {
		t.Fatalf("no mistakes, %v", err)
	}
	for _, p := range m.Problems {
		list = append(list, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Message))
	}
	return list
}

// TestUnmodelled: what can be said and not be done is reported with its place,
// all of it at once, and nothing runs.
func TestUnmodelled(t *testing.T) {
	for _, c := range []struct{ ops, want string }{
		{"{on: A, traffic: {opcode: RDMA_WRITE, count: 1, depth: 4, signal_every: 5}}", "6:22 of 4 requests in flight none asks for a completion: signal_every is 5"},
		{"{on: A, traffic: {opcode: RDMA_WRITE, count: 1, depth: 4, batch: 5}}", "6:22 a batch of 5 with 4 in flight is never posted"},
		{"{on: A, traffic: {opcode: RDMA_WRITE, count: 1, window: 4, batch: 5}}", "6:64 a batch of 5 with 4 in flight is never posted"},
		{"{on: A, traffic: {opcode: RDMA_WRITE, count: 1, window: 4, depth: 4}}", "6:64 depth and window both say how many are in flight"},
		{"{on: A, traffic: {opcode: RDMA_WRITE, count: 1, window: 4, rate: 1Mop/s}}", "6:64 rate and window both say when a request is posted"},
		{"{on: A, traffic: {opcode: RDMA_WRITE, count: 1, window: 4, mode: pingpong}}", "6:64 pingpong has one message in flight, not a window of them"},
		{"{on: A, traffic: {opcode: RDMA_WRITE, count: 1, window: 4, signal_every: 2}}", "6:64 each completion posts anew in a window, and some requests would have none"},
		{"{on: A, traffic: {opcode: RDMA_READ, count: 1, mode: pingpong}}", "6:22 the other end sees nothing of RDMA_READ and cannot answer it"},
		{"{parallel: [{on: A, wr_rdma_write: {}}, {wait: all}]}", "6:45 wait: all within parallel would wait for itself"},
	} {
		got := problems(t, "version: 1\nkind: scenario\nuse: b0\nhosts: {B: {cq: {c: {depth: 8}}}}\nops:\n  - "+c.ops+"\n")
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s\ngot  %q\nwant %q", c.ops, got, c.want)
		}
	}
	all := problems(t, "version: 1\nkind: scenario\nuse: b0\nhosts: {B: {cq: {c: {depth: 8}}}}\nops:\n  - {on: A, traffic: {opcode: RDMA_READ, count: 1, mode: pingpong}}\n  - {loop: {times: 2, ops: [{on: A, traffic: {opcode: RDMA_WRITE, count: 1, depth: 4, batch: 5}}]}}\nthresholds: [write.p12 <= 1us]\n")
	if len(all) != 3 {
		t.Errorf("%q", all)
	}
}

// TestSizes: what hosts declare must fit into the tables and onto the wire.
func TestSizes(t *testing.T) {
	const text = "version: 1\nkind: scenario\nuse: b0\nops: [{on: A, wr_rdma_write: {}}]\n"
	for _, c := range []struct {
		sets []string
		want string
	}{
		{[]string{"hosts.B.hca.limit.mtt=1"}, "the regions of B have 2 pages up to here, the table holds 1"},
		{[]string{"hosts.B.mr.many={count: 100, length: 4KiB}", "hca.limit.mr=100"}, "B has 101 regions up to here, the table holds 100"},
		{[]string{"hosts.B.fr.many={count: 100}", "hca.limit.mr=100"}, "B has 101 regions up to here, the table holds 100"},
		{[]string{"hosts.B.mw.many={count: 5, type: 2}", "hca.limit.mw=4"}, "B has 5 windows up to here, the table holds 4"},
		{[]string{"hca.limit.pd=1"}, "B has 2 protection domains up to here, the table holds 1"},
		{[]string{"hosts.B.hca.limit.qp=2"}, "B has 3 queue pairs up to here, the table holds 2"},
		{[]string{"hosts.B.fr.many={count: 100, pages: 20}", "hca.limit.mtt=2001"}, "the regions of B have 2002 pages up to here, the table holds 2001"},
		{[]string{"hosts.B.fr.many={count: 100, pages: 20}", "hca.limit.mtt=2002"}, ""},
		{[]string{"hosts.B.srq={s: {}, t: {}}", "hca.limit.srq=1"}, "B has 2 shared receive queues up to here, the table holds 1"},
		{[]string{"hosts.B.mr.mB.key=0xffffff00"}, "key 0xffffff00 of B is of index 16777215, the table holds 2097152"},
		{[]string{"hosts.B.mr.mB.key=0xffffff00", "hca.limit.mr=16777215"}, ""},
		{[]string{"hosts.B.fr.f.key=0x20000100"}, "is of index 2097153, the table holds 2097152"},
		{[]string{"hosts.B.fr.f.key=0x20000000"}, ""},
		{[]string{"wire.mtu=512"}, "A.qA has a path MTU of 1024 bytes, the port 512"},
		{[]string{"hosts.C={pd: [pC]}"}, "a scenario has two hosts"},
	} {
		if c.want == "" {
			if _, err := Read("x.yaml", []byte(text), Options{Sets: c.sets}); err != nil {
				t.Errorf("%q: %v", c.sets, err)
			}
			continue
		}
		got := problems(t, text, c.sets...)
		if !strings.Contains(strings.Join(got, "\n"), c.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", c.sets, got, c.want)
		}
	}
}

// TestUsualDepths: what limits take for the depth of a queue that says none is
// what it has.
func TestUsualDepths(t *testing.T) {
	q := config.New[config.World]().Params.Host.Queue
	if q.Send != lang.UsualWRs || q.Recv != lang.UsualWRs || q.CQ != lang.UsualCQEs {
		t.Errorf("host.queue has %d, %d and %d", q.Send, q.Recv, q.CQ)
	}
}
