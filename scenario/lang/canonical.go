package lang

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"
)

// The canonical form is what of a file can change a result: not comments, not
// places, not sentences about it, not the order in which configuration was
// written. Its shape is of no concern to anybody but the hash over it.

// Canonical returns the canonical form of all scenarios of a file.
func Canonical(f *File) []byte {
	var b bytes.Buffer
	for i := range f.scenarios {
		b.Write(f.scenarios[i].Canonical())
	}
	if f.Kind == "opening" {
		write(&b, reflect.ValueOf(f.Setup))
	}
	return b.Bytes()
}

// Canonical returns the canonical form of one scenario.
func (s *Scenario) Canonical() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "scenario %q version %d\n", s.Name, Version)
	for _, part := range []any{*s.Setup, s.Ops, s.Expect, s.Thresholds} {
		write(&b, reflect.ValueOf(part))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// silent are the members of structs that say nothing to a result.
var silent = []string{"Pos", "Note", "About", "Verbs", "HCA", "HostParams", "Wire", "Vars", "Set", "Limits"}

// write renders a value: structs as {Name:value …} without zero members.
func write(b *bytes.Buffer, v reflect.Value) {
	if n, ok := v.Interface().(*yaml.Node); ok {
		writeNode(b, n)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteByte('-')
			return
		}
		if a, ok := v.Interface().(Act); ok {
			b.WriteString(reflect.TypeOf(a).Elem().Name())
		}
		write(b, v.Elem())
	case reflect.Struct:
		writeStruct(b, v)
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			write(b, v.Index(i))
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	default:
		writeScalar(b, v)
	}
}

func writeStruct(b *bytes.Buffer, v reflect.Value) {
	b.WriteByte('{')
	for i := range v.NumField() {
		f, x := v.Type().Field(i), v.Field(i)
		hidden := slices.Contains(silent, f.Name) && !(f.Name == "Wire" && f.Type.Kind() == reflect.String) ||
			f.Name == "Verb" && v.Type() == reflect.TypeFor[Step]()
		if !f.IsExported() || x.IsZero() || hidden {
			continue
		}
		b.WriteString(f.Name + ":")
		write(b, x)
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// writeScalar renders numbers plainly, whatever names they have, so that a new
// name changes no hash.
func writeScalar(b *bytes.Buffer, v reflect.Value) {
	switch {
	case v.Kind() == reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case v.CanInt():
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case v.Kind() == reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	default:
		panic("lang: no canonical form of " + v.Type().String())
	}
}

// writeNode renders configuration, mappings in the order of their keys.
func writeNode(b *bytes.Buffer, n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		b.WriteString(strconv.Quote(n.Value))
		if quoted(n) {
			b.WriteByte('q')
		}
	case yaml.MappingNode:
		type pair struct{ key, value *yaml.Node }
		var pairs []pair
		for i := 0; i+1 < len(n.Content); i += 2 {
			pairs = append(pairs, pair{n.Content[i], n.Content[i+1]})
		}
		slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(x.key.Value, y.key.Value) })
		b.WriteByte('{')
		for _, p := range pairs {
			b.WriteString(strconv.Quote(p.key.Value) + ":")
			writeNode(b, p.value)
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	default:
		b.WriteByte('[')
		for _, c := range n.Content {
			writeNode(b, c)
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	}
}
