package config

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

var textReader = reflect.TypeFor[encoding.TextUnmarshaler]()

// readsText reports whether values of t are read by their own UnmarshalText.
func readsText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(textReader) }

// parse reads a value as the user writes it and holds it to the bounds. The
// error says what is wrong and what would be right, without the path.
func (l *leaf) parse(text string) (reflect.Value, error) {
	v := reflect.New(l.kind.typ).Elem()
	if len(l.Enum) > 0 && !slices.Contains(l.Enum, text) {
		return v, fmt.Errorf("%q is none of %s", text, strings.Join(l.Enum, ", "))
	}
	if err := scan(v, text); err != nil {
		if errors.Is(err, strconv.ErrRange) {
			return v, l.outside(text)
		}
		return v, err
	}
	if l.min.IsValid() && compare(v, l.min) < 0 || l.max.IsValid() && compare(v, l.max) > 0 {
		return v, l.outside(text)
	}
	return v, nil
}

// outside says that a value lies beyond the bounds.
func (l *leaf) outside(text string) error {
	allowed := l.Range()
	if allowed == "" || len(l.Enum) > 0 {
		allowed = "a number of " + strconv.Itoa(l.kind.typ.Bits()) + " bits"
	}
	return fmt.Errorf("%s is out of range, want %s", text, allowed)
}

// scan sets v from text by the rules of its type.
func scan(v reflect.Value, text string) error {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch {
	case v.Kind() == reflect.Bool:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q: want true or false", text)
		}
		v.SetBool(text == "true")
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.CanUint():
		if n, negative := strings.CutPrefix(text, "-"); negative {
			if _, err := wholeNumber(n, strconv.ParseUint); err == nil {
				return strconv.ErrRange
			}
		}
		n, err := wholeNumber(text, strconv.ParseUint)
		if err != nil || v.OverflowUint(n) {
			return notWhole(text, err)
		}
		v.SetUint(n)
	case v.CanInt():
		n, err := wholeNumber(text, strconv.ParseInt)
		if err != nil || v.OverflowInt(n) {
			return notWhole(text, err)
		}
		v.SetInt(n)
	}
	return nil
}

// wholeNumber reads 64, 0x40, 0b1000000, 0o100 and 1_000; a leading zero could mean
// two things, so it is refused.
func wholeNumber[N uint64 | int64](text string, read func(string, int, int) (N, error)) (N, error) {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return 0, strconv.ErrSyntax
	}
	return read(text, 0, 64)
}

// notWhole tells a number that is too large, which lies out of range, from
// what is no whole number.
func notWhole(text string, err error) error {
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return strconv.ErrRange
	}
	return fmt.Errorf("%q: want a whole number", text)
}

// textOf writes a value as the user would.
func textOf(v reflect.Value) string {
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err != nil {
			panic(fmt.Sprintf("config: %v writes no text: %v", v.Type(), err))
		}
		return string(text)
	}
	return fmt.Sprint(v.Interface())
}

// compare orders two values of one type that has an order.
func compare(a, b reflect.Value) int {
	switch {
	case a.CanUint():
		return cmpOf(a.Uint(), b.Uint())
	case a.CanInt():
		return cmpOf(a.Int(), b.Int())
	}
	panic(fmt.Sprintf("config: values of %v have no order, so no bounds", a.Type()))
}

func cmpOf[N uint64 | int64](a, b N) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
