package sim

// A Ring is a queue, first in first out, in one slice whose length is a power of
// two. It grows when full and never shrinks: once it has its size it allocates
// nothing. The zero Ring is empty and ready.
type Ring[T any] struct {
	slots []T
	head  uint32 // of the oldest; runs on, taken modulo the length
	tail  uint32
}

// Len returns the number of values held.
func (r *Ring[T]) Len() int { return int(r.tail - r.head) }

// Push adds v behind the others.
func (r *Ring[T]) Push(v T) {
	if int(r.tail-r.head) == len(r.slots) {
		r.grow()
	}
	r.slots[r.tail&uint32(len(r.slots)-1)] = v
	r.tail++
}

// drop takes out the oldest value and leaves it where it lies, for rings whose
// values hold on to nothing. The ring must not be empty.
func (r *Ring[T]) drop() { r.head++ }

// Pop takes out the oldest value. The ring must not be empty.
func (r *Ring[T]) Pop() T {
	slot := r.Peek()
	v := *slot
	var none T
	*slot = none // hold on to nothing
	r.head++
	return v
}

// Peek returns the oldest value where it lies. The ring must not be empty.
func (r *Ring[T]) Peek() *T {
	if r.head == r.tail {
		panic("sim: empty ring read")
	}
	return &r.slots[r.head&uint32(len(r.slots)-1)]
}

// At returns the i-th oldest value where it lies, valid until the next Push.
func (r *Ring[T]) At(i int) *T {
	if uint(i) >= uint(r.tail-r.head) {
		panic("sim: ring read beyond what it holds")
	}
	return &r.slots[(r.head+uint32(i))&uint32(len(r.slots)-1)]
}

func (r *Ring[T]) grow() {
	slots := make([]T, max(4, 2*len(r.slots)))
	for i := range r.Len() {
		slots[i] = *r.At(i)
	}
	r.head, r.tail = 0, uint32(r.Len())
	r.slots = slots
}
