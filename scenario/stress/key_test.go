package stress

import (
	"fmt"
	"strings"
)

// key draws the place and what opens it: all of it, or for each list a slot.
func (l *lane) key(slot int, lists *int) {
	l.via = pick(l.Rand, "whole", "whole", "own", "own", "window 1", "window 2", "window 2", "fast", "round", "again")
	if l.rush && !l.one(4) {
		l.via = pick(l.Rand, "round", "round", "round", "again", "whole")
	}
	if l.pair.uc && (l.via == "fast" || l.moves()) {
		l.via = "own"
	}
	if l.via == "again" && (l.failing || l.variant == "rxe") { // where it may fail, and where there is none
		l.via = "round"
	}
	if l.n = slot; l.moves() {
		*lists += l.IntN(4)
		if l.rush {
			*lists += 4
		}
		l.n *= *lists
	}
	if l.via == "own" && l.paging && !l.pair.uc && !l.pair.few {
		l.via, l.pair.paged = "paged", true
		l.at = l.to.takePages(l.n)
	} else {
		l.at = l.to.take(l.world, l.n)
	}
	l.part = [2]int{l.at, l.n}
	all := "[LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]"
	l.object = of("t", l.to, l.there)
	pd, whole := of("p", l.to, l.there), l.object
	if l.via != "whole" {
		l.object = "k" + l.name
	}
	part := fmt.Sprintf("offset: %d, length: %d", l.at, l.n)
	remote := "[REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]"
	switch l.via {
	case "own":
		l.to.objects = append(l.to.objects, fmt.Sprintf("%s: {pd: %s, buf: u%s, %s, access: %s}", l.object, pd, l.to.low, part, all))
	case "paged":
		l.to.objects = append(l.to.objects, fmt.Sprintf("%s: {pd: %s, buf: u%s, %s, access: %s}", l.object, pd, l.to.low, part, all[:len(all)-1]+", ON_DEMAND]"))
	case "fast":
		l.to.fast = append(l.to.fast, fmt.Sprintf("%s: {pd: %s, pages: 8}", l.object, pd))
		l.setup = append(l.setup, fmt.Sprintf("{on: %s, wr_reg_mr: {qp: %s, mr: %s, buf: u%s, %s, access: %s}, expect: {wc: SUCCESS}}", l.to.name, l.peer, l.object, l.to.low, part, all))
	case "again":
		l.to.objects = append(l.to.objects, fmt.Sprintf("%s: {pd: %s, buf: u%s, offset: %d, length: %d, access: %s}", l.object, pd, l.to.low, l.at, slot, all))
	case "round":
		l.to.fast = append(l.to.fast, fmt.Sprintf("%s: {pd: %s, pages: %d}", l.object, pd, max((slot+4094)/4096+1, pick(l.Rand, 2, 2, 3, 5, 8))))
	case "window 1":
		l.to.windows = append(l.to.windows, fmt.Sprintf("%s: {pd: %s, type: 1}", l.object, pd))
		l.setup = append(l.setup, fmt.Sprintf("{on: %s, bind_mw: {qp: %s, mw: %s, mr: %s, %s, access: %s}, expect: {wc: SUCCESS}}", l.to.name, l.peer, l.object, whole, part, remote))
	case "window 2":
		l.to.windows = append(l.to.windows, fmt.Sprintf("%s: {pd: %s, type: 2}", l.object, pd))
		l.setup = append(l.setup, fmt.Sprintf("{on: %s, wr_bind_mw: {qp: %s, mw: %s, mr: %s, %s, access: %s}, expect: {wc: SUCCESS}}", l.to.name, l.peer, l.object, whole, part, remote))
	}
}

// moves reports whether the key gets another range for each list.
func (l *lane) moves() bool { return l.via == "round" || l.via == "again" }

// killer draws what takes the key away while it is used, or the queue pair.
func (l *lane) killer() string {
	if !l.storm && !l.one(4) || l.storm && l.one(2) {
		return ""
	}
	inv := fmt.Sprintf("{on: %s, wr_local_inv: {qp: %s, invalidate: %s}, expect: {wc: {status: [SUCCESS, WR_FLUSH_ERR, MW_BIND_ERR, LOC_QP_OP_ERR]}}}", l.to.name, l.peer, l.object)
	free := fmt.Sprintf("{on: %s, dealloc_mw: %s, expect: {errno: OK}}", l.to.name, l.object)
	list := []string{fmt.Sprintf("{on: %s, modify_qp: {qp: %s, state: ERR}, expect: {errno: OK}}", l.to.name, l.peer),
		fmt.Sprintf("{on: %s, modify_qp: {qp: %s, state: ERR}, expect: {errno: OK}}", l.from.name, l.q)}
	switch l.via {
	case "own", "paged":
		dereg := fmt.Sprintf("{on: %s, dereg_mr: %s, expect: {errno: OK}}", l.to.name, l.object)
		rereg := fmt.Sprintf("{on: %s, rereg_mr: {mr: %s, access: [LOCAL_WRITE]}}", l.to.name, l.object)
		fails := fmt.Sprintf("{on: %s, fault: {command: rereg_mr}}, %s", l.to.name, rereg)
		list = append(list, dereg, dereg, dereg, rereg, rereg)
		if l.failing {
			list = append(list, fails, fails)
		}
	case "window 1":
		again := fmt.Sprintf("{on: %s, bind_mw: {qp: %s, mw: %s, mr: %s, offset: %d, length: %d, access: [REMOTE_READ]}, expect: {wc: {status: [SUCCESS, WR_FLUSH_ERR]}}}", l.to.name, l.peer, l.object, of("t", l.to, l.there), l.at, l.n)
		list = append(list, free, free, again, again)
	case "window 2":
		list = append(list, free, inv, inv)
	case "round":
		list = append(list, inv, inv)
	case "fast":
		list = append(list, inv, inv, fmt.Sprintf("{on: %s, dereg_mr: %s, expect: {errno: OK}}", l.to.name, l.object))
	default:
		if l.storm || !l.one(3) {
			return ""
		}
	}
	return pick(l.Rand, list...)
}

// wrong spoils one of the requests.
func (l *lane) wrong() {
	if len(l.lists) == 0 {
		return
	}
	o := pick(l.Rand, pick(l.Rand, l.lists...)...)
	if o.n == 0 || o.shared || strings.HasPrefix(o.code, "SEND") || o.code == "RDMA_WRITE_WITH_IMM" || o.inline {
		return
	}
	kinds := []string{"local"}
	if !l.pair.uc && l.via != "window 2" && l.via != "window 1" && l.via != "fast" && !l.moves() {
		kinds = append(kinds, "byte", "byte", "index", "range")
	}
	o.bad, l.spoilt = pick(l.Rand, kinds...), o
	l.pair.doomed = true
}
