package sim

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// SetDefaults fills the fields of the struct at ptr from their `default:"…"`
// tags, through nested structs and arrays. Fields without the tag stay as they
// are. A tag that does not fit its field, or its `min`, `max` and `enum` tags, is
// our mistake: it panics.
func SetDefaults(ptr any) {
	v := reflect.ValueOf(ptr)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("sim: defaults of %T, want a pointer to a struct", ptr))
	}
	setDefaults(v.Elem(), v.Elem().Type().String())
}

func setDefaults(v reflect.Value, path string) {
	for field, value := range v.Fields() {
		text, tagged := field.Tag.Lookup("default")
		at := path + "." + field.Name
		switch {
		case !field.IsExported():
		case tagged:
			err := setText(value, text)
			if err == nil {
				err = bounded(value, field.Tag)
			}
			if err != nil {
				panic(fmt.Sprintf("sim: %s: default %q: %v", at, text, err))
			}
		case value.Kind() == reflect.Struct:
			setDefaults(value, at)
		case value.Kind() == reflect.Array && value.Type().Elem().Kind() == reflect.Struct:
			for i := range value.Len() {
				setDefaults(value.Index(i), at)
			}
		}
	}
}

// setText reads text as the type of v says.
func setText(v reflect.Value, text string) error {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return nil
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		v.SetBool(b)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 0, v.Type().Bits())
		v.SetInt(n)
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(text, 0, v.Type().Bits())
		v.SetUint(n)
		return err
	}
	return fmt.Errorf("no way to read a %s", v.Type())
}

// bounded checks v against the min, max and enum tags of its field.
func bounded(v reflect.Value, tag reflect.StructTag) error {
	for _, end := range [...]struct {
		name string
		sign int
	}{{"min", 1}, {"max", -1}} {
		text, tagged := tag.Lookup(end.name)
		if !tagged {
			continue
		}
		limit := reflect.New(v.Type()).Elem()
		if err := setText(limit, text); err != nil {
			return fmt.Errorf("%s %q: %w", end.name, text, err)
		}
		if order(v, limit)*end.sign < 0 {
			return fmt.Errorf("beyond its %s, %s", end.name, text)
		}
	}
	if list, tagged := tag.Lookup("enum"); tagged && !slices.Contains(strings.Split(list, ","), v.String()) {
		return fmt.Errorf("not one of %s", list)
	}
	return nil
}

// order compares two numbers of one type.
func order(a, b reflect.Value) int {
	if a.CanUint() {
		return cmp.Compare(a.Uint(), b.Uint())
	}
	return cmp.Compare(a.Int(), b.Int())
}
