package timeline

import "slices"

// most is how many events wait for earlier ones before the older half of them
// is written.
const most = 1 << 16

// held puts events in order. What comes later than most others after it is
// written late.
type held[T any] struct {
	list  []T
	order func(a, b T) int
	write func(T)
	pause func() // after some were written
}

func (h *held[T]) add(v T) {
	if h.list = append(h.list, v); len(h.list) >= most {
		h.flush(most / 2)
	}
}

// flush writes the n earliest.
func (h *held[T]) flush(n int) {
	slices.SortFunc(h.list, h.order)
	for _, v := range h.list[:n] {
		h.write(v)
	}
	rest := copy(h.list, h.list[n:])
	clear(h.list[rest:])
	h.list = h.list[:rest]
	if h.pause != nil {
		h.pause()
	}
}

func (h *held[T]) close() { h.flush(len(h.list)) }
