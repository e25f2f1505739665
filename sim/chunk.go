package sim

// A chunk is 576 bytes: a link, and room for 35 events that do not straddle
// cache lines. Nine lines, an odd number, so that the chunks of many slots do not
// compete for the same few places of a cache.
const (
	chunkEvents = 35
	chunkBlock  = 32 // chunks made at a time
)

type chunk struct {
	next   *chunk // of the last one: the first
	_      uint64
	events [chunkEvents]event
}

// A slot is a ring of chunks, all full but the last. It keeps its first chunk
// when it is emptied: a slot once used takes 35 events before it needs another.
type slot struct {
	tail *chunk // nil when never used; then n is chunkEvents, so that one test serves both
	n    uint   // events in tail
}

// append adds an event to a slot.
func (q *ladder) append(s *slot, ev event) {
	if n := s.n; n < chunkEvents {
		to := &s.tail.events[n]
		to.at, to.to = ev.at, ev.to
		s.n = n + 1
		return
	}
	q.extend(s, ev)
}

// extend adds an event to a slot whose last chunk is full or not there.
func (q *ladder) extend(s *slot, ev event) {
	c := q.spare
	if c == nil {
		c = moreChunks()
	}
	q.spare = c.next
	if s.tail == nil {
		c.next = c
	} else {
		c.next = s.tail.next
		s.tail.next = c
	}
	s.tail, s.n = c, 1
	c.events[0] = ev
}

// moreChunks makes a block of linked chunks.
func moreChunks() *chunk {
	block := new([chunkBlock]chunk)
	for i := range chunkBlock - 1 {
		block[i].next = &block[i+1]
	}
	return &block[0]
}

func (s *slot) empty() bool { return s.tail == nil || s.n == 0 }

func (s *slot) first() *chunk { return s.tail.next }

// after returns the chunk after c, or nil.
func (s *slot) after(c *chunk) *chunk {
	if c == s.tail {
		return nil
	}
	return c.next
}

// held returns the events in chunk c.
func (s *slot) held(c *chunk) []event {
	if c == s.tail {
		return c.events[:s.n]
	}
	return c.events[:]
}

// recycle empties a slot; all chunks but its first are spare again.
func (q *ladder) recycle(s *slot) {
	s.n = 0
	first := s.tail.next
	if first == s.tail {
		return
	}
	s.tail.next = q.spare
	q.spare = first.next
	first.next = first
	s.tail = first
}
