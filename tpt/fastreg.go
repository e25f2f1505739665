package tpt

import (
	"slices"

	"hcasim/ib"
)

// fastRegMR makes a fast-register region stand for memory (REG_MR).
func (t *Table) fastRegMR(c *Command) Result {
	i := c.Key.Index()
	if c.Region != 0 {
		i = c.Region.Index()
	}
	if rule, f := t.checkFastReg(c, i); rule != "" {
		return refuseWork(t.variant.LocalInvFailStatus, rule, f)
	}
	e := t.entries.at(i)
	e.State, _ = Next(e.Kind, e.State, FastRegMR)
	e.KeyByte, e.PageShift, e.Rights = c.Key.Byte(), c.PageShift, c.Access&knownAccess
	e.Pages = uint32(len(c.Pages))
	e.Start, e.Length, e.First = start(c, c.Access), c.Length, c.First
	t.mtt.slab.put(e.MTT, c.Pages)
	return t.made(i, e.MTT, e.Pages)
}

// checkFastReg asks every question of a REG_MR, in order, and names the rule
// that refuses.
func (t *Table) checkFastReg(c *Command, i ib.Index) (rule string, f Fault) {
	e, b := t.at(i)
	switch {
	case e == nil:
		return "KEY-1", BadIndex
	case e.Kind != FastReg:
		return "MR-5", OK
	case e.State != Free:
		return "MR-5", NotValid
	case e.PD != c.PD:
		return "MR-5", PDMismatch
	case c.Key.Index() != i:
		return "KEY-4", BadIndex
	case uint64(len(c.Pages)) > uint64(b.room):
		return "MR-5", OutOfRange
	}
	if errno, rule := CheckRegister(c.Access, c.VA, c.Length, c.First); errno != ib.OK {
		if rule == "ACC-1" {
			return "ACC-19", NoRight
		}
		return rule, OK
	}
	if c.Access&ib.OnDemand != 0 {
		return "ACC-6", OK
	}
	n, ok := pagesOf(c.First, c.Length, c.PageShift)
	if !ok || n != uint64(len(c.Pages)) {
		return "MR-8", OK
	}
	if slices.Contains(c.Pages, NoPage) {
		return "ACC-12", NoTranslation
	}
	return "", OK
}
