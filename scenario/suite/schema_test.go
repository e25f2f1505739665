package suite

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"testing"

	"github.com/invopop/jsonschema"

	"hcasim/scenario/lang/schematest"
	"hcasim/scenarios"
)

var update = flag.Bool("update", false, "write the generated files and the golden texts anew")

const schemaFolder = "../../scenarios/schema/"

// object makes a mapping of members, the first of which are required.
func object(about string, required int, members ...any) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Description: about, Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for i := 0; i < len(members); i += 2 {
		name := members[i].(string)
		s.Properties.Set(name, members[i+1].(*jsonschema.Schema))
		if i/2 < required {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

func text(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: about}
}

func list(about string, of *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Description: about, Items: of}
}

func mapping(about string, of *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Description: about, AdditionalProperties: of}
}

func either(about string, forms ...*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Description: about, AnyOf: forms}
}

var (
	number1   = &jsonschema.Schema{Type: "number"}
	nothing   = &jsonschema.Schema{Type: "null"}
	x         = either("A number, a size such as 4KiB, or a word.", number1, &jsonschema.Schema{Type: "string"})
	anything  = &jsonschema.Schema{}
	condition = &jsonschema.Schema{Type: "boolean"}
)

func tolerance(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: about, Pattern: `^(exact|[0-9.]+ *%)$`}
}

func words(about string, list ...any) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: about, Enum: list}
}

// head are the members that all files have.
func head(kind string) []any {
	return []any{"version", &jsonschema.Schema{Const: 1}, "kind", &jsonschema.Schema{Const: kind}}
}

// itemSchema is the schema of items; scenarios within are those of files
// without their head.
func itemSchema(t *testing.T) []byte {
	t.Helper()
	raw, err := fs.ReadFile(scenarios.Schemas, "schema/scenario.v1.json")
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Defs       jsonschema.Definitions `json:"$defs"`
		Properties map[string]any         `json:"properties"`
	}
	if err := json.Unmarshal(raw, &whole); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"version", "kind", "name", "cases"} {
		delete(whole.Properties, said)
	}
	within := map[string]any{"type": "object", "additionalProperties": false, "properties": whole.Properties,
		"description": "An ordinary scenario. $x, ${xb*2} and the variables of the curve stand in it."}
	ref := &jsonschema.Schema{Ref: "#/$defs/Within"}
	value := either("The published value; nothing where none was published: the point is run and not judged.",
		number1, nothing, object("", 0, "value", number1, "tolerance", tolerance("Of this point.")))
	curve := object("One line of a measurement.", 3,
		"name", text("Of the curve within the item."), "source", text("Where the values were published."),
		"points", mapping("From x to the published value, in this order.", value),
		"unit", text("Of points and metric."), "scenario", ref, "vars", mapping("Over the variables of the scenario.", anything),
		"set", mapping("Parameters over those of the scenario.", anything),
		"metric", text("An expression over the figures of the run, such as write.p50 / 1000."),
		"encode", text("A header, a packet, or PACKET/WRAPPING/PAYLOAD: the bytes that the codec writes for it."),
		"absolute", condition, "tolerance", tolerance("Over the item's."),
		"bound", words("upper: the model must reach the points, and pass them by at most the tolerance.", "both", "upper"),
		"disagree", mapping("From x to a sentence: which published numbers contradict each other.", text("")),
		"fast_points", list("What --fast runs.", x), "minus", text("The curve whose value is taken away."), "over", text("The curve whose value divides."),
		"share_of", text("The curve whose published values deviations are shares of: for small differences of large values."))
	shape := object("What must be true of a curve besides its points.", 1, "curve", text("Its name."),
		"largest_change_between", list("Neighbours that differ most.", x), "peak_between", list("The largest value.", x),
		"knee_between", list("Where 20 % of the whole change is passed.", x), "steps", list("Behind these, and nowhere else, it changes by more than 5 %.", x))
	s := object("One published measurement, held to the model.", 6, append(head("validation"),
		"id", text("As the file is called, in capitals."), "about", text("What was measured."),
		"class", words("X exact arithmetic, C may be calibrated on, V validation only.", "X", "C", "V"),
		"tolerance", tolerance("Of each point."), "curves", list("", curve), "fast", condition,
		"testbed", text("Where it was measured."), "scenario", ref, "shapes", list("", shape))...)
	s.Required = append(s.Required, "curves")
	return document(t, "validation", s, map[string]any{"Within": within}, whole.Defs)
}

func testbedSchema(t *testing.T) []byte {
	t.Helper()
	fact := either("", object("", 1, "value", anything, "source", text("A public source in few words.")), anything)
	s := object("The set-up that items were measured on.", 4, append(head("testbed"),
		"name", text("As the file is called, without .yaml."), "about", text("What it is."),
		"source", text("Of facts that have none of their own."), "facts", mapping("Parameters that are facts of the set-up.", fact),
		"constant", object("Added to every absolute latency measured there.", 2, "value", text("A duration, which may have a sign."),
			"source", text("What it stands for."), "fitted_on", list("Items that it was fitted on.", text(""))))...)
	return document(t, "testbed", s, nil, nil)
}

// document writes a schema, with definitions of its own and others.
func document(t *testing.T, kind string, s *jsonschema.Schema, own map[string]any, defs jsonschema.Definitions) []byte {
	t.Helper()
	s.Version, s.ID, s.Title = jsonschema.Version, jsonschema.ID("https://hcasim/"+kind+".v1.json"), "hcasim "+kind
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if own != nil {
		for name, d := range defs {
			own[name] = d
		}
		doc["$defs"] = own
	}
	out, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

// TestSchemas holds the committed schemas to these, and the files of the suite
// to the schemas. go generate writes them.
func TestSchemas(t *testing.T) {
	for kind, text := range map[string][]byte{"validation": itemSchema(t), "testbed": testbedSchema(t)} {
		file := schemaFolder + kind + ".v1.json"
		if *update {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(text, want) {
			t.Errorf("%s is not generated: run go generate ./scenario/...: %v", file, err)
		}
		schema := schematest.Compile(t, text)
		for name, src := range written(t, kind) {
			if err := schema.Validate(schematest.Instance(t, src)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, src := range []string{"version: 1\nkind: " + kind, "version: 1\nkind: " + kind + "\nabuot: x"} {
			if schema.Validate(schematest.Instance(t, []byte(src))) == nil {
				t.Errorf("the schema lets pass %q", src)
			}
		}
	}
}

// written returns the good files of a kind.
func written(t *testing.T, kind string) map[string][]byte {
	t.Helper()
	pattern := map[string]string{"validation": "*.yaml", "testbed": "testbeds/*.yaml"}[kind]
	files := map[string][]byte{}
	for _, folder := range []string{"../../scenarios/validation", "testdata/good"} {
		root := os.DirFS(folder)
		names, err := fs.Glob(root, pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s in %s: %v", pattern, folder, err)
		}
		for _, name := range names {
			if files[folder+"/"+name], err = fs.ReadFile(root, name); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}
