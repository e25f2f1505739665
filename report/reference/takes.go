package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// alternatives says in words what a schema takes. Entries stand in brackets,
// for links; self is the entry that is told, which is not named again.
func (l *library) alternatives(s *jsonschema.Schema, self string) string {
	words := slices.DeleteFunc(l.words(s, self), func(w string) bool { return w == "" })
	words = slices.Compact(words)
	seen := map[string]bool{}
	words = slices.DeleteFunc(words, func(w string) bool { was := seen[w]; seen[w] = true; return was })
	for i := 1; i < len(words); i++ {
		if words[i] == "list of "+strings.Join(words[:i], ", ") {
			words[i] = "a list of them"
		}
	}
	return strings.Join(words, " or ")
}

func (l *library) words(s *jsonschema.Schema, self string) []string {
	switch {
	case s.Ref != "":
		return l.reference(strings.TrimPrefix(s.Ref, "#/$defs/"), self)
	case len(s.AllOf) > 0:
		return l.words(s.AllOf[0], self)
	case isText(s):
		return []string{"text"}
	case len(s.AnyOf) > 0:
		var list []string
		for _, form := range s.AnyOf {
			list = append(list, l.words(form, self)...)
		}
		return list
	case len(s.Enum) > 0:
		return []string{enum(s.Enum)}
	}
	return l.simple(s, self)
}

// reference names an entry; a value of a few words stands for itself.
func (l *library) reference(def, self string) []string {
	name := l.entry[def]
	if name == self && name != "" {
		if s := l.root.Definitions[def]; s.Properties == nil {
			return l.words(s, "")
		}
		return []string{"a mapping"}
	}
	switch {
	case def == "variable":
		return []string{""}
	case def == "sim.Bytes":
		return []string{"[size] with a unit"}
	}
	return []string{"[" + name + "]"}
}

// isText reports whether a schema takes any scalar as a text.
func isText(s *jsonschema.Schema) bool {
	return len(s.AnyOf) == 3 && s.AnyOf[0].Type == "string" && s.AnyOf[0].Pattern == "" && s.AnyOf[1].Type == "number" && s.AnyOf[2].Type == "boolean"
}

func (l *library) simple(s *jsonschema.Schema, self string) []string {
	switch s.Type {
	case "null":
		return []string{"nothing"}
	case "boolean":
		return []string{"true, false"}
	case "integer", "number":
		return []string{s.Type + interval(s)}
	case "string":
		return []string{l.pattern(s)}
	case "array":
		return []string{"list of " + strings.ReplaceAll(l.alternatives(s.Items, self), " or ", ", ")}
	case "object":
		if s.AdditionalProperties != nil && s.AdditionalProperties != jsonschema.FalseSchema && s.Properties == nil {
			return []string{"mapping of names to " + strings.ReplaceAll(l.alternatives(s.AdditionalProperties, self), " or ", ", ")}
		}
		return []string{"a mapping"}
	}
	if s.Not != nil {
		return []string{"a value"}
	}
	if s.Const != nil {
		return []string{scalar(s.Const)}
	}
	return nil
}

// pattern tells a text by its words, if it is one of some, else by its form.
func (l *library) pattern(s *jsonschema.Schema) string {
	if strings.HasSuffix(s.Pattern, `(#[0-9]+)?$`) {
		return "[object]"
	}
	_, words, found := strings.Cut(s.Pattern, "(")
	words, rest, _ := strings.Cut(words, ")")
	switch list := strings.Split(words, "|"); {
	case found && strings.Contains(rest, `\|`):
		return "these joined by |"
	case found && len(list) > 3 && strings.ToUpper(list[0]) == list[0] && strings.Contains(rest, `\*`):
		return "a name, or NAME*N for N of them"
	}
	return "text"
}

func enum(values []any) string {
	var words []string
	for _, v := range values {
		words = append(words, scalar(v))
	}
	for _, prefix := range []string{"IBV_", "IB_"} { // each word is known with its prefix too
		if plain := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.HasPrefix(w, prefix) }); len(plain) > 0 {
			words = plain
		}
	}
	return strings.Join(words, ", ")
}

// interval is the range of a number, "" if it is as wide as its type.
func interval(s *jsonschema.Schema) string {
	least, most := s.Minimum, s.Maximum
	switch {
	case least == "" && most == "":
		return ""
	case most == "" || len(most) > 15:
		return " from " + string(least)
	}
	return " " + string(least) + " … " + string(most)
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return string(v)
	}
	return fmt.Sprint(v)
}
