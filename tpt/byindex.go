package tpt

import (
	"iter"
	"slices"

	"hcasim/ib"
)

// indexPage is how many neighbouring indices are kept together.
const indexPage = 512

// A ByIndex holds a T for each index. The keys of a device in use have high
// indices, and next to nothing below: only pages of which something was made
// take memory, so that an index of 2^24 costs what one of 512 does.
type ByIndex[T any] struct {
	pages [][]T // each as long as it had to be
	size  uint32
}

// Len is one more than the highest index that was made, 0 if none was.
func (l *ByIndex[T]) Len() uint32 { return l.size }

// Find returns what is kept of index i, nil if it was not made and nothing
// behind it on its page.
func (l *ByIndex[T]) Find(i ib.Index) *T {
	if p := i / indexPage; uint32(p) < uint32(len(l.pages)) {
		if page := l.pages[p]; uint32(i%indexPage) < uint32(len(page)) {
			return &page[i%indexPage]
		}
	}
	return nil
}

// at is Find of an index that was made.
func (l *ByIndex[T]) at(i ib.Index) *T { return &l.pages[i/indexPage][i%indexPage] }

// Make returns what is kept of index i, a zero T if that is nothing yet. Of
// other indices it may move what is kept.
func (l *ByIndex[T]) Make(i ib.Index) *T {
	if t := l.Find(i); t != nil {
		return t
	}
	p, n := int(i/indexPage), uint32(i%indexPage)+1
	if p >= len(l.pages) {
		l.pages = append(l.pages, make([][]T, p+1-len(l.pages))...)
	}
	l.pages[p] = lengthen(l.pages[p], n, indexPage)
	l.size = max(l.size, uint32(i)+1)
	return l.at(i)
}

// All yields the indices of which something is kept, in their order.
func (l *ByIndex[T]) All() iter.Seq2[ib.Index, *T] {
	return func(yield func(ib.Index, *T) bool) {
		for p, page := range l.pages {
			for i := range page {
				if !yield(ib.Index(p*indexPage+i), &page[i]) {
					return
				}
			}
		}
	}
}

// copyFrom makes l what n is, in the memory that l has.
func (l *ByIndex[T]) copyFrom(n *ByIndex[T]) {
	l.pages, l.size = slices.Grow(l.pages[:0], len(n.pages))[:len(n.pages)], n.size
	for p, page := range n.pages {
		l.pages[p] = append(l.pages[p][:0], page...)
	}
}

// sameLists reports whether two hold the same.
func sameLists[T comparable](a, b *ByIndex[T]) bool {
	return a.size == b.size && slices.EqualFunc(a.pages, b.pages, slices.Equal[[]T])
}
