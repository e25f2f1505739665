package pcie

import "fmt"

// tags are the numbers under which read requests are outstanding. A read needs
// one from its MRd to its last completion.
type tags struct {
	name  string
	free  []uint16 // the last is the next
	total uint32
}

func (t *tags) init(name string, total uint32) {
	t.name, t.total = name, total
	t.free = make([]uint16, total)
	for i := range t.free {
		t.free[i] = uint16(total) - 1 - uint16(i)
	}
}

func (t *tags) empty() bool { return len(t.free) == 0 }

func (t *tags) take() uint16 {
	tag := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	return tag
}

func (t *tags) give(tag uint16) {
	if len(t.free) == int(t.total) {
		t.twice(tag)
	}
	t.free = append(t.free, tag)
}

//go:noinline
func (t *tags) twice(tag uint16) {
	panic(fmt.Sprintf("pcie: %s: tag %d given back twice", t.name, tag))
}
