package scenario

import (
	"strings"
	"testing"
)

// TestKeysFollow holds what a scenario calls the key of a name to what the
// adapter made of it.
func TestKeysFollow(t *testing.T) {
	for _, c := range []struct{ name, ops string }{
		{"a freed index has another owner", `
- {on: B, reg_mr: {as: old, buf: bufB, access: [LOCAL_WRITE, REMOTE_WRITE]}}
- {on: B, dereg_mr: old}
- {on: B, reg_mr: {as: next, buf: bufB, access: [LOCAL_WRITE, REMOTE_WRITE]}, expect: {key: {next: {differs: {of: old}}}}}
- {on: A, wr_rdma_write: {remote: {mr: next, key: {of: old}}}, expect: {wc: REM_ACCESS_ERR}}`},
		{"a fast region has the key of its last REG_MR", `
- {on: B, alloc_mr: {as: f, pages: 2}}
- {on: B, wr_reg_mr: {mr: f, buf: bufB, access: [LOCAL_WRITE, REMOTE_WRITE]}, expect: {wc: SUCCESS}}
- {on: A, wr_rdma_write: {remote: f}, expect: {wc: SUCCESS}}`},
		{"and the requests behind it use it already", `
- {on: B, alloc_mr: {as: f, pages: 2}}
- on: B
  post_send: [{opcode: REG_MR, reg_mr: {mr: f, buf: bufB, access: [LOCAL_WRITE]}}, {opcode: SEND, sge: {mr: f, length: 0}}, {opcode: LOCAL_INV, invalidate: f}]
  expect: {wc: [SUCCESS, RNR_RETRY_EXC_ERR, WR_FLUSH_ERR]}
- {on: B, wr_local_inv: {qp: qB2, invalidate: f}, expect: {wc: SUCCESS}}`},
		{"a bind request is not for the windows of the verb", `
- {on: B, alloc_mw: {as: w, type: 1}}
- {on: B, wr_bind_mw: {mw: w, access: [REMOTE_READ]}, expect: {errno: EINVAL}}`},
		{"a word takes the place of a word", `
- {store: {buf: bufB, data: {u64: 2}}, expect: {memory: {bufB: {changed: 8}}}}`},
		{"a packet expected twice is expected twice", `
- {on: A, wr_rdma_write: {length: 4096}, expect: {packets: [WRITE_FIRST, WRITE_MIDDLE*2, WRITE_LAST, ACK]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "version: 1\nkind: scenario\nname: t\nuse: b0\nops:\n" + strings.TrimPrefix(c.ops, "\n") + "\n"
			runs, err := Read("t.yaml", []byte(text), Options{})
			if err != nil {
				t.Fatal(err)
			}
			result, err := runs[0].Do()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range result.Failures {
				t.Errorf("line %d: %s: want %s, got %s", f.Pos.Line, f.What, f.Expected, f.Got)
			}
		})
	}
}
