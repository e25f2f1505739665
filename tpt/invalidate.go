package tpt

import "hcasim/ib"

// invalidate kills a key: LOCAL_INV of the owner, or SEND_WITH_INV of the
// peer, executed by the adapter that received it.
func (t *Table) invalidate(c *Command) Result {
	i := c.Key.Index()
	rule, f := t.checkInvalidate(c)
	if rule != "" {
		status := t.variant.LocalInvFailStatus // INV-5
		if c.Op == RemoteInv {
			status = t.variant.RemoteInvFailRecvStatus // INV-10
		}
		return refuseWork(status, rule, f)
	}
	e := t.entries.at(i)
	r := Result{Index: i, Key: c.Key, RKey: ib.RKey(c.Key)}
	if e.State == Free {
		return r // INV-7, inv_free_mw
	}
	r.OldKey, r.Touched[0] = c.Key, i
	state, _ := Next(e.Kind, e.State, c.Op)
	if e.Kind == FastReg {
		r.MTT, r.MTTCount = e.MTT, e.Pages
		*e = Entry{Kind: FastReg, State: state, KeyByte: e.KeyByte, PD: e.PD, MTT: e.MTT}
	} else {
		t.release(i, state)
	}
	return r
}

// checkInvalidate asks every question of an invalidate, in order, and names
// the rule that refuses.
func (t *Table) checkInvalidate(c *Command) (rule string, f Fault) {
	e, b := t.at(c.Key.Index())
	switch {
	case e == nil:
		return "INV-2", BadIndex
	case e.KeyByte != c.Key.Byte():
		return "INV-2", BadKey
	case e.Kind == FastReg:
		switch {
		case e.PD != c.PD:
			return "INV-4", PDMismatch
		case b.bound > 0:
			return "INV-3", OK
		}
		return "", OK
	case !e.Kind.Type2():
		return "INV-3", OK
	case e.State == Free:
		if t.variant.InvFreeMW {
			return "", OK
		}
		return "INV-8", NotValid
	case t.variant.Type2InvQPCheck && e.Kind == Window2B && e.PD != c.PD:
		return "INV-4", PDMismatch
	case t.variant.Type2InvQPCheck && e.QPN != c.QPN:
		return "INV-4", QPMismatch
	}
	return "", OK
}
