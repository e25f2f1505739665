package sweep

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/invopop/jsonschema"
	checker "github.com/santhosh-tekuri/jsonschema/v6"

	"hcasim/scenario/lang"
	"hcasim/scenario/lang/schematest"
)

const schemaFile = "../../scenarios/schema/study.v1.json"

type schema = jsonschema.Schema

// object makes a mapping of members, the first of which are required.
func object(about string, required int, members ...any) *schema {
	s := &schema{Type: "object", Description: about, Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for i := 0; i < len(members); i += 2 {
		name := members[i].(string)
		s.Properties.Set(name, members[i+1].(*schema))
		if i/2 < required {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

func text(about string) *schema { return &schema{Type: "string", Description: about} }

func list(about string, of *schema) *schema {
	return &schema{Type: "array", Description: about, Items: of}
}

func mapping(about string, of *schema) *schema {
	return &schema{Type: "object", Description: about, AdditionalProperties: of}
}

func either(about string, forms ...*schema) *schema {
	return &schema{Description: about, AnyOf: forms}
}

func count(about string) *schema {
	return either(about, &schema{Type: "integer", Minimum: "1"}, &schema{Type: "string", Pattern: `^[0-9][0-9_.]*[kMG]?$`})
}

func oneOf(about string, words ...any) *schema {
	return &schema{Type: "string", Description: about, Enum: words}
}

func number(about string) *schema { return &schema{Type: "number", Description: about} }

func wholeNumber(about, least, most string) *schema {
	return &schema{Type: "integer", Description: about, Minimum: json.Number(least), Maximum: json.Number(most)}
}

var (
	scalar   = either("", &schema{Type: "number"}, &schema{Type: "string"}, &schema{Type: "boolean"})
	anything = &schema{}
	settings = mapping("From paths of parameters (hcasim params) and variables (vars.n) to values.", anything)
)

func some(about string) *schema {
	return either(about, &schema{Type: "string"}, list("", &schema{Type: "string"}))
}

func share(about string) *schema {
	return &schema{Type: "string", Description: about, Pattern: `^[0-9.]+ *%$`}
}

// axisSchema is that of an axis; how it says its values is for the decoder.
func axisSchema() *schema {
	named := mapping("Values with names: settings of their own, and base: or case: for another scenario; or one value for set:.", anything)
	return object("What is varied.", 0,
		"set", some("Paths that its values go to: of parameters, or vars.NAME."),
		"values", either("A list of values, or a mapping from names to settings.", list("", scalar), named, scalar),
		"from", scalar, "to", scalar, "step", scalar, "times", number("Each value is so many times the one before it."),
		"unit", text("For pictures, of values that have none."), "label", text("For pictures."))
}

func metricSchema() *schema {
	return either("An expression over figures, such as write.p50 or measured.server.mtt.misses / measured.ops.",
		&schema{Type: "string"}, &schema{Type: "number"},
		object("", 1, "of", either("The expression.", &schema{Type: "string"}, &schema{Type: "number"}),
			"unit", text("If it is not that of the figures."), "label", text("For pictures.")))
}

func plotSchema() *schema {
	return object("A picture; the first is that of the answer.", 3, "title", text("Over the picture."), "x", text("An axis."),
		"y", some("Metrics."), "by", some("Axes: a curve for each combination of their values."),
		"where", text("Rows that are shown."), "log", either("Sides that are logarithmic.", oneOf("", "x", "y"), list("", oneOf("", "x", "y"))))
}

func expectSchema() *schema {
	choice := mapping("Values of axes.", scalar)
	s := object("The direction of the answer, for every combination of the axes that it does not speak of.", 0,
		"rises", text("A metric that rises along an axis."), "falls", text("A metric that falls along an axis."),
		"flat", text("A metric that stays within a share of its greatest."), "knee", text("A metric that bends within bounds."),
		"ratio", text("A metric that is so many times another's."), "crossover", text("A metric by which two cross."),
		"holds", text("An expression that is true of every row."),
		"along", text("An axis."), "where", text("Rows that count."), "slack", share("It may fall back by so much."),
		"within", either("Of flat a share; of crossover where it is.", share(""), list("", scalar)),
		"between", either("Of knee where it is; of crossover which two.", list("", either("", scalar, choice))),
		"bend", oneOf("Of knee: which way.", "up", "down"), "of", choice, "to", choice,
		"at_least", number("Factor."), "at_most", number("Factor."), "exists", &schema{Type: "boolean"})
	for _, kind := range []Kind{Rises, Falls, Flat, Knee, Ratio, Crossover, Holds} {
		one := &schema{Required: append([]string{string(kind)}, needed[kind]...)}
		s.OneOf = append(s.OneOf, one)
	}
	return s
}

// studySchema is the schema of studies.
func studySchema(t *testing.T) []byte {
	t.Helper()
	axes := mapping("What is varied; in a grid the last varies fastest.", axisSchema())
	design := either("How the axes are combined.", oneOf("", "grid", "zip", "list"),
		object("", 1, "lhs", wholeNumber("Points of a Latin hypercube.", "1", "1000000000")))
	points := list("Of design: list.", mapping("A value of each axis.", scalar))
	where := text("Rows that count: an expression over the axes.")
	expect := list("What is expected of the answer.", expectSchema())
	s := object("A question that more than one run answers.", 7,
		"version", &schema{Const: 1}, "kind", &schema{Const: "study"}, "name", &schema{Type: "string", Pattern: `^[^/\\ ]+$`, Description: "Results are filed under it."},
		"question", &schema{Type: "string", Pattern: `\?\s*$`, Description: "In one sentence."},
		"base", text("The scenario, from the folder of the study."), "axes", axes,
		"collect", either("What is collected of each point.", list("", text("A figure.")), mapping("From names to expressions.", metricSchema()), text("A figure.")),
		"about", text("Why, and what is varied."), "case", text("Of the scenario."), "profile", text("Over the scenario's."), "set", settings,
		"design", design, "points", points, "where", where, "repeat", wholeNumber("Seeds of each row.", "1", "1000"),
		"limits", object("What the study may grow to.", 0, "points", count("Rows times seeds; 1M.")),
		"seed", &schema{Type: "integer", Minimum: "0", Description: "Of all seeds."}, "keep", oneOf("Results of points that are kept.", "summary", "ops", "everything"),
		"shards", wholeNumber("How many parts there are to run, unless a flag says so.", "1", "100000"),
		"short", object("What lies over all this in the short form.", 0, "axes", mapping("", axisSchema()), "set", settings, "design", design,
			"points", points, "where", where, "repeat", wholeNumber("", "1", "1000"), "expect", expect),
		"plots", list("", plotSchema()), "expect", expect)
	s.Version, s.ID, s.Title = jsonschema.Version, "https://hcasim/study.v1.json", "hcasim study"
	out, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

// TestSchema holds the committed schema to this one, and schema and decoder to
// each other. go generate writes it.
func TestSchema(t *testing.T) {
	raw := studySchema(t)
	if *update {
		if err := os.WriteFile(schemaFile, raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaFile)
	if err != nil || !bytes.Equal(raw, want) {
		t.Errorf("%s is not generated: run go generate ./scenario/...: %v", schemaFile, err)
	}
	compiled := schematest.Compile(t, raw)
	for _, name := range append(glob(t, "testdata/good/*.yaml"), glob(t, "../../scenarios/studies/*.yaml")...) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(schematest.Instance(t, src)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	schemaAndDecoder(t, compiled)
}

// schemaAndDecoder changes one line of a good file at a time: what the schema
// refuses the decoder must refuse too, and the schema must refuse what is
// wrong with the form.
func schemaAndDecoder(t *testing.T, compiled *checker.Schema) {
	src, err := os.ReadFile("testdata/good/list.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		was, is string
		fine    bool
	}{
		{"question: Which of these?", "question: These.", false}, {"question: Which of these?", "", false}, {"name: list", "name: a/b", false},
		{"design: list", "design: lists", false}, {"base: ../base.yaml", "base: [x]", false}, {"version: 1", "version: 2", false},
		{"collect: [write.p50, measured.ops]", "collect: {p50: {of: write.p50, unit: ns}}", true},
		{"collect: [write.p50, measured.ops]", "collect: {p50: {unit: ns}}", false},
		{"collect: [write.p50, measured.ops]", "collect: {p50: {of: write.p50, unti: ns}}", false},
		{"collect: [write.p50, measured.ops]", "collect: [write.p50]\nrepeat: 0", false},
		{"collect: [write.p50, measured.ops]", "collect: [write.p50]\nrepeat: 1000\nkeep: ops\nshards: 2\nseed: 4", true},
		{"collect: [write.p50, measured.ops]", "collect: [write.p50]\nkeep: all", false},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nexpect: [{flat: p, along: n, within: 5%}]", true},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nexpect: [{flat: p, along: n, within: five}]", false},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nexpect: [{flat: p, along: n}]", false},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nexpect: [{flat: p, rises: p, along: n, within: 5%}]", false},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nexpect: [{along: n}]", false},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nexpect: [{knee: p, along: n, between: [1, n], bend: up}]", true},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nexpect: [{knee: p, along: n, between: [1, n], bend: left}]", false},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nplots: [{title: t, x: n, y: p, log: z}]", false},
		{"collect: [write.p50, measured.ops]", "collect: {p: write.p50}\nplots: [{title: t, x: n, y: [p], by: way, log: y}]", true},
		{"n: {set: vars.n, from: 1, to: 100, step: 3}", "n: {set: vars.n, from: 1, to: 100, setp: 3}", false},
		{"points: [", "short: {rpeat: 1}\npoints: [", false}, {"points: [", "short: {repeat: 1}\npoints: [", true}, {"points: [", "point: [", false},
	} {
		text := bytes.Replace(src, []byte(c.was), []byte(c.is), 1)
		if bytes.Equal(text, src) {
			t.Fatalf("%q is not there", c.was)
		}
		schema := compiled.Validate(schematest.Instance(t, text)) == nil
		_, err := Read(lang.Source{Name: "testdata/good/x.yaml", Data: text}, Options{Heads: true})
		if schema != c.fine || (err == nil) != c.fine {
			t.Errorf("%s: by the schema %v, by the decoder %v, should be %v", c.is, schema, err, c.fine)
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(fs.ErrNotExist, pattern)
	}
	return names
}
