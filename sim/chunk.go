package sim

// A chunk is 512 bytes: a link, and room for 31 events that do not straddle
// cache lines.
const (
	chunkEvents = 31
	chunkBlock  = 32 // chunks made at a time
)

type chunk struct {
	next   *chunk // the last one's is the first
	_      uint64
	events [chunkEvents]event
}

// A slot is a list of chunks, all full but the last.
type slot struct {
	tail *chunk
	n    uint // events in tail; chunkEvents when there is no tail, so that one test serves both
}

// extend adds ev to a slot whose last chunk is full or not there.
func (q *ladder) extend(s *slot, ev event) {
	c := q.spare
	if c == nil {
		c = q.moreChunks()
	}
	q.spare = c.next
	if s.tail == nil {
		c.next = c
	} else {
		c.next = s.tail.next
		s.tail.next = c
	}
	s.tail = c
	s.n = 1
	c.events[0] = ev
}

func (q *ladder) append(s *slot, ev event) {
	if n := s.n; n < chunkEvents {
		s.tail.events[n] = ev
		s.n = n + 1
		return
	}
	q.extend(s, ev)
}

// moreChunks makes a block of spare chunks.
func (q *ladder) moreChunks() *chunk {
	block := new([chunkBlock]chunk)
	for i := range chunkBlock - 1 {
		block[i].next = &block[i+1]
	}
	return &block[0]
}

// release takes a chunk back.
func (q *ladder) release(c *chunk) {
	c.next = q.spare
	q.spare = c
}

// empty makes s empty and returns what it held, the first chunk first.
func (s *slot) empty() (first, last *chunk, n uint) {
	first, last, n = s.tail.next, s.tail, s.n
	s.tail, s.n = nil, chunkEvents
	return first, last, n
}

// held returns the events of chunk c in a list that ends with n events in last.
func held(c, last *chunk, n uint) []event {
	if c != last {
		n = chunkEvents
	}
	return c.events[:n]
}
