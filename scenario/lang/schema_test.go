package lang

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang/schematest"
)

const schemaFile = "../../scenarios/schema/scenario.v1.json"

// TestSchemaFile holds the committed schema to the tree. go generate writes it.
func TestSchemaFile(t *testing.T) {
	got := schemaText(t)
	if *update {
		if err := os.WriteFile(schemaFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the schema is not that of the tree: run go generate")
	}
}

// exempt are bad files that the schema by its nature lets pass, and why.
var exempt = map[string]string{
	"alias":        "the reader of YAML refuses it before there is anything to judge",
	"binary":       "as alias",
	"documents":    "as alias",
	"empty":        "as alias",
	"lines":        "as alias",
	"remark":       "as alias",
	"greater":      "as alias",
	"quote":        "as alias",
	"tabs":         "as alias",
	"bomb":         "as alias",
	"circle":       "as alias",
	"dangling":     "names",
	"dangling-ids": "names",
	"members":      "which members an opcode takes",
	"reach":        "how large memory is",
	"rule":         "which rules there are",
	"flags":        "rights and lengths that no verb takes",
	"duplicates":   "names, and keys that stand twice",
	"use":          "whether an opening is there",
	"use-bad":      "the mistake is in the opening",
	"use-circle":   "the mistake is in the opening",
	"variables":    "what a variable stands for",
}

// TestSchemaAgrees has the schema judge the files that the reader is held to.
func TestSchemaAgrees(t *testing.T) {
	schema := schematest.Compile(t, schemaText(t))
	for _, src := range append(files(t, "testdata/good/*.yaml"), files(t, "../../scenarios/openings/*.yaml")...) {
		if err := schema.Validate(instance(t, src)); err != nil {
			t.Errorf("%s: the schema refuses a good file: %v", src.Name, err)
		}
	}
	for name := range exempt {
		if _, err := os.Stat("testdata/bad/" + name + ".yaml"); err != nil {
			t.Errorf("no bad file for the exemption %s", name)
		}
	}
	for _, src := range files(t, "testdata/bad/*.yaml") {
		name := strings.TrimSuffix(src.Name, ".yaml")
		reason, exempted := exempt[name]
		if strings.HasPrefix(reason, "as alias") || name == "alias" {
			continue
		}
		err := schema.Validate(instance(t, src))
		switch {
		case err == nil && !exempted:
			t.Errorf("%s: the schema accepts a bad file", src.Name)
		case err != nil && exempted:
			t.Errorf("%s: the schema refuses it too: it is no exemption", src.Name)
		}
	}
}

// instance turns a file into what a schema judges.
func instance(t *testing.T, src Source) any {
	t.Helper()
	r := &report{sources: []Source{src}}
	root := r.parse(0)
	if root == nil {
		t.Fatalf("%s cannot be read: %v", src.Name, r.problems)
	}
	return plain(root)
}

func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plain(c))
		}
		return list
	}
	if null(n) {
		return nil
	}
	if quoted(n) {
		return n.Value
	}
	if n.Value == "true" || n.Value == "false" {
		return n.Value == "true"
	}
	if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
		return json.Number(strconv.FormatInt(v, 10))
	}
	if v, err := strconv.ParseUint(n.Value, 0, 64); err == nil {
		return json.Number(strconv.FormatUint(v, 10))
	}
	if _, err := strconv.ParseFloat(n.Value, 64); err == nil {
		return json.Number(n.Value)
	}
	return n.Value
}

// A generator makes schemas of the types of the tree, by the plan that the
// reader goes by.
type generator struct {
	defs     jsonschema.Definitions
	comments map[string]string
}

func schemaText(t *testing.T) []byte {
	t.Helper()
	g := &generator{defs: jsonschema.Definitions{}, comments: comments(t, ".", "../../ib", "../../sim", "../../tpt")}
	root := g.object(reflect.TypeFor[File](), true)
	root.Version = jsonschema.Version
	root.ID = "https://hcasim/scenario.v1.json"
	root.Title = "hcasim scenario"
	root.Required = []string{"version", "kind"}
	root.AllOf = []*jsonschema.Schema{openingRule()}
	root.Definitions = g.defs
	g.defs["variable"] = &jsonschema.Schema{Type: "string", Pattern: `^\$[A-Za-z_][A-Za-z0-9_]*$|\$\{`,
		Description: "A variable of vars: or of a loop: $name, ${name} or ${name*2}."}
	text, err := json.MarshalIndent(root, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// openingRule says that openings declare and do not act.
func openingRule() *jsonschema.Schema {
	opening := jsonschema.NewProperties()
	opening.Set("kind", &jsonschema.Schema{Const: "opening"})
	acts := &jsonschema.Schema{}
	for _, word := range []string{"ops", "cases", "expect", "thresholds", "record"} {
		acts.AnyOf = append(acts.AnyOf, &jsonschema.Schema{Required: []string{word}})
	}
	act := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Required: []string{"ops"}}, {Required: []string{"cases"}}}}
	return &jsonschema.Schema{If: &jsonschema.Schema{Properties: opening}, Then: &jsonschema.Schema{Not: acts}, Else: act}
}

// ref returns a reference to the definition of a struct type. Under hosts: an
// opening may have said what is required.
func (g *generator) ref(t reflect.Type, strict bool) *jsonschema.Schema {
	name := t.Name()
	name = strings.ToUpper(name[:1]) + name[1:]
	if !strict && len(planOf(t).required) > 0 {
		name += "Declared"
	}
	if _, ok := g.defs[name]; !ok {
		g.defs[name] = &jsonschema.Schema{} // against circles
		*g.defs[name] = *g.object(t, strict)
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

// object makes the mapping form of a struct.
func (g *generator) object(t reflect.Type, strict bool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	plan := planOf(t)
	describe(s, plan, g.comment(t, ""), t.Name(), t)
	for _, name := range plan.names {
		m := plan.byName[name]
		f := t.FieldByIndex(m.index)
		property := g.typed(f.Type, m.tag)
		describe(property, plan, g.comment(owner(t, m.index), f.Name), f.Name, t)
		if t == reflect.TypeFor[ModifyQP]() {
			property.Default = nil // what is left out stays as it is
		}
		s.Properties.Set(name, property)
	}
	if strict {
		for _, m := range plan.required {
			s.Required = append(s.Required, m.name)
		}
	}
	if t == reflect.TypeFor[Step]() {
		for _, verb := range planOf(reflect.TypeFor[Verbs]()).names {
			s.OneOf = append(s.OneOf, &jsonschema.Schema{Required: []string{verb}})
		}
	}
	return s
}

// owner returns the struct that the last step of a field's index is of.
func owner(t reflect.Type, index []int) reflect.Type {
	for _, i := range index[:len(index)-1] {
		t = t.Field(i).Type
	}
	return t
}

// typed makes the schema of a member's type and tag.
func (g *generator) typed(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	if t == nodeType {
		return &jsonschema.Schema{Type: "object"}
	}
	if t.Kind() == reflect.Pointer {
		return g.typed(t.Elem(), tag)
	}
	if s := g.special(t, tag); s != nil {
		return s
	}
	if e := enumOf(t); e != nil {
		return g.named(t, "", enumSchema(e))
	}
	if reflect.PointerTo(t).Implements(textType) {
		suffix := ""
		if tag.Get("bare") == "true" {
			suffix = "Bare" + tag.Get("min")
		}
		return g.named(t, suffix, quantitySchema(t, tag))
	}
	switch t.Kind() {
	case reflect.Struct:
		return g.structure(t)
	case reflect.Slice:
		return g.list(t, tag)
	case reflect.Bool:
		return anyOf(&jsonschema.Schema{Type: "boolean"}, variable)
	case reflect.String:
		if words := tag.Get("enum"); words != "" {
			return wordsSchema(strings.Split(words, ","))
		}
		return anyOf(&jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"}, &jsonschema.Schema{Type: "boolean"})
	}
	return integerSchema(t, tag)
}

// named keeps the schema of a value under its type's name, and refers to it.
func (g *generator) named(t reflect.Type, suffix string, s *jsonschema.Schema) *jsonschema.Schema {
	path := strings.Split(t.PkgPath(), "/")
	name := t.Name() + suffix
	if pkg := path[len(path)-1]; pkg != "lang" {
		name = pkg + "." + name
	}
	describe(s, &plan{}, g.comment(t, ""), t.Name(), t)
	g.defs[name] = s
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

// structure makes the mapping form and the short form of a struct, and nothing
// at all for a verb.
func (g *generator) structure(t reflect.Type) *jsonschema.Schema {
	forms := []*jsonschema.Schema{g.ref(t, true)}
	if short := planOf(t).short; short != nil {
		forms = append(forms, g.typed(t.FieldByIndex(short.index).Type, short.tag))
	}
	if hasBody(reflect.PointerTo(t)) {
		forms = append(forms, &jsonschema.Schema{Type: "null"})
	}
	return anyOf(forms...)
}

func (g *generator) list(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	item := g.typed(t.Elem(), tag)
	list := &jsonschema.Schema{Type: "array", Items: item}
	if t.Elem() == reflect.TypeFor[Step]() || t.Elem() == reflect.TypeFor[Case]() {
		return list
	}
	return anyOf(item, list)
}

// anyOf joins alternatives; one alone stands for itself.
func anyOf(forms ...*jsonschema.Schema) *jsonschema.Schema {
	if len(forms) == 1 {
		return forms[0]
	}
	return &jsonschema.Schema{AnyOf: forms}
}

var variable = &jsonschema.Schema{Ref: "#/$defs/variable"}

func integerSchema(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "integer", Minimum: json.Number(tag.Get("min")), Maximum: json.Number(tag.Get("max"))}
	if words := tag.Get("oneof"); words != "" {
		for w := range strings.SplitSeq(words, ",") {
			s.Enum = append(s.Enum, json.Number(w))
		}
	}
	if v := reflect.New(t).Elem(); v.CanUint() {
		if s.Minimum == "" {
			s.Minimum = "0"
		}
		if s.Maximum == "" {
			s.Maximum = json.Number(fmt.Sprint(^uint64(0) >> (64 - t.Bits())))
		}
	}
	return anyOf(s, variable)
}

func wordsSchema(words []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return anyOf(s, variable)
}

func enumSchema(e *enumeration) *jsonschema.Schema {
	number := &jsonschema.Schema{Type: "integer"}
	if !e.flags {
		return anyOf(wordsSchema(e.names()), number)
	}
	one := "(" + strings.Join(e.names(), "|") + ")"
	joined := &jsonschema.Schema{Type: "string", Pattern: `^\s*` + one + `(\s*\|\s*` + one + `)*\s*$`}
	list := &jsonschema.Schema{Type: "array", Items: anyOf(wordsSchema(e.names()), number)}
	return anyOf(list, joined, number, variable)
}
