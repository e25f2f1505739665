package conform

import (
	"fmt"
	"strings"
)

// forms are the work requests by their short names.
var forms = map[string]string{
	"RDMA_WRITE": "wr_rdma_write", "RDMA_WRITE_WITH_IMM": "wr_rdma_write_imm", "RDMA_READ": "wr_rdma_read",
	"ATOMIC_FETCH_AND_ADD": "wr_atomic_fetch_add", "ATOMIC_CMP_AND_SWP": "wr_atomic_cmp_swp",
	"SEND": "wr_send", "SEND_WITH_INV": "wr_send_inv", "LOCAL_INV": "wr_local_inv", "BIND_MW": "wr_bind_mw",
}

const remoteRights = "[REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC]"

// setup returns what a step declares instead of doing, as members of set:.
func setup(s *Step) (members []string) {
	switch s.Verb {
	case "mem":
		prot := ""
		if len(s.Args) > 2 {
			prot = ", prot: " + s.Args[2]
		}
		return []string{fmt.Sprintf("hosts.%s.mem.%s: {at: %#x, length: %s%s}", s.Host, s.Args[0], starts[s.Args[0]], s.Args[1], prot)}
	case "pair":
		for _, q := range []string{"a.qp.qa", "b.qp.qb"} {
			if v, ok := s.get("access"); ok {
				members = append(members, fmt.Sprintf("hosts.%s.access: %s", q, access(v)))
			}
			if v, ok := s.get("type"); ok {
				members = append(members, fmt.Sprintf("hosts.%s.type: %s", q, v))
			}
		}
	}
	return members
}

// declares reports whether a step is of set:.
func declares(s *Step) bool { return s.Verb == "mem" || s.Verb == "pair" }

// act writes the verb of a step with what it takes.
func (w *world) act(s *Step) string {
	if form, posted := forms[s.Verb]; posted {
		return form + ": {" + strings.Join(w.request(s), ", ") + "}"
	}
	a := s.Args
	switch s.Verb {
	case "reg_mr":
		buffer, offset := place(a[2])
		iova := ""
		if len(a) > 5 {
			iova = ", iova: " + a[5]
		}
		return fmt.Sprintf("reg_mr: {as: %s, pd: %s, buf: %s, offset: %d, length: %s, access: %s%s}", a[0], a[1], buffer, offset, a[3], access(a[4]), iova)
	case "rereg_mr":
		more := ""
		if v, ok := s.get("pd"); ok {
			more += ", pd: " + v
		}
		if v, ok := s.get("access"); ok {
			more += ", access: " + access(v)
		}
		return fmt.Sprintf("rereg_mr: {mr: %s%s}", a[0], more)
	case "alloc_mw":
		return fmt.Sprintf("alloc_mw: {as: %s, pd: %s, type: %s}", a[0], a[1], a[2])
	case "alloc_pd":
		return fmt.Sprintf("alloc_pd: {as: %s}", a[0])
	case "create_qp":
		return fmt.Sprintf("create_qp: {as: %s, pd: %s, access: %s, mtu: 1024, psn: 100, retry_cnt: 2}", a[0], a[1], remoteRights)
	case "connect":
		return fmt.Sprintf("modify_qp: {qp: %s, peer: %s, state: [INIT, RTR, RTS]}", a[0], a[1])
	case "modify_qp":
		return fmt.Sprintf("modify_qp: {qp: %s, %s}", a[0], modified(s))
	case "bind_mw":
		return fmt.Sprintf("bind_mw: {qp: %s, mw: %s, mr: %s, addr: %s, length: %s, access: %s}", a[0], a[1], a[2], address(a[3]), a[4], access(a[5]))
	case "post_recv":
		sge := "[]"
		if v, ok := s.get("local"); ok {
			sge = w.local(v)
		}
		return fmt.Sprintf("post_recv: {qp: %s, sge: %s}", a[0], sge)
	case "store":
		buffer, offset := place(a[0])
		return fmt.Sprintf("store: {buf: %s, offset: %d, data: {u64: %s}}", buffer, offset, a[1])
	default: // one name
		return s.Verb + ": " + a[0]
	}
}

func modified(s *Step) string {
	if v, ok := s.get("state"); ok {
		return "state: " + v
	}
	v, _ := s.get("access")
	return "access: " + access(v)
}

// request writes the members of a work request.
func (w *world) request(s *Step) []string {
	members := []string{"qp: " + s.Args[0]}
	var sge []string
	for _, f := range s.Fields {
		switch f.Name {
		case "local":
			sge = append(sge, w.local(f.Value))
		case "remote":
			members = append(members, "remote: "+w.remote(s.Host, f.Value))
		case "invalidate":
			of, expr, plain := key(f.Value)
			if plain {
				expr = of
			}
			members = append(members, "invalidate: "+expr)
		case "window":
			members = append(members, "mw: "+f.Value)
			if _, ok := s.get("region"); !ok {
				members = append(members, "mr: none")
			}
		case "region":
			members = append(members, "mr: "+f.Value)
		case "range":
			at, length, _ := strings.Cut(f.Value, ":")
			members = append(members, "addr: "+address(at), "length: "+length)
		case "access":
			members = append(members, "access: "+access(f.Value))
		case "key":
			_, expr, _ := key(f.Value)
			members = append(members, "key: "+expr)
		case "inline":
			members = append(members, "send_flags: [INLINE]")
		case "async":
		default: // add, compare, swap
			members = append(members, f.Name+": "+f.Value)
		}
	}
	if s.Verb != "LOCAL_INV" && s.Verb != "BIND_MW" {
		members = append(members, "sge: ["+strings.Join(sge, ", ")+"]")
	}
	return members
}
