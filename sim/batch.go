package sim

// A batch is the events of one instant, run where they lie: first what was in
// one slot, then what was scheduled for the instant meanwhile.
type batch struct {
	on    bool
	run   []event // of the current chunk
	head  int     // those of run from here on are still to come
	chunk *chunk  // the current one, of slot; nil before the first
	slot  slot    // what is being run
	late  slot    // what is scheduled for the instant meanwhile
}

// startBatch runs a slot whose events are all at at. The slot gets the empty one
// of the last batch in exchange.
func (q *ladder) startBatch(at Time, s *slot) {
	q.reach = at
	q.batch.on = true
	q.batch.start(s)
}

func (b *batch) start(s *slot) {
	b.slot, *s = *s, b.slot
	b.chunk = b.slot.first()
	b.run, b.head = b.slot.held(b.chunk), 0
}

// nextOfBatch goes on to the next chunk, or to what came late, and reports
// whether there is any.
func (q *ladder) nextOfBatch() bool {
	b := &q.batch
	if b.chunk != nil {
		if c := b.slot.after(b.chunk); c != nil {
			b.chunk = c
			b.run, b.head = b.slot.held(c), 0
			return true
		}
		q.recycle(&b.slot)
		b.chunk, b.run, b.head = nil, nil, 0
	}
	if b.late.empty() {
		b.on = false
		return false
	}
	b.start(&b.late)
	return true
}

// disband puts a batch that has not begun back into the slots, because something
// is to happen before it.
func (q *ladder) disband(at Time) {
	q.retreat(at)
	b := &q.batch
	for more := b.head < len(b.run) || q.nextOfBatch(); more; more = q.nextOfBatch() {
		for _, ev := range b.run[b.head:] {
			q.place(ev)
		}
	}
}
