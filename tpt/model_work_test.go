package tpt

import "hcasim/ib"

func (m *model) expectBind(c *Command) outcome {
	no := func(rule string) outcome { return cqe(6, rule) }
	w := m.mws[c.Window]
	if w == nil {
		return no("KEY-1")
	}
	unbind := w.kind == 1 && c.Length == 0
	switch { // what the verb should have refused
	case w.kind == 2 && c.MWType == 1, w.kind == 1 && c.NoRegion && (c.VA != 0 || c.Length != 0):
		return no("POST-3")
	case w.kind == 1 && c.MWType == 2:
		return no("POST-4")
	case c.Access&^(0x2|0x4|0x8|0x20) != 0:
		return no("BND-7")
	case w.kind == 1 && c.Access&0x20 != 0:
		return no("BND-8")
	}
	if w.kind == 2 && w.state != "free" {
		return no("BIN-3")
	}
	if unbind {
		if w.pd != c.PD {
			return no("BIN-5")
		}
		return done
	}
	r := m.mrs[c.Region.Index()]
	switch {
	case c.NoRegion:
		return no("BIN-4")
	case r == nil && m.mws[c.Region.Index()] != nil:
		return no("KEY-11")
	case r == nil:
		return no("KEY-1")
	case r.byte != c.Region.Byte():
		return no("KEY-2")
	case r.state == "free":
		return no("MR-4")
	case r.state == "unusable":
		return no("RER-7")
	case r.pd != c.PD, w.pd != c.PD:
		return no("BIN-5")
	case c.Length == 0:
		return no("BIN-4")
	case r.rights&0x20 != 0:
		return no("BND-9")
	case r.rights&0x10 == 0:
		return no("BND-1")
	case c.Access&(0x2|0x8) != 0 && r.rights&0x1 == 0:
		return no("BND-2")
	case m.v.BindRangeCheck && (!r.has(c.VA) || sum(c.VA, c.Length).Cmp(sum(r.start, r.n)) > 0):
		return no("BND-6")
	}
	return done
}

func (m *model) expectFast(c *Command) outcome {
	no := func(rule string) outcome { return cqe(m.v.LocalInvFailStatus, rule) }
	i := c.Key.Index()
	if c.Region != 0 {
		i = c.Region.Index()
	}
	r := m.mrs[i]
	switch {
	case r == nil && m.mws[i] == nil:
		return no("KEY-1")
	case r == nil || r.kind != "fast" || r.state != "free" || r.pd != c.PD:
		return no("MR-5")
	case c.Key.Index() != i:
		return no("KEY-4")
	case len(c.Pages) > r.pages.room:
		return no("MR-5")
	}
	if o := m.flags(c.Access); o.rule == "ACC-1" {
		return no("ACC-19")
	} else if o != done {
		return no(o.rule)
	}
	if o := m.shape(c, c.Access); o != done {
		return no(o.rule)
	}
	if c.Access&0x40 != 0 {
		return no("ACC-6")
	}
	if n, ok := pagesNeeded(c); !ok || n != len(c.Pages) {
		return no("MR-8")
	}
	for _, p := range c.Pages {
		if p == NoPage {
			return no("ACC-12")
		}
	}
	return done
}

func (m *model) expectInv(c *Command, status ib.WCStatus) outcome {
	no := func(rule string) outcome { return cqe(status, rule) }
	i := c.Key.Index()
	if r := m.mrs[i]; r != nil {
		switch {
		case r.byte != c.Key.Byte():
			return no("INV-2")
		case r.kind != "fast":
			return no("INV-3")
		case r.pd != c.PD:
			return no("INV-4")
		case m.boundTo(r) > 0:
			return no("INV-3")
		}
		return done
	}
	w := m.mws[i]
	switch {
	case w == nil, w.byte != c.Key.Byte():
		return no("INV-2")
	case w.kind == 1:
		return no("INV-3")
	case w.state == "free" && !m.v.InvFreeMW:
		return no("INV-8")
	case w.state == "free", !m.v.Type2InvQPCheck:
		return done
	case w.qp != c.QPN, m.v.MW2Flavor == Window2B && w.pd != c.PD:
		return no("INV-4")
	}
	return done
}
