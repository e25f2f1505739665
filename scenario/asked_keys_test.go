package scenario

import "testing"

// Regions have the keys that they ask for, however high their index, and the
// others go round them.
func TestAskedKeys(t *testing.T) {
	runs, err := Read("asked.yaml", []byte(`
version: 1
kind: scenario
name: asked
hca: {limit: {mr: 16777215}}
hosts:
  A: {pd: [p], mr: {src: {length: 64, access: [], fill: 1}}, qp: {q: {peer: B.q}}}
  B:
    pd: [p]
    mr:
      next: {length: 64, access: []}
      first: {length: 64, access: [LOCAL_WRITE, REMOTE_WRITE], key: 0x00000105}
      high: {length: 64, access: [LOCAL_WRITE, REMOTE_WRITE], key: 0xffffff07}
    fr: {fast: {pages: 1, key: 0x00012a11}}
    qp: {q: {peer: A.q, access: [REMOTE_WRITE]}}
ops:
  - {on: A, wr_rdma_write: {remote: first}, expect: {wc: SUCCESS, key: {B.first: {equals: 0x105}, B.high: {equals: 0xffffff07}, B.fast: {equals: 0x12a11}}}}
  - {on: B, wr_reg_mr: {mr: fast, buf: next, length: 64, access: [LOCAL_WRITE, REMOTE_WRITE], key: 0x12a12}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_write: {remote: {mr: B.fast, key: 0x12a12}}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_write: {remote: {mr: high, key: 0xffffff07}}, expect: {wc: SUCCESS}}
  - {on: A, wr_rdma_write: {remote: {mr: high, key: 0xffffff06}}, expect: {wc: REM_ACCESS_ERR, fault: {at: B, cause: bad-key}}}
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := runs[0].Do()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Failures {
		t.Errorf("%+v", f)
	}
}
