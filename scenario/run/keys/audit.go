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
	host    string
	table   *tpt.Table
	counts  *Counts
	object  func(i ib.Index) string
	open    []*Life // by entry
	uses    []uint32
	dying   []dying
	past    map[ib.Key]*Life // the last life of each value
	lives   []*Life
	omitted uint64
	live    uint64 // open to peers
	exposed sim.Duration
}

// A dying life has ended in the tables, and what it had opened is under way.
type dying struct {
	by   *tpt.Command
	life *Life
}

// Watch begins the book of a host, with the keys that are live already.
// Counts may be shared by several. Object returns the name of what an entry
// belongs to; it is called when a life ends, at the latest by Lives.
func Watch(u *mtp.Unit, table *tpt.Table, host string, c *Counts, object func(i ib.Index) string) *Audit {
	a := &Audit{host: host, table: table, counts: c, object: object, past: map[ib.Key]*Life{}}
	for i := ib.Index(1); i <= table.MaxEntry(); i++ {
		a.look(0, i, nil)
		if l := a.at(i); l != nil {
			l.Declared = true
		}
	}
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
	for _, l := range a.lives {
		if l.Object == "" && a.at(l.Key.Index()) == l {
			l.Object = a.object(l.Key.Index())
		}
		lives = append(lives, *l)
	}
	return lives, a.omitted
}

// at returns the open life of an entry.
func (a *Audit) at(i ib.Index) *Life {
	if int(i) < len(a.open) {
		return a.open[i]
	}
	return nil
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
	for int(i) >= len(a.open) {
		a.open, a.uses = append(a.open, nil), append(a.uses, 0)
	}
	e := a.table.Entry(i)
	m, key := meaningOf(&e, a.uses[i]), ib.MakeKey(i, e.KeyByte)
	l := a.open[i]
	if l != nil && e.State == tpt.Valid && l.Key == key && l.Same(m) {
		return
	}
	if l != nil {
		a.end(l, by, e.State)
	}
	switch e.State {
	case tpt.Valid:
		a.begin(now, key, m)
	case tpt.Absent:
		a.uses[i]++
	case tpt.Free, tpt.Unusable: // an object that opens nothing
	}
}

// begin opens a life.
func (a *Audit) begin(now sim.Time, key ib.Key, m Meaning) {
	l := &Life{Host: a.host, Key: key, Meaning: m, Born: now}
	a.counts.Lives++
	if old := a.past[key]; old != nil {
		before := old.Meaning
		l.Before = &before
		a.counts.Again++
		if l.Reused() {
			a.counts.Reused++
		}
	}
	if l.Open() {
		a.live++
	}
	a.open[key.Index()], a.past[key] = l, l
	if len(a.lives) < keptLives {
		a.lives = append(a.lives, l)
	} else {
		a.omitted++
	}
}

// end takes a life out of the tables.
func (a *Audit) end(l *Life, by *tpt.Command, next tpt.State) {
	i := l.Key.Index()
	l.Object = a.object(i)
	l.By = by.Op
	if by.Op == tpt.BindMW && next != tpt.Valid {
		l.By = tpt.Unbind
	}
	a.open[i] = nil
	a.dying = append(a.dying, dying{by, l})
}

// settle buries the lives that a change ended.
func (a *Audit) settle(now sim.Time, by *tpt.Command) {
	left := a.dying[:0]
	for _, d := range a.dying {
		if d.by != by {
			left = append(left, d)
			continue
		}
		l := d.life
		l.Dead, l.Died = true, now
		if l.Open() {
			a.live--
			a.exposed = max(a.exposed, l.Exposure(now))
		}
	}
	a.dying = left
}

// of returns the life that a use of a value belongs to: the open one, or the
// last that the value had; nil if it never was live.
func (a *Audit) of(k ib.Key) *Life {
	if l := a.at(k.Index()); l != nil && l.Key == k {
		return l
	}
	return a.past[k]
}

// judged books an access that was granted. Until its death is done a key may
// still grant what was fetched before.
func (a *Audit) judged(j mtp.Judgement) {
	x := j.Access
	if x.Fault != tpt.OK || x.Judge.Length == 0 { // without bytes the key is not looked at
		return
	}
	switch l := a.of(x.Key); {
	case l == nil:
		panic(fmt.Sprintf("keys: %s: %v: key %#08x grants an access and was never live", a.host, j.At, uint32(x.Key)))
	case l.Dead:
		l.Late++
		a.counts.Late++
	case x.Remote:
		l.Remote.add(j.At)
	default:
		l.Local.add(j.At)
	}
}

// Refused books the refusal of a request because of its key: one, however
// many packets it has.
func (a *Audit) Refused(x *tpt.Access, f tpt.Fault) {
	if f == tpt.OK || f == tpt.NoTranslation || x.Judge.Length == 0 {
		return
	}
	switch l := a.of(x.Key); {
	case l == nil:
		a.counts.Unknown++
	case l == a.at(x.Key.Index()):
		l.Denied++
	default:
		l.Refused++
		a.counts.Refused++
	}
}
