package tpt

import (
	"fmt"

	"hcasim/ib"
)

// commit makes a change that expect allows, with the numbers that the table
// chose, and returns what is wrong with the answer, or "".
func (m *model) commit(c *Command, got Result) string {
	switch c.Op {
	case AllocPD:
		if got.PD == 0 || m.pds[got.PD] {
			return fmt.Sprintf("domain %d was given", got.PD)
		}
		m.pds[got.PD] = true
	case DeallocPD:
		delete(m.pds, c.PD)
	case CreateQP:
		m.qps[c.QPN] = c.PD
	case DestroyQP:
		delete(m.qps, c.QPN)
	case CreateSRQ:
		m.srqs[c.SRQN] = c.PD
	case DestroySRQ:
		delete(m.srqs, c.SRQN)
	case CreateAH:
		m.ahs[c.PD]++
	case DestroyAH:
		m.ahs[c.PD]--
	case RegMR, RegShared, AllocMR, AllocMW:
		return m.commitNew(c, got)
	case DeallocMW:
		key := ib.MakeKey(c.Index, m.mws[c.Index].byte)
		m.lastKey[c.Index] = m.mws[c.Index].byte
		delete(m.mws, c.Index)
		return differs("old key", got.OldKey, key)
	case DeregMR:
		r := m.mrs[c.Index]
		m.orphan(r, nil)
		m.give(r.pages)
		m.lastKey[c.Index] = r.byte
		delete(m.mrs, c.Index)
		return differs("old key", got.OldKey, ib.MakeKey(c.Index, r.byte))
	case SetPages:
		r := m.mrs[c.Index]
		copy(r.pages.list[(r.first+c.VA-r.start)/r.pages.size:], c.Pages)
	case ReregMR:
		return m.commitRereg(c, got)
	case BindMW:
		return m.commitBind(c, got)
	case FastRegMR:
		return m.commitFast(c, got)
	case LocalInv, RemoteInv:
		i := c.Key.Index()
		if r := m.mrs[i]; r != nil {
			r.state, r.rights, r.n = "free", 0, 0
		} else {
			*m.mws[i] = modelMW{kind: 2, state: "free", pd: m.mws[i].pd, byte: m.mws[i].byte}
		}
		return differs("key", got.Key, c.Key)
	}
	return ""
}

func differs(what string, got, want any) string {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Sprintf("%s: %v, want %v", what, got, want)
	}
	return ""
}

// orphan unties the windows of a region that keep does not.
func (m *model) orphan(r *modelMR, keep func(w *modelMW) bool) {
	for _, w := range m.mws {
		if w.on == r && (keep == nil || !keep(w)) {
			w.on, w.state, w.rights = nil, "orphan", 0
		}
	}
}

func (m *model) commitNew(c *Command, got Result) string {
	i := got.Index
	last, used := m.lastKey[i]
	switch {
	case i == 0, m.mrs[i] != nil, m.mws[i] != nil, got.Key.Index() != i:
		return fmt.Sprintf("index %d, key %#x", i, got.Key)
	case used && last == got.Key.Byte():
		return fmt.Sprintf("index %d under the old byte %#x", i, last)
	}
	if c.Op == AllocMW {
		m.mws[i] = &modelMW{kind: int(c.MWType), state: "free", pd: c.PD, byte: got.Key.Byte()}
		return ""
	}
	r := &modelMR{
		kind: "plain", state: "valid", pd: c.PD, byte: got.Key.Byte(), rights: c.Access, start: c.VA, n: c.Length,
		first: c.First, writable: c.Writable || c.Access&1 != 0,
	}
	m.mrs[i] = r
	switch c.Op {
	case RegMR:
		n, _ := pagesNeeded(c)
		r.pages = m.take(n, c.Pages, c.PageShift)
		if what := differs("translation", [2]int{int(got.MTT), int(got.MTTCount)}, [2]int{r.pages.at, n}); what != "" {
			return what
		}
	case AllocMR:
		*r = modelMR{kind: "fast", state: "free", pd: c.PD, byte: got.Key.Byte()}
		r.pages = m.take(int(c.MaxPages), nil, 12)
	case RegShared:
		from := m.mrs[c.Index]
		r.kind, r.start, r.n, r.first, r.pages, r.writable = "shared", from.start, from.n, from.first, from.pages, from.writable
		r.rights = r.rights&^0x40 | from.rights&0x60
		r.pages.holders++
	}
	if r.rights&0x20 != 0 {
		r.start = 0
	}
	return differs("R_Key", got.RKey, m.rkey(i))
}

// rkey is KEY-10.
func (m *model) rkey(i ib.Index) ib.RKey {
	r := m.mrs[i]
	if m.v.RKeyZeroIfNoRemote && r.rights&(0x2|0x4|0x8) == 0 {
		return 0
	}
	return ib.RKey(uint32(i)*256 + uint32(r.byte))
}

func (m *model) commitRereg(c *Command, got Result) string {
	r := m.mrs[c.Index]
	if c.Fail {
		r.state = "unusable"
		m.orphan(r, nil)
		return ""
	}
	r.rights = m.reregRights(c, r)
	if c.Rereg&2 != 0 {
		r.pd = c.PD
	}
	if c.Rereg&1 != 0 {
		n, _ := pagesNeeded(c)
		old := r.pages
		r.pages = m.take(n, c.Pages, c.PageShift)
		m.give(old)
		r.start, r.n, r.first, r.writable = c.VA, c.Length, c.First, c.Writable || r.rights&1 != 0
		if r.rights&0x20 != 0 {
			r.start = 0
		}
		m.orphan(r, func(w *modelMW) bool {
			if m.v.MWRangeOfMR && !w.zero || w.empty {
				return true
			}
			return r.has(w.low) && r.has(w.high)
		})
	}
	if !m.v.ReregKeepsKeys {
		r.byte++
	}
	if what := differs("key", got.Key, ib.MakeKey(c.Index, r.byte)); what != "" {
		return what
	}
	return differs("R_Key", got.RKey, m.rkey(c.Index))
}

func (m *model) commitBind(c *Command, got Result) string {
	w := m.mws[c.Window]
	old := ib.Key(0)
	if w.state == "valid" {
		old = ib.MakeKey(c.Window, w.byte)
	}
	if what := differs("old key", got.OldKey, old); what != "" {
		return what
	}
	switch {
	case w.kind == 2:
		w.byte = c.NewByte
	case !m.v.MW1KeyRandom:
		w.byte++
	case w.byte == got.Key.Byte():
		return "a type 1 bind kept its key"
	default:
		w.byte = got.Key.Byte()
	}
	key := ib.MakeKey(c.Window, w.byte)
	if what := differs("keys", []any{got.Key, got.RKey}, []any{key, ib.RKey(key)}); what != "" {
		return what
	}
	next := modelMW{kind: w.kind, state: "free", pd: w.pd, byte: w.byte}
	if c.Length != 0 {
		r := m.mrs[c.Region.Index()]
		next.state, next.rights, next.on, next.zero, next.base = "valid", c.Access, r, c.Access&0x20 != 0, c.VA
		if w.kind == 2 {
			next.qp = c.QPN
		}
		next.low, next.high = max(c.VA, r.start), r.start+(r.n-1)
		if sum(c.VA, c.Length-1).BitLen() <= 64 && !m.v.MWRangeOfMR {
			next.high = min(next.high, c.VA+(c.Length-1))
		}
		next.empty = next.low > next.high
	}
	*w = next
	return ""
}

func (m *model) commitFast(c *Command, got Result) string {
	i := c.Key.Index()
	r := m.mrs[i]
	r.state, r.byte, r.rights, r.start, r.n, r.first = "valid", c.Key.Byte(), c.Access, c.VA, c.Length, c.First
	if r.rights&0x20 != 0 {
		r.start = 0
	}
	r.pages.size, r.pages.list = 1<<c.PageShift, append([]uint64{}, c.Pages...)
	if what := differs("key", got.Key, c.Key); what != "" {
		return what
	}
	return differs("R_Key", got.RKey, m.rkey(i))
}
