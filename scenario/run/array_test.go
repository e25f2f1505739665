package run_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const arrays = `
version: 1
kind: scenario
name: t
hosts:
  A: {pd: [p], qp: {q: {peer: B.q}}, mr: {src: {length: 4KiB, access: [LOCAL_WRITE], fill: 7}}}
  B:
    pd: [p]
    qp: {q: {peer: A.q, access: [REMOTE_WRITE, REMOTE_READ]}}
    mem: {b: {length: 64KiB}}
    mr:
      big: {length: 1MiB, access: [MW_BIND]}
      own: {count: 12, length: 6000, access: [LOCAL_WRITE, REMOTE_WRITE]}
      part: {count: 9, buf: b, length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}
      zero: {count: 3, length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE, ZERO_BASED]}
    mw: {w: {count: 10, type: 1}}
    fr: {f: {count: 4, pages: 2}}
ops:
  - {on: A, traffic: {opcode: RDMA_WRITE, size: {uniform: [1B, 4000B]}, target: {of: [own, part, zero, own#3], pick: uniform, walk: uniform}, count: 200}, expect: {fault: none}}
  - {on: B, traffic: {opcode: BIND_MW, size: 64B, batch: 3, target: {of: w}, source: {of: big}, count: 30}, expect: {fault: none}}
  - {on: A, traffic: {opcode: RDMA_READ, size: 64B, target: {of: w}, count: 20}, expect: {fault: none}}
  - {on: A, traffic: {opcode: SEND, size: 64B, target: {of: [own, part]}, count: 40}, expect: {fault: none}}
expect:
  key: {distinct: [own, part, zero, w, f]}
  at: {B: {own#0: VALID%s}}
`

// TestArrays: what becomes of a load over arrays is the same whether their
// elements are objects with a name or only known to the tables.
func TestArrays(t *testing.T) {
	var all strings.Builder
	for _, a := range []struct {
		name  string
		n     int
		state string
	}{{"own", 12, "VALID"}, {"part", 9, "VALID"}, {"zero", 3, "VALID"}, {"w", 10, "BOUND"}, {"f", 4, "FREE"}} {
		for i := range a.n {
			if a.name != "own" || i > 0 {
				fmt.Fprintf(&all, ", %s#%d: %s", a.name, i, a.state)
			}
		}
	}
	few, many := held(t, fmt.Sprintf(arrays, "")), held(t, fmt.Sprintf(arrays, all.String()))
	if few.Now != many.Now || few.Events != many.Events || !reflect.DeepEqual(few.Stats, many.Stats) || !reflect.DeepEqual(few.Traffic, many.Traffic) {
		t.Errorf("%v and %d events, by name %v and %d", few.Now, few.Events, many.Now, many.Events)
	}
	if !reflect.DeepEqual(few.Keys, many.Keys) {
		for i := range few.Keys {
			if !reflect.DeepEqual(few.Keys[i], many.Keys[i]) {
				t.Errorf("key %d: %+v, by name %+v", i, few.Keys[i], many.Keys[i])
			}
		}
	}
}
