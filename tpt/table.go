package tpt

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"hcasim/ib"
)

// A Table is the truth about one adapter's memory: its protection domains,
// protection entries and translation entries, as they stand in host memory.
// It knows no time; whoever owns it applies one command at a time.
type Table struct {
	limits  Limits
	variant Variant
	random  *rand.PCG // mw1_key: random

	entries ByIndex[Entry] // entry 0 is never used
	books   ByIndex[book]
	freed   struct{ oldest, newest ib.Index }
	next    ib.Index // the lowest that was never given out
	mrs     uint32   // regions that exist
	mws     uint32   // windows that exist
	mtt     mtt

	domains domains
	also    []ib.Index // the Also of the change under way
}

// A book is what the device keeps beside an entry and no access reads.
type book struct {
	// Of a region: next is the first of the windows bound to it. Of a bound
	// window: its neighbours in that list. Of a freed index: next is the one
	// freed after it.
	next, prev ib.Index
	bound      uint32 // windows bound to the region
	room       uint32 // translation entries that the region holds, from Entry.MTT
	writable   bool   // the region's pages are pinned writable (ACC-18)
}

// NewTable returns an empty table. The seed decides the key bytes of type 1
// binds under mw1_key: random, and nothing else.
func NewTable(l Limits, v Variant, seed uint64) *Table {
	t := &Table{limits: l, variant: v, random: rand.NewPCG(seed, 0x7470)}
	t.entries.Make(0)
	t.books.Make(0)
	t.next = 1
	t.mtt.limit = l.MTT
	return t
}

// Entry returns the entry at index i: the zero Entry, but for a key byte,
// where nothing is.
func (t *Table) Entry(i ib.Index) Entry {
	if e := t.entries.Find(i); e != nil {
		return *e
	}
	return Entry{}
}

// Entries yields the entries in the order of their indices, absent ones among
// them: all that were ever given out.
func (t *Table) Entries() iter.Seq2[ib.Index, *Entry] { return t.entries.All() }

// Is reports whether what stands at index i is e.
func (t *Table) Is(i ib.Index, e *Entry) bool {
	is := t.entries.Find(i)
	if is == nil {
		is = t.entries.at(0) // no entry either
	}
	return e.same(is)
}

// Holds reports whether the protection table, as large as its limits make it,
// has an entry at index i: where it has, the device must read it to know what
// is there.
func (t *Table) Holds(i ib.Index) bool {
	return i != 0 && uint64(i) <= min(uint64(t.limits.MR)+uint64(t.limits.MW), MaxIndex)
}

// Page returns the physical address behind translation entry mtt, NoPage if
// there is none. It makes Table a Translation.
func (t *Table) Page(mtt uint32) uint64 { return t.mtt.page(mtt) }

// Pages copies what stands in the translation entries from one on.
func (t *Table) Pages(from uint32, to []uint64) { t.mtt.slab.read(from, to) }

// Bound returns how many windows are bound to the region at index i.
func (t *Table) Bound(i ib.Index) uint32 {
	if t.Entry(i).Kind.IsRegion() {
		return t.books.at(i).bound
	}
	return 0
}

// Usage says how full the tables are.
type Usage struct{ MR, MW, MTT, QP, SRQ, PD uint32 }

// Usage returns how many objects and translation entries are in use.
func (t *Table) Usage() Usage {
	d := &t.domains
	return Usage{t.mrs, t.mws, t.mtt.used, d.qps.live, d.srqs.live, d.pds}
}

// MaxEntry returns the greatest index that was ever given out.
func (t *Table) MaxEntry() ib.Index { return ib.Index(t.entries.Len() - 1) }

// Apply makes one change, with all checks in the order of the rules, or
// refuses it and changes nothing (save RER-7). Work requests allocate nothing.
func (t *Table) Apply(c *Command) Result {
	switch c.Op {
	case BindMW:
		return t.bindMW(c)
	case LocalInv, RemoteInv:
		return t.invalidate(c)
	case FastRegMR:
		return t.fastRegMR(c)
	case RegMR:
		return t.regMR(c)
	case RegShared:
		return t.regShared(c)
	case AllocMR:
		return t.allocMR(c)
	case ReregMR:
		return t.reregMR(c)
	case DeregMR:
		return t.deregMR(c)
	case SetPages:
		return t.setPages(c)
	case AllocMW:
		return t.allocMW(c)
	case DeallocMW:
		return t.deallocMW(c)
	case AllocPD, DeallocPD, CreateQP, DestroyQP, CreateSRQ, DestroySRQ, CreateAH, DestroyAH:
		return t.domains.apply(c, &t.limits)
	case NoOp:
		return Result{}
	default: // the steps that no command asks for by name
		panic(fmt.Sprintf("tpt: %v is no command", c.Op))
	}
}

// CopyFrom makes t what u is, so that what may follow can be tried out on t.
// It re-uses the memory that t has.
func (t *Table) CopyFrom(u *Table) {
	random := t.random
	*random = *u.random
	entries, books, m, d := t.entries, t.books, t.mtt, t.domains
	entries.copyFrom(&u.entries)
	books.copyFrom(&u.books)
	m.copyFrom(&u.mtt)
	d.copyFrom(&u.domains)
	*t = *u
	t.random, t.entries, t.books, t.mtt, t.domains, t.also = random, entries, books, m, d, nil
}

// at returns the entry and the book of an object that exists, or nil.
func (t *Table) at(i ib.Index) (*Entry, *book) {
	e := t.entries.Find(i)
	if e == nil || e.State == Absent {
		return nil, nil
	}
	return e, t.books.at(i)
}

// room reports whether one more index can be given out: that of a key, if one
// is asked for.
func (t *Table) room(k ib.Key) bool {
	if k != 0 {
		return t.fresh(k.Index())
	}
	return t.freed.oldest != 0 || t.next <= MaxIndex
}

// fresh reports whether an index is one of the table and was never given out.
func (t *Table) fresh(i ib.Index) bool {
	if !t.Holds(i) || t.Entry(i) != (Entry{}) {
		return false
	}
	for free := t.freed.oldest; free != 0; free = t.books.at(free).next {
		if free == i {
			return false
		}
	}
	return true
}

// put makes e the entry of a key of a fresh index.
func (t *Table) put(e Entry, k ib.Key) ib.Index {
	i := k.Index()
	e.KeyByte = k.Byte()
	t.write(i, e)
	t.skip()
	return i
}

// skip finds the lowest index that was never given out, from the one before on.
func (t *Table) skip() {
	for uint32(t.next) < t.entries.Len() && !t.fresh(t.next) {
		t.next++
	}
}

// add puts e at an index that is not in use: one never used, or the one freed
// longest ago under another key byte (KEY-14).
func (t *Table) add(e Entry) ib.Index {
	i := t.freed.oldest
	if i == 0 {
		i = t.next
		t.next++
		t.write(i, e)
		t.skip()
		return i
	}
	t.freed.oldest = t.books.at(i).next
	if t.freed.oldest == 0 {
		t.freed.newest = 0
	}
	e.KeyByte = t.entries.at(i).KeyByte + 1
	t.write(i, e)
	return i
}

// write makes e the entry at index i, with an empty book.
func (t *Table) write(i ib.Index, e Entry) { *t.entries.Make(i), *t.books.Make(i) = e, book{} }

// remove makes index i free; its key byte stays behind.
func (t *Table) remove(i ib.Index) {
	t.write(i, Entry{KeyByte: t.entries.at(i).KeyByte})
	if t.freed.newest == 0 {
		t.freed.oldest = i
	} else {
		t.books.at(t.freed.newest).next = i
	}
	t.freed.newest = i
}

// key returns the key that names entry i now.
func (t *Table) key(i ib.Index) ib.Key { return ib.MakeKey(i, t.entries.at(i).KeyByte) }

// rkey returns the R_Key that is handed out for entry i (KEY-10).
func (t *Table) rkey(i ib.Index) ib.RKey {
	e := t.entries.at(i)
	if t.variant.RKeyZeroIfNoRemote && e.Kind.IsRegion() && e.Rights&remoteAccess == 0 {
		return 0
	}
	return ib.RKey(t.key(i))
}

// refuse is the answer of a driver's command that is not carried out.
func refuse(errno ib.Errno, rule string) Result { return Result{Errno: errno, Rule: rule} }

// refuseWork is the answer of a work request that is not carried out.
func refuseWork(status ib.WCStatus, rule string, f Fault) Result {
	return Result{Status: status, Rule: rule, Fault: f}
}
