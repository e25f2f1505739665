package tpt

import "hcasim/ib"

// expect says what a change must come to, and changes nothing.
func (m *model) expect(c *Command) outcome {
	switch c.Op {
	case AllocPD, DeallocPD, CreateQP, CreateSRQ, DestroyQP, DestroySRQ, CreateAH, DestroyAH:
		return m.expectDomain(c)
	case RegMR:
		return m.expectReg(c)
	case RegShared:
		return m.expectShared(c)
	case AllocMR:
		switch {
		case !m.pds[c.PD]:
			return imm(ib.ENOENT, "PD-1")
		case c.MaxPages == 0:
			return imm(ib.EINVAL, "MR-5")
		case len(m.mrs) >= int(m.l.MR), !m.fits(int(c.MaxPages)):
			return imm(ib.ENOMEM, "ACC-14")
		}
	case AllocMW:
		switch {
		case c.MWType != 1 && c.MWType != 2:
			return imm(ib.EINVAL, "MW-12")
		case !m.pds[c.PD]:
			return imm(ib.ENOENT, "PD-1")
		case len(m.mws) >= int(m.l.MW):
			return imm(ib.ENOMEM, "ACC-14")
		}
	case DeallocMW:
		if m.mws[c.Index] == nil {
			return imm(ib.ENOENT, "DER-5")
		}
	case DeregMR:
		r := m.mrs[c.Index]
		switch {
		case r == nil:
			return imm(ib.ENOENT, "DER-5")
		case m.boundTo(r) > 0 && m.v.DeregBound == "ebusy":
			return imm(ib.EBUSY, "DER-1")
		case m.boundTo(r) > 0 && m.v.DeregBound == "einval":
			return imm(ib.EINVAL, "DER-1")
		}
	case SetPages:
		return m.expectPages(c)
	case ReregMR:
		return m.expectRereg(c)
	case BindMW:
		return m.expectBind(c)
	case FastRegMR:
		return m.expectFast(c)
	case LocalInv:
		return m.expectInv(c, m.v.LocalInvFailStatus)
	case RemoteInv:
		return m.expectInv(c, m.v.RemoteInvFailRecvStatus)
	}
	return done
}

// expectDomain is the part that touches no memory.
func (m *model) expectDomain(c *Command) outcome {
	switch c.Op {
	case AllocPD:
		if len(m.pds) >= int(m.l.PD) {
			return imm(ib.ENOMEM, "ACC-14")
		}
	case DeallocPD:
		if !m.pds[c.PD] {
			return imm(ib.ENOENT, "PD-1")
		}
		if m.inPD(c.PD) {
			return imm(ib.EBUSY, "PD-3")
		}
	case CreateQP:
		return m.expectNumber(c.PD, uint32(c.QPN), m.qps[c.QPN] != 0, len(m.qps) >= int(m.l.QP))
	case CreateSRQ:
		return m.expectNumber(c.PD, uint32(c.SRQN), m.srqs[c.SRQN] != 0, len(m.srqs) >= int(m.l.SRQ))
	case DestroyQP:
		for _, w := range m.mws {
			if w.kind == 2 && m.v.MW2Flavor == Window2A && w.state != "free" && w.qp == c.QPN {
				return imm(ib.EBUSY, "QPD-3")
			}
		}
		if m.qps[c.QPN] == 0 {
			return imm(ib.ENOENT, "DER-5")
		}
	case DestroySRQ:
		if m.srqs[c.SRQN] == 0 {
			return imm(ib.ENOENT, "DER-5")
		}
	case CreateAH, DestroyAH:
		if !m.pds[c.PD] || c.Op == DestroyAH && m.ahs[c.PD] == 0 {
			return imm(ib.ENOENT, "PD-1")
		}
	}
	return done
}

func (m *model) expectNumber(pd ib.PDN, n uint32, taken, full bool) outcome {
	switch {
	case !m.pds[pd]:
		return imm(ib.ENOENT, "PD-1")
	case n == 0, taken:
		return imm(ib.EINVAL, "QPD-5")
	case full:
		return imm(ib.ENOMEM, "ACC-14")
	}
	return done
}

func (m *model) expectReg(c *Command) outcome {
	if o := m.flags(c.Access); o != done {
		return o
	}
	if o := m.shape(c, c.Access); o != done {
		return o
	}
	if c.Access&0x40 != 0 && !m.v.ODP {
		return imm(ib.EOPNOTSUPP, "ACC-6")
	}
	if !m.pds[c.PD] {
		return imm(ib.ENOENT, "PD-1")
	}
	n, o := m.list(c, c.Access)
	if o == done && (len(m.mrs) >= int(m.l.MR) || !m.fits(n)) {
		return imm(ib.ENOMEM, "ACC-14")
	}
	return o
}

func (m *model) expectShared(c *Command) outcome {
	if o := m.flags(c.Access); o != done {
		return o
	}
	r := m.mrs[c.Index]
	switch {
	case r == nil:
		return imm(ib.ENOENT, "DER-5")
	case r.kind == "fast":
		return imm(ib.EINVAL, "MR-2")
	case r.state != "valid":
		return imm(ib.EINVAL, "RER-7")
	case !m.pds[c.PD]:
		return imm(ib.ENOENT, "PD-1")
	case c.Access&0x1 != 0 && !r.writable:
		return imm(ib.EACCES, "ACC-18")
	case c.Access&0x20 != 0 && r.first%4096 != 0:
		return imm(ib.EINVAL, "ACC-10")
	case len(m.mrs) >= int(m.l.MR):
		return imm(ib.ENOMEM, "ACC-14")
	}
	return done
}

func (m *model) expectPages(c *Command) outcome {
	r := m.mrs[c.Index]
	switch {
	case r == nil:
		return imm(ib.ENOENT, "DER-5")
	case r.rights&0x40 == 0 || r.state != "valid":
		return imm(ib.EINVAL, "MR-2")
	case !r.has(c.VA):
		return imm(ib.EINVAL, "MR-9")
	case int((r.first+c.VA-r.start)/r.pages.size)+len(c.Pages) > len(r.pages.list):
		return imm(ib.EINVAL, "MR-8")
	}
	return done
}

func (m *model) expectRereg(c *Command) outcome {
	input := outcome{errno: ib.EINVAL, rereg: -1, rule: "RER-3"}
	cmd := func(o outcome) outcome { o.rereg = -4; return o }
	r := m.mrs[c.Index]
	translation, access := c.Rereg&1 != 0, c.Rereg&4 != 0
	zero := r != nil && r.rights&0x20 != 0
	if access {
		zero = c.Access&0x20 != 0
	}
	switch {
	case r != nil && r.kind == "shared", c.Rereg > 7, translation && c.Length == 0,
		translation && c.VA == 0 && !zero, c.Access != 0 && !access:
		return input
	case r == nil:
		return cmd(imm(ib.ENOENT, "DER-5"))
	case r.kind == "fast":
		return cmd(imm(ib.EINVAL, "RER-12"))
	case c.Rereg == 0:
		return cmd(imm(ib.EINVAL, "RER-4"))
	case r.state == "unusable":
		return cmd(imm(ib.EINVAL, "RER-7"))
	case translation && !m.v.ReregTranslation:
		return cmd(imm(ib.EOPNOTSUPP, "RER-1"))
	}
	if access {
		if o := m.flags(c.Access); o != done {
			return cmd(imm(o.errno, "RER-5"))
		}
	}
	switch {
	case c.Rereg&2 != 0 && !m.pds[c.PD]:
		return cmd(imm(ib.ENOENT, "PD-1"))
	case m.boundTo(r) > 0 && !m.v.ReregBound:
		return cmd(imm(ib.EBUSY, "RER-6"))
	}
	n, rights := 0, m.reregRights(c, r)
	if !translation {
		if rights&0x1 != 0 && !r.writable {
			return cmd(imm(ib.EACCES, "ACC-18"))
		}
	} else {
		if rights&0x40 != 0 && !m.v.ODP {
			return cmd(imm(ib.EOPNOTSUPP, "ACC-6"))
		}
		if o := m.shape(c, rights); o != done {
			return cmd(o)
		}
		var o outcome
		if n, o = m.list(c, rights); o != done {
			return cmd(o)
		}
	}
	switch {
	case c.Fail:
		return outcome{errno: 5, rereg: -4, rule: "RER-7"}
	case translation && !m.fits(n):
		return cmd(imm(ib.ENOMEM, "ACC-14"))
	}
	return done
}

// reregRights are the flags of a region after a rereg: whether it is
// zero-based or on-demand goes with its translation.
func (m *model) reregRights(c *Command, r *modelMR) ib.AccessFlags {
	switch {
	case c.Rereg&4 == 0:
		return r.rights
	case c.Rereg&1 != 0:
		return c.Access
	}
	return c.Access&^0x60 | r.rights&0x60
}
