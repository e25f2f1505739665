package lang

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// enum reads a name of an enumeration, or flags.
func (d *decoder) enum(n *yaml.Node, v reflect.Value, e *enumeration) {
	if n.Kind == yaml.SequenceNode && e.flags {
		for _, item := range n.Content {
			d.enum(item, v, e)
		}
		return
	}
	s, ok := d.text(n, e.what)
	if !ok {
		return
	}
	value, ok := e.parse(s)
	if !ok {
		d.node(n, fmt.Sprintf("%s %q is not known", e.what, s), didYouMean(s, e.words(s)))
		return
	}
	if e.flags {
		value |= bitsOf(v)
	}
	if v.CanInt() {
		v.SetInt(int64(value))
	} else {
		v.SetUint(value)
	}
}

func bitsOf(v reflect.Value) uint64 {
	if v.CanInt() {
		return uint64(v.Int())
	}
	return v.Uint()
}

// quantity reads a number with a unit; with the tag bare, a plain number is in
// the type's own unit.
func (d *decoder) quantity(n *yaml.Node, v reflect.Value, u encoding.TextUnmarshaler, tag reflect.StructTag) {
	s, ok := d.text(n, "a number with a unit")
	if !ok {
		return
	}
	if tag.Get("bare") == "true" {
		if w, err := strconv.ParseUint(s, 0, 64); err == nil {
			d.least(n, s, w, tag)
			if most := bound(tag, "max", 0); most > 0 && w > uint64(most) {
				d.node(n, s+" is too much", fmt.Sprintf("at most %d", most))
			}
			v.SetUint(w)
			return
		}
	}
	if strings.HasPrefix(strings.TrimSpace(s), "-") {
		d.node(n, s+" is negative", "")
		return
	}
	if err := u.UnmarshalText([]byte(s)); err != nil {
		d.node(n, err.Error(), unitMeant(s, u))
		return
	}
	d.least(n, s, v.Uint(), tag)
	if most := bound(tag, "max", 0); most > 0 && v.Uint() > uint64(most) {
		d.node(n, s+" is too much", fmt.Sprintf("at most %d", most))
	}
	if tag.Get("pow2") == "true" && (v.Uint() == 0 || v.Uint()&(v.Uint()-1) != 0) {
		d.node(n, s+" is no power of two", "")
	}
}

// least notes a quantity below its bound.
func (d *decoder) least(n *yaml.Node, s string, v uint64, tag reflect.StructTag) {
	if v < uint64(bound(tag, "min", 0)) {
		d.node(n, s+" is too little", "")
	}
}

// scalar reads a plain value.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	switch v.Kind() {
	case reflect.Bool:
		if s, ok := d.text(n, "true or false"); ok {
			if s != "true" && s != "false" || quotedWord(n, s) {
				d.node(n, fmt.Sprintf("want true or false, not %q", s), "")
			}
			v.SetBool(s == "true")
		}
	case reflect.String:
		s, ok := d.text(n, "a text")
		if words := tag.Get("enum"); ok && words != "" {
			d.oneOf(n, s, strings.Split(words, ","))
		}
		v.SetString(s)
	case reflect.Int, reflect.Int32, reflect.Int64:
		if w, ok := d.integer(n, tag, math.MinInt64, math.MaxInt64); ok {
			v.SetInt(w)
		}
	default:
		top := uint64(math.MaxUint64) >> (64 - v.Type().Bits())
		if w, ok := d.unsigned(n, tag, top); ok {
			v.SetUint(w)
		}
	}
}

// oneOf notes a problem when s is none of the words.
func (d *decoder) oneOf(n *yaml.Node, s string, words []string) bool {
	for _, w := range words {
		if w == s {
			return true
		}
	}
	d.node(n, fmt.Sprintf("%q is not known here", s), didYouMean(s, words))
	return false
}

// integer reads a whole number with a sign.
func (d *decoder) integer(n *yaml.Node, tag reflect.StructTag, low, high int64) (int64, bool) {
	s, ok := d.text(n, "a whole number")
	if !ok {
		return 0, false
	}
	w, err := strconv.ParseInt(strings.TrimPrefix(s, "+"), 0, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || quotedWord(n, s) {
		d.node(n, fmt.Sprintf("want a whole number, not %q", s), unquoted(n, s))
		return 0, false
	}
	low, high = max(low, bound(tag, "min", low)), min(high, bound(tag, "max", high))
	if err != nil || w < low || w > high {
		d.node(n, fmt.Sprintf("%s is out of range", s), fmt.Sprintf("%d to %d", low, high))
		return 0, false
	}
	return w, true
}

// unsigned reads a whole number that is not negative, of at most top.
func (d *decoder) unsigned(n *yaml.Node, tag reflect.StructTag, top uint64) (uint64, bool) {
	s, ok := d.text(n, "a whole number")
	if !ok {
		return 0, false
	}
	w, err := strconv.ParseUint(s, 0, 64)
	_, minus := strconv.ParseInt(s, 0, 64)
	switch {
	case quotedWord(n, s), err != nil && minus != nil && !errors.Is(err, strconv.ErrRange):
		d.node(n, fmt.Sprintf("want a whole number, not %q", s), unquoted(n, s))
		return 0, false
	case tag.Get("oneof") != "":
		return w, d.oneOf(n, strconv.FormatUint(w, 10), strings.Split(tag.Get("oneof"), ","))
	}
	low := uint64(bound(tag, "min", 0))
	top = min(top, uint64(bound(tag, "max", math.MaxInt64))|top&^math.MaxInt64)
	if err != nil || w < low || w > top {
		advice := fmt.Sprintf("%d to %d", low, top)
		if top == math.MaxUint64 && !errors.Is(err, strconv.ErrRange) {
			advice = fmt.Sprintf("at least %d", low)
		}
		d.node(n, fmt.Sprintf("%s is out of range", s), advice)
		return 0, false
	}
	return w, true
}

// unquoted says how a number in quotes is meant, "" for what is none.
func unquoted(n *yaml.Node, s string) string {
	if _, err := strconv.ParseInt(s, 0, 64); err == nil && quotedWord(n, s) {
		return "without quotes: " + s
	}
	return ""
}

// bound returns the number in a tag, or otherwise.
func bound(tag reflect.StructTag, name string, otherwise int64) int64 {
	if w, err := strconv.ParseInt(tag.Get(name), 0, 64); err == nil {
		return w
	}
	return otherwise
}
