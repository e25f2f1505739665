package lang

import "strconv"

// A Pos is a place in what the user wrote: a file, or a --set flag, whose
// name is then its whole text and whose line is negative.
type Pos struct {
	File         string
	Line, Column int // both count from 1
}

// A Kind is what a name stands for.
type Kind uint8

// The kinds of named things. All names of one host share one name space.
const (
	NoKind Kind = iota
	KindPD
	KindQP
	KindCQ
	KindSRQ
	KindAH
	KindMR
	KindMW
	KindMem  // a buffer of mem:
	KindProc // an address space
)

// Whole says of a Ref that it names all elements of a declared array, or an
// object that is no array.
const Whole = -1

// A Ref names an object, written NAME, HOST.NAME, NAME#3 or HOST.NAME#3.
//
// After Load every Ref that a step needs is complete: host and kind are filled
// in, and what was left out has its default. Name is empty where there is
// nothing to name.
type Ref struct {
	Pos   Pos
	Host  string
	Name  string
	Index int // element of an array declared with count:, or Whole
	Kind  Kind
}

// Given reports whether r names something.
func (r Ref) Given() bool { return r.Name != "" }

// String returns the unambiguous spelling, HOST.NAME.
func (r Ref) String() string {
	s := r.Name
	if r.Host != "" {
		s = r.Host + "." + s
	}
	if r.Index != Whole {
		s += "#" + strconv.Itoa(r.Index)
	}
	return s
}

// An Item is one entry of a Map.
type Item[T any] struct {
	Pos   Pos
	Name  string
	Value T
}

// A Map is a YAML mapping from names to T, in the order of the file.
type Map[T any] []Item[T]

// Get returns the value under name.
func (m Map[T]) Get(name string) (v *T, found bool) {
	for i := range m {
		if m[i].Name == name {
			return &m[i].Value, true
		}
	}
	return nil, false
}
