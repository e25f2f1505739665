package scenario

import (
	"strings"
	"testing"

	"hcasim/scenario/run"
)

// read runs a scenario of one case that lies on the opening b0.
func read(t *testing.T, ops string) *run.Result {
	t.Helper()
	runs, err := Read("t.yaml", []byte("version: 1\nkind: scenario\nname: t\nuse: b0\nops:\n"+ops), Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := runs[0].Do()
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestAfterPostAndPoll: a step may follow the return of another's post, before
// anything of it has arrived, and the poll that delivers a completion.
func TestAfterPostAndPoll(t *testing.T) {
	for _, stage := range []string{"post", "poll"} {
		res := read(t, `
  - {on: A, id: w, async: true, wr_rdma_write: {}, expect: {wc: SUCCESS}}
  - {on: B, after: {id: w, at: `+stage+`}, store: {buf: bufB, offset: 4KiB, data: {u64: 7}}, expect: {memory: {bufB: {at: 4KiB, equals: {u64: 7}}}}}
`)
		if res.End != run.Finished || res.Held != 2 || res.Asked != 2 {
			t.Errorf("%s: %v, %d of %d expectations held, %v", stage, res.End, res.Held, res.Asked, res.Waits)
		}
		w, store := res.Ops[0], res.Ops[1]
		if stage == "post" && store.Start >= w.End || stage == "poll" && store.Start != w.End {
			t.Errorf("after %s: begins at %v, the request ran from %v to %v", stage, store.Start, w.Start, w.End)
		}
	}
}

// TestStepThatNeverBegins: what a step waits for may not come. Its
// expectations were never asked, and that must not look like success.
func TestStepThatNeverBegins(t *testing.T) {
	const ops = `
  - {on: A, wr_rdma_write: {}, expect: {wc: SUCCESS}}
  - {on: A, after: {event: QP_ACCESS_ERR, on: B}, wr_rdma_write: {qp: qA2}, expect: {wc: SUCCESS}}
`
	res := read(t, ops)
	if res.End != run.Stuck || !strings.Contains(strings.Join(res.Waits, "\n"), "step 2 never began") {
		t.Errorf("%v, waits %q", res.End, res.Waits)
	}
	if res = read(t, strings.Replace(ops, "qA2}, expect: {", "qA2}, expect: {pending: true, ", 1)); res.End != run.Finished {
		t.Errorf("pending: %v, waits %q", res.End, res.Waits)
	}
}

// TestBindToNone: a bind may name no region at all, which the verb refuses.
func TestBindToNone(t *testing.T) {
	res := read(t, `
  - {on: B, alloc_mw: {as: w, type: 1}}
  - {on: B, bind_mw: {mw: w, mr: none, length: 64}, expect: {errno: EINVAL}}
`)
	if res.Held != 1 || len(res.Failures) > 0 {
		t.Errorf("%d held, %v", res.Held, res.Failures)
	}
}
