package scenario_test

import "fmt"

func (l *life) pd(host string) string {
	return pick(l, "pd", map[string][]string{"A": {"pa0", "pa0", "pa1"}, "B": {"pb0", "pb0", "pb1"}}[host]...)
}

// verb is a step of one verb.
func (l *life) verb() {
	host := pick(l, "host", "B", "A")
	switch pick(l, "verb", "reg", "reg", "bind 1", "bind 1", "bind 1", "alloc mw", "alloc mw", "alloc mr", "dereg", "dereg", "rereg", "rereg", "dealloc", "recv", "recv", "store") {
	case "reg":
		l.regMR(host)
	case "bind 1":
		l.bindMW(host)
	case "alloc mw":
		l.allocMW(host)
	case "alloc mr":
		l.allocMR(host)
	case "dereg":
		l.deregMR(host)
	case "rereg":
		l.reregMR(host)
	case "dealloc":
		if w := l.only(host, func(o *object) bool { return !o.isRegion() }); w != nil {
			w.state, w.on, w.qp = "gone", nil, nil // DER-7
			l.step(fmt.Sprintf("on: %s, dealloc_mw: %s", host, w.name), "errno: OK", l.at(w))
		}
	case "recv":
		q := among(l, "queue pair", l.queues)
		l.postRecv(q, pick(l, "size", l.size(q), 0, 64))
	case "store":
		b := among(l, "buffer", l.buffers)
		at, n := l.upTo(uint64(len(b.bytes))-8, "at"), uint64(8)
		copy(b.bytes[at:], bytesOf(l.upTo(1<<64-1, "word")))
		l.writes = append(l.writes, span{b, at, at + n})
		l.step(fmt.Sprintf("on: %s, store: {buf: %s, offset: %d, length: 8, data: {hex: %q}}", b.host, b.name, at, fmt.Sprintf("%x", b.bytes[at:at+n])))
	}
}

func (l *life) allocMW(host string) {
	kind := pick(l, "type", 2, 1)
	o := &object{name: l.name(host, "w"), host: host, kind: fmt.Sprintf("type %d", kind), state: "free", pd: l.pd(host)}
	l.objects = append(l.objects, o)
	l.step(fmt.Sprintf("on: %s, alloc_mw: {as: %s, pd: %s, type: %d}", host, o.name, o.pd, kind), "errno: OK", l.at(o))
}

func (l *life) allocMR(host string) {
	o := &object{name: l.name(host, "f"), host: host, kind: "fast", state: "free", pd: l.pd(host), pages: uint64(pick(l, "pages", 4, 3, 2, 1))}
	l.objects = append(l.objects, o)
	l.step(fmt.Sprintf("on: %s, alloc_mr: {as: %s, pd: %s, pages: %d}", host, o.name, o.pd, o.pages), "errno: OK", l.at(o))
}

func (l *life) regMR(host string) {
	o := &object{name: l.name(host, "m"), host: host, kind: "plain", state: "valid", pd: l.pd(host), rights: l.rights()}
	o.buf, o.off, o.n, o.start = l.part(host)
	text := fmt.Sprintf("on: %s, reg_mr: {as: %s, pd: %s, buf: %s, offset: %d, length: %d, iova: %d, access: %s}",
		host, o.name, o.pd, o.buf.name, o.off, o.n, o.start, accessText(o.rights))
	if o.rights&(rw|ra) != 0 && o.rights&lw == 0 { // ACC-1
		l.step(text, "errno: EINVAL", "at: {"+host+": {count: {mr: unchanged, pinned: unchanged, mtt: unchanged}}}")
		return
	}
	o.readOnly = o.rights&lw == 0 // ACC-13
	l.objects = append(l.objects, o)
	l.step(text, "errno: OK", l.at(o))
}

func (l *life) deregMR(host string) {
	o := l.only(host, (*object).isRegion)
	if o == nil {
		return
	}
	errno := "EBUSY" // DER-1
	if l.windows(o) == 0 {
		errno, o.state = "OK", "gone"
	}
	l.made["dereg "+errno]++
	l.step(fmt.Sprintf("on: %s, dereg_mr: %s", host, o.name), "errno: "+errno, l.at(o))
}

func (l *life) reregMR(host string) {
	o := l.only(host, func(o *object) bool { return o.kind == "plain" })
	if o == nil || l.v.mlx5 && l.windows(o) > 0 { // rereg_bound: allow
		return
	}
	text := fmt.Sprintf("on: %s, rereg_mr: {mr: %s", host, o.name)
	pd, rights, buf, off, n, start := o.pd, o.rights, o.buf, o.off, o.n, o.start
	what := 1 + l.upTo(6, "what")
	if what&1 != 0 {
		buf, off, n, _ = l.part(host)
		start = buf.at + off
		text += fmt.Sprintf(", buf: %s, offset: %d, length: %d", buf.name, off, n)
	}
	if what&2 != 0 {
		pd = l.pd(host)
		text += ", pd: " + pd
	}
	if what&4 != 0 {
		rights = l.rights()
		text += ", access: " + accessText(rights)
	}
	errno, rereg := "OK", "OK"
	switch {
	case rights&(rw|ra) != 0 && rights&lw == 0: // RER-5
		errno, rereg = "EINVAL", "CMD"
	case l.windows(o) > 0: // RER-6
		if errno, rereg = "EBUSY", "CMD"; o.readOnly {
			errno = "[EBUSY, EACCES]"
		}
	case o.readOnly && rights&lw != 0 && what&1 == 0: // ACC-18
		errno, rereg = "EACCES", "CMD"
	default:
		o.readOnly = what&1 != 0 && rights&lw == 0 || what&1 == 0 && o.readOnly
		o.pd, o.rights, o.buf, o.off, o.n, o.start = pd, rights, buf, off, n, start
		if !l.v.keepKeys {
			o.keyByte++ // RER-2
		}
	}
	l.made["rereg "+errno]++
	l.step(text+"}", "errno: "+errno, "rereg: "+rereg, l.at(o))
}

// bindMW is the verb for windows of type 1 (POST-3, 4.2).
func (l *life) bindMW(host string) {
	var all []*queue
	for _, q := range l.queues {
		if q.host == host {
			all = append(all, q)
		}
	}
	q := among(l, "queue pair", all)
	if q.broken && !l.one(6, "broken") {
		l.mend(q)
	}
	var b bind
	if !l.drawBind(q, &b, "type 1") {
		return
	}
	text := fmt.Sprintf("on: %s, bind_mw: {qp: %s, %s}", host, q.name, b.text())
	if b.region.pd != b.window.pd {
		l.step(text, "errno: EPERM", "wc: none", l.at(b.window, b.region))
		return
	}
	r := request{op: "BIND_MW", bind: b}
	var o outcome
	l.run(q, &r, &o)
	l.count(&o)
	l.step(text, listed("wc", o.statuses), listed("recv", o.recvs), l.at(b.window, b.region))
}
