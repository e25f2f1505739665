package keys

import (
	"fmt"

	"hcasim/ib"
	"hcasim/mtp"
	"hcasim/sim"
	"hcasim/tpt"
)

// Counts are the figures of all keys, which grow only.
type Counts struct {
	Lives   uint64 // keys that became live
	Again   uint64 // of these, with a value that had been dead
	Reused  uint64 // of these, with another meaning
	Refused uint64 // requests refused by dead keys
	Late    uint64 // granted uses of dead keys
	Unknown uint64 // requests refused by values that never were live
}

// keptLives bounds the lives of a host that are kept one by one.
const keptLives = 50_000

// An Audit keeps the book of one host.
type Audit struct {
	host     string
	table    *tpt.Table
	counts   *Counts
	object   func(i ib.Index) string
	declared rows
	open     tpt.ByIndex[uint32] // see untold and shut
	records  sim.Pool[record]
	uses     tpt.ByIndex[uint32]   // objects that an entry was of before
	used     tpt.ByIndex[sim.Time] // when a declared life without a record last granted a peer something
	dying    []dying
	past     map[ib.Key]uint32 // the last life of each value that is dead or dying
	lives    []*Life           // nil: one that was declared, and nothing came of it
	omitted  uint64
	live     uint64 // open to peers
	exposed  sim.Duration
}

// A dying life has ended in the tables, and what it had opened is under way.
type dying struct {
	by   *tpt.Command
	life uint32
}

// Watch begins the book of a host, with the keys that are live already.
// Counts may be shared by several. Object returns the name of what an entry
// belongs to; it is called when a life ends, at the latest by Lives.
func Watch(u *mtp.Unit, table *tpt.Table, host string, c *Counts, object func(i ib.Index) string) *Audit {
	a := &Audit{host: host, table: table, counts: c, object: object, past: map[ib.Key]uint32{}}
	for i, e := range table.Entries() {
		if e.State == tpt.Valid {
			a.declared.add(i, *e)
			if g := grantOf(e, 0); g.Open() {
				a.live++
			}
		}
	}
	n := a.declared.n
	c.Lives += uint64(n)
	a.lives = make([]*Life, min(n, keptLives))
	a.omitted = uint64(n - len(a.lives))
	u.Changes.Watch(a.changed)
	u.Judgements.Watch(a.judged)
	return a
}

// Live returns how many keys are open to peers now.
func (a *Audit) Live() uint64 { return a.live }

// Exposed returns the longest exposure of a key that is dead.
func (a *Audit) Exposed() sim.Duration { return a.exposed }

// Lives returns all lives in the order of their births, and how many more
// there were.
func (a *Audit) Lives() (lives []Life, omitted uint64) {
	for _, w := range a.declared.list {
		for k := uint32(0); k < w.n && int(w.rank+k) < len(a.lives); k++ {
			a.tell(w.first+ib.Index(k), int(w.rank+k))
		}
	}
	lives = make([]Life, 0, len(a.lives))
	for _, l := range a.lives {
		if i := l.Key.Index(); l.Object == "" && (a.state(i) == untold || a.keeps(i, l)) {
			l.Object = a.object(i)
		}
		lives = append(lives, *l)
	}
	return lives, a.omitted
}

// keeps reports whether l is the open life of an entry.
func (a *Audit) keeps(i ib.Index, l *Life) bool {
	r := a.at(i)
	return r != nil && r.kept == l
}

func (a *Audit) changed(ch mtp.Changed) {
	if ch.Done {
		a.settle(ch.At, ch.Command)
		return
	}
	for _, i := range ch.Result.Touched {
		if i != 0 {
			a.look(ch.At, i, ch.Command)
		}
	}
	for _, i := range ch.Result.Also {
		a.look(ch.At, i, ch.Command)
	}
}

// look compares an entry with the book.
func (a *Audit) look(now sim.Time, i ib.Index, by *tpt.Command) {
	e := a.table.Entry(i)
	use := uint32(0)
	if before := a.uses.Find(i); before != nil {
		use = *before
	}
	g, key := grantOf(&e, use), ib.MakeKey(i, e.KeyByte)
	r := a.at(i)
	if r != nil && e.State == tpt.Valid && r.key == key && r.grant == g {
		return
	}
	if r != nil {
		a.end(i, r, by, e.State)
	}
	switch e.State {
	case tpt.Valid:
		a.begin(now, key, g)
	case tpt.Absent:
		*a.uses.Make(i)++
	case tpt.Free, tpt.Unusable: // an object that opens nothing
	}
}

// begin opens a life.
func (a *Audit) begin(now sim.Time, key ib.Key, g grant) {
	h := a.records.Get()
	r := a.records.At(h)
	*r = record{key: key, grant: g, born: now, last: now}
	if len(a.lives) < keptLives {
		r.kept = &Life{Host: a.host, Key: key, Meaning: Meaning{grant: g}, Born: now}
		a.lives = append(a.lives, r.kept)
	} else {
		a.omitted++
	}
	a.counts.Lives++
	if old, again := a.past[key]; again {
		a.follow(r, a.records.At(old))
	}
	if r.Open() {
		a.live++
	}
	a.set(key.Index(), h+1)
}

// follow books that a value had lived before.
func (a *Audit) follow(r, old *record) {
	a.counts.Again++
	if r.grant != old.grant {
		a.counts.Reused++
	}
	if r.kept != nil {
		r.kept.Before = &Meaning{grant: old.grant}
		if old.kept != nil {
			*r.kept.Before = old.kept.Meaning
		}
	}
}

// end takes a life out of the tables.
func (a *Audit) end(i ib.Index, r *record, by *tpt.Command, next tpt.State) {
	if l := r.kept; l != nil {
		l.Object = a.object(i)
		l.By = by.Op
		if by.Op == tpt.BindMW && next != tpt.Valid {
			l.By = tpt.Unbind
		}
	}
	h := a.state(i) - 1
	a.set(i, shut)
	if old, again := a.past[r.key]; again && a.records.At(old).dead {
		a.records.Put(old)
	}
	a.past[r.key] = h
	a.dying = append(a.dying, dying{by, h})
}

// settle buries the lives that a change ended.
func (a *Audit) settle(now sim.Time, by *tpt.Command) {
	left := a.dying[:0]
	for _, d := range a.dying {
		if d.by != by {
			left = append(left, d)
			continue
		}
		r := a.records.At(d.life)
		r.dead = true
		if r.kept != nil {
			r.kept.Dead, r.kept.Died = true, now
		}
		if r.Open() {
			a.live--
			a.exposed = max(a.exposed, r.exposure(now))
		}
	}
	a.dying = left
}

// of returns the life that a use of a value belongs to: the open one, or the
// last that the value had; nil if it never was live.
func (a *Audit) of(k ib.Key) *record {
	if r := a.at(k.Index()); r != nil && r.key == k {
		return r
	}
	if h, ok := a.past[k]; ok {
		return a.records.At(h)
	}
	return nil
}

// judged books an access that was granted.
func (a *Audit) judged(j mtp.Judgement) {
	x := j.Access
	if x.Fault != tpt.OK || x.Judge.Length == 0 { // without bytes the key is not looked at
		return
	}
	if s := a.state(x.Key.Index()); s != untold && s != shut {
		if r := a.records.At(s - 1); r.key == x.Key {
			r.granted(j.At, x.Remote) // as most of the time
			return
		}
	}
	a.judgedBy(j.At, x)
}

// judgedBy books an access that was granted by a key of which nothing had come
// yet, or by a dead one: until its death is done a key may still grant what
// was fetched before.
func (a *Audit) judgedBy(now sim.Time, x *mtp.Access) {
	if a.passing(x.Key) {
		if x.Remote {
			a.note(x.Key.Index(), now)
		}
		return
	}
	switch r := a.of(x.Key); {
	case r == nil:
		panic(fmt.Sprintf("keys: %s: %v: key %#08x grants an access and was never live", a.host, now, uint32(x.Key)))
	case r.dead:
		a.counts.Late++
		if r.kept != nil {
			r.kept.Late++
		}
	default:
		r.granted(now, x.Remote)
	}
}

// passing reports whether a key was declared, is not kept, and nothing but
// uses has come of it: one of a million.
func (a *Audit) passing(k ib.Key) bool {
	i := k.Index()
	if a.declared.n <= keptLives || a.state(i) != untold || a.declared.rank(i) < keptLives {
		return false
	}
	key, _ := a.declared.read(i)
	return key == k
}

// note books when such a key was last used.
func (a *Audit) note(i ib.Index, at sim.Time) { *a.used.Make(i) = at }

// Refused books the refusal of a request because of its key: one, however
// many packets it has.
func (a *Audit) Refused(x *tpt.Access, f tpt.Fault) {
	if f == tpt.OK || f == tpt.NoTranslation || x.Judge.Length == 0 {
		return
	}
	switch r := a.of(x.Key); {
	case r == nil:
		a.counts.Unknown++
	case r == a.at(x.Key.Index()):
		if r.kept != nil {
			r.kept.Denied++
		}
	default:
		a.counts.Refused++
		if r.kept != nil {
			r.kept.Refused++
		}
	}
}
