package config

import (
	"encoding/json"

	"github.com/invopop/jsonschema"
)

// SchemaOf returns the part of a JSON Schema that describes trees over root,
// without definitions of its own, to be embedded in a larger one. Bounds of
// quantities with a unit are left to the program: a pattern cannot hold them.
func SchemaOf(root any) *jsonschema.Schema {
	return schemaOf(modelOf(structOf(root)), schemaOfLeaf)
}

// ProfileSchemaOf returns the part that describes trees of profiles, whose
// leaves are {value, source}.
func ProfileSchemaOf(root any) *jsonschema.Schema {
	return schemaOf(modelOf(structOf(root)), sourcedOf)
}

// schemaOf and those that follow are not methods: whoever uses a Settings would
// compile the generic types of jsonschema with it.
func schemaOf(g *group, of func(*leaf) *jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Description: g.doc,
		Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for _, m := range g.members {
		if m.group != nil {
			s.Properties.Set(m.name, schemaOf(m.group, of))
			continue
		}
		s.Properties.Set(m.name, of(m.leaf))
	}
	return s
}

func schemaOfLeaf(l *leaf) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string", Description: l.Doc, Default: l.Default}
	switch {
	case len(l.Enum) > 0:
		for _, word := range l.Enum {
			s.Enum = append(s.Enum, word)
		}
	case l.kind.word == "switch":
		s.Type, s.Default = "boolean", l.Default == "true"
	case l.kind.bare():
		s.Type, s.Default = "integer", json.Number(l.Default)
		s.Minimum, s.Maximum = json.Number(l.Min), json.Number(l.Max)
		if l.Min == "" && l.def.CanUint() {
			s.Minimum = "0"
		}
	case l.kind.word == "interval":
		s.Type = ""
		s.AnyOf = []*jsonschema.Schema{{Type: "number", Minimum: json.Number(l.Min), Maximum: json.Number(l.Max)}, {Type: "string", Pattern: l.kind.pattern}}
	case l.kind.pattern != "":
		s.Type = ""
		s.AnyOf = []*jsonschema.Schema{{Type: "string", Pattern: l.kind.pattern}, {Const: 0}}
	}
	if allowed := l.Range(); allowed != "" && len(l.Enum) == 0 {
		s.Description += " Allowed: " + allowed + "."
	} else if l.Unit != "" {
		s.Description += " Unit: " + l.Unit + "."
	}
	return s
}

func sourcedOf(l *leaf) *jsonschema.Schema {
	value := schemaOfLeaf(l)
	s := &jsonschema.Schema{Type: "object", Description: value.Description, Required: []string{"value", "source"},
		Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	one := uint64(1)
	s.Properties.Set("value", value)
	s.Properties.Set("source", &jsonschema.Schema{Type: "string", MinLength: &one,
		Description: "A public source in few words, or: " + Estimate + "."})
	s.Properties.Set(fittedOn, &jsonschema.Schema{Type: "array", MinItems: &one, Items: &jsonschema.Schema{Type: "string"},
		Description: "The items of the validation suite that the value was fitted on."})
	return s
}
