package tpt

import "hcasim/ib"

// eio is what a driver returns when the device did not carry out its command.
const eio ib.Errno = 5

// sticky are the flags that belong to the translation rather than to the
// rights: a rereg that keeps the one keeps the others.
const sticky = ib.ZeroBased | ib.OnDemand

// refuseRereg is the answer of a rereg that changed nothing.
func refuseRereg(result ib.ReregResult, errno ib.Errno, rule string) Result {
	return Result{Rereg: result, Errno: errno, Rule: rule}
}

// reregMR changes a region in place: its translation, its domain, its rights.
func (t *Table) reregMR(c *Command) Result {
	if rule := t.reregInput(c); rule != "" {
		return refuseRereg(ib.ReregErrInput, ib.EINVAL, rule)
	}
	access, n, errno, rule := t.reregCommand(c)
	if errno != ib.OK {
		return refuseRereg(ib.ReregErrCmd, errno, rule)
	}
	e, b := t.at(c.Index)
	r := Result{Index: c.Index, OldKey: t.key(c.Index), Touched: [2]ib.Index{c.Index}}
	t.also = nil
	if c.Fail {
		e.State, _ = Next(e.Kind, e.State, Break)
		r.Rereg, r.Errno, r.Rule = ib.ReregErrCmd, eio, "RER-7"
		r.Key = t.key(c.Index)
		t.orphanAll(b)
		r.Also = t.also
		return r
	}
	old := *e
	if c.Rereg&ib.ReregTranslation != 0 {
		run, ok := t.mtt.take(n)
		if !ok {
			return refuseRereg(ib.ReregErrCmd, ib.ENOMEM, "ACC-14")
		}
		t.mtt.slab.write(run, c)
		r.MTT, r.MTTCount = e.MTT, b.room
		t.mtt.give(e.MTT, b.room)
		e.MTT, e.Pages, e.PageShift = run, n, c.PageShift
		e.Start, e.Length, e.First = start(c, access), c.Length, c.First
		b.room, b.writable = n, c.Writable || access&ib.LocalWrite != 0
	}
	if c.Rereg&ib.ReregPD != 0 {
		t.domains.list[e.PD].users--
		t.domains.list[c.PD].users++
		e.PD = c.PD
	}
	e.Rights = access & knownAccess
	if !t.variant.ReregKeepsKeys {
		e.KeyByte++ // RER-2
	} else {
		r.OldKey = 0
	}
	t.follow(c.Index, &old)
	r.Also = t.also
	r.Key, r.RKey = t.key(c.Index), t.rkey(c.Index)
	return r
}

// reregInput holds a rereg to the rules that the library reads before it asks
// the driver, and names the one that refuses.
func (t *Table) reregInput(c *Command) string {
	e, _ := t.at(c.Index)
	zeroBased := e != nil && e.Rights&ib.ZeroBased != 0
	if c.Rereg&ib.ReregAccess != 0 {
		zeroBased = c.Access&ib.ZeroBased != 0
	}
	translation := c.Rereg&ib.ReregTranslation != 0
	switch {
	case e != nil && e.Kind == Shared,
		c.Rereg&^(ib.ReregTranslation|ib.ReregPD|ib.ReregAccess) != 0,
		translation && (c.Length == 0 || c.VA == 0 && !zeroBased),
		c.Access != 0 && c.Rereg&ib.ReregAccess == 0:
		return "RER-3"
	}
	return ""
}

// reregCommand holds a rereg to the rules of the driver and the device. It
// returns the flags that the region will have and, where the translation
// changes, how many translation entries it will need.
func (t *Table) reregCommand(c *Command) (access ib.AccessFlags, n uint32, errno ib.Errno, rule string) {
	e, b := t.at(c.Index)
	translation := c.Rereg&ib.ReregTranslation != 0
	switch {
	case e == nil || !e.Kind.IsRegion():
		return 0, 0, ib.ENOENT, "DER-5"
	case e.Kind == FastReg:
		return 0, 0, ib.EINVAL, "RER-12"
	case c.Rereg == 0:
		return 0, 0, ib.EINVAL, "RER-4"
	case e.State != Valid:
		return 0, 0, ib.EINVAL, "RER-7"
	case translation && !t.variant.ReregTranslation:
		return 0, 0, ib.EOPNOTSUPP, "RER-1"
	}
	access = e.Rights
	if c.Rereg&ib.ReregAccess != 0 {
		if errno, _ := checkAccess(c.Access); errno != ib.OK {
			return 0, 0, errno, "RER-5"
		}
		access = c.Access
		if !translation {
			access = access&^sticky | e.Rights&sticky
		}
	}
	if c.Rereg&ib.ReregPD != 0 && t.domains.get(c.PD) == nil {
		return 0, 0, ib.ENOENT, "PD-1"
	}
	if b.bound > 0 && !t.variant.ReregBound {
		return 0, 0, ib.EBUSY, "RER-6"
	}
	if translation {
		if errno, rule := t.reregLayout(c, access); errno != ib.OK {
			return 0, 0, errno, rule
		}
		n, errno, rule = t.layout(c, access)
		return access, n, errno, rule
	}
	if access&ib.LocalWrite != 0 && !b.writable {
		return 0, 0, ib.EACCES, "ACC-18"
	}
	return access, 0, ib.OK, ""
}

// reregLayout holds a new translation to the rules of registration.
func (t *Table) reregLayout(c *Command, access ib.AccessFlags) (ib.Errno, string) {
	if access&ib.OnDemand != 0 && !t.variant.ODP {
		return ib.EOPNOTSUPP, "ACC-6"
	}
	return CheckRegister(access, c.VA, c.Length, c.First)
}
