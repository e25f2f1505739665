package ib

import (
	"slices"
	"strconv"
	"strings"
)

// A vocabulary is the names of one enumeration, at the index of their value;
// values without a name leave it empty. Every full name but a few begins with
// the prefix, and without it is the short name.
type vocabulary struct {
	kind   string // Go's name of the type, for values that have no name
	prefix string
	full   []string
}

// name returns the full name of value i.
func (v *vocabulary) name(i int) string {
	if i >= 0 && i < len(v.full) && v.full[i] != "" {
		return v.full[i]
	}
	return v.kind + "(" + strconv.Itoa(i) + ")"
}

// short returns the name of value i without its prefix.
func (v *vocabulary) short(i int) string { return strings.TrimPrefix(v.name(i), v.prefix) }

// value returns the index that s names, in full or in short.
func (v *vocabulary) value(s string) (i int, ok bool) {
	if s == "" {
		return 0, false
	}
	for i, full := range v.full {
		if s == full || full != "" && s == strings.TrimPrefix(full, v.prefix) {
			return i, true
		}
	}
	return 0, false
}

// words returns all that value understands: short names by value, then the
// full names that differ from them.
func (v *vocabulary) words() []string {
	var short, full []string
	for _, f := range v.full {
		if f == "" {
			continue
		}
		s := strings.TrimPrefix(f, v.prefix)
		short = append(short, s)
		if s != f {
			full = append(full, f)
		}
	}
	return slices.Concat(short, full)
}

// A flagSet is the names of the bits of a set of flags, lowest bit first.
type flagSet struct {
	prefix string
	bits   []flag
}

type flag struct {
	bit  uint32
	full string
}

// name returns the names of the flags in set joined by |, without their prefix
// if short; 0 for the empty set, and a number for bits that have no name.
func (f *flagSet) name(set uint32, short bool) string {
	if set == 0 {
		return "0"
	}
	var names []string
	for _, b := range f.bits {
		if set&b.bit == 0 {
			continue
		}
		set &^= b.bit
		if short {
			names = append(names, strings.TrimPrefix(b.full, f.prefix))
		} else {
			names = append(names, b.full)
		}
	}
	if set != 0 {
		names = append(names, "0x"+strconv.FormatUint(uint64(set), 16))
	}
	return strings.Join(names, "|")
}

// value returns the set that s names: flags in full or in short, joined by |,
// with or without spaces around it, or 0.
func (f *flagSet) value(s string) (set uint32, ok bool) {
	if strings.TrimSpace(s) == "0" {
		return 0, true
	}
	for word := range strings.SplitSeq(s, "|") {
		word = strings.TrimSpace(word)
		i := slices.IndexFunc(f.bits, func(b flag) bool {
			return word == b.full || word == strings.TrimPrefix(b.full, f.prefix)
		})
		if i < 0 {
			return 0, false
		}
		set |= f.bits[i].bit
	}
	return set, true
}

// words returns the single flags, short names first.
func (f *flagSet) words() []string {
	var words []string
	for _, b := range f.bits {
		words = append(words, strings.TrimPrefix(b.full, f.prefix))
	}
	for _, b := range f.bits {
		words = append(words, b.full)
	}
	return words
}
