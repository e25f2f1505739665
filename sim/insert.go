package sim

// insert adds an event to the run, behind those of its time.
func (q *ladder) insert(ev event) {
	if q.batch != nil { // then ev is for the very time of the batch
		q.append(&q.late, ev)
		return
	}
	if n := len(q.run); n-q.head >= runMost && (ev.at < q.run[n-1].at || ev.at < q.reach) {
		q.shorten(ev.at)
		q.push(ev)
		return
	}
	if len(q.run) == cap(q.run) {
		q.compact()
	}
	q.run = append(q.run, ev)
	q.sink(len(q.run) - 1)
}

// compact moves the run to the front of its room.
func (q *ladder) compact() {
	n := copy(q.run, q.run[q.head:])
	q.run, q.head = q.run[:n], 0
}

// shorten gives the later part of the run back to the slots, so that at can be
// added. Events of one time stay together.
func (q *ladder) shorten(at Time) {
	r := q.run[q.head:]
	cut := runKeep
	for cut < len(r) && r[cut].at == r[cut-1].at {
		cut++
	}
	if cut == len(r) {
		for cut = runKeep; cut > 0 && r[cut-1].at == r[cut].at; cut-- {
		}
	}
	switch {
	case cut > 0:
		q.retreat(r[cut-1].at)
	case at < r[0].at:
		q.retreat(at)
	default: // all are for one time, and at is later
		cut = len(r)
		q.retreat(r[0].at)
	}
	for _, ev := range r[cut:] {
		q.place(ev)
	}
	q.run = q.run[:q.head+cut]
}

// retreat moves reach back. What lay in levels below the one in which the old
// and the new reach differ belongs into a slot of that level now.
func (q *ladder) retreat(to Time) {
	old := q.reach
	q.reach = to
	l := level(uint64(old) ^ uint64(to))
	for q.level&(1<<l-1) != 0 {
		lower, s, _ := q.lowest()
		q.clear(lower, s)
		c, last, n := q.slots[lower<<digitBits|s].empty()
		for {
			for _, ev := range held(c, last, n) {
				q.place(ev)
			}
			next := c.next
			q.release(c)
			if c == last {
				break
			}
			c = next
		}
	}
}
