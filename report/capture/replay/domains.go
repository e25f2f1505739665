package replay

// domains says which queue pairs of a host must have one protection domain:
// those that used one key.
type domains struct {
	up map[*conn]*conn
}

func domainsOf(list []*life) *domains {
	d := &domains{map[*conn]*conn{}}
	for _, l := range list {
		for _, o := range l.uses {
			d.join(l.uses[0].conn, o.conn)
		}
	}
	return d
}

func (d *domains) of(c *conn) *conn {
	for d.up[c] != nil && d.up[c] != c {
		c = d.up[c]
	}
	return c
}

// join makes two queue pairs one domain, that of the first.
func (d *domains) join(a, b *conn) {
	if d.up[a] == nil {
		d.up[a] = a
	}
	if x, y := d.of(a), d.of(b); x != y {
		d.up[y] = x
	}
}

// same reports whether an op comes over a queue pair of the domain in which a
// life was.
func (d *domains) same(l *life, o *op) bool {
	return len(l.uses) > 0 && d.of(l.uses[0].conn) == d.of(o.conn)
}
