package sim

// A batch is the events of one instant, run where they lie: the slot they were
// in, then what was scheduled for the instant meanwhile.
type batch struct {
	on     bool
	run    []event // of the current chunk
	head   int     // those of run from here on are still to come
	chunk  *chunk
	source *slot // that is being run; nil before the first
	late   [2]slot
	turn   uint8 // which of late takes what is scheduled now
}

func (b *batch) lateSlot() *slot { return &b.late[b.turn&1] }

// startBatch runs a slot whose events are all at at.
func (q *ladder) startBatch(at Time, s *slot) {
	q.reach = at
	q.batch.on = true
	q.batch.start(s)
}

func (b *batch) start(s *slot) {
	b.source, b.chunk = s, s.first()
	b.run, b.head = s.held(b.chunk), 0
}

// nextOfBatch goes on to the next chunk, or to what came late, and reports
// whether there is any.
func (q *ladder) nextOfBatch() bool {
	b := &q.batch
	if b.source != nil {
		if c := b.source.after(b.chunk); c != nil {
			b.chunk = c
			b.run, b.head = b.source.held(c), 0
			return true
		}
		q.recycle(b.source)
		b.source, b.run, b.head = nil, nil, 0
	}
	late := b.lateSlot()
	if late.tail == nil || late.n == 0 {
		b.on = false
		return false
	}
	b.turn++
	b.start(late)
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
