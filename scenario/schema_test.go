package scenario

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"testing"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang/schematest"
	"hcasim/scenarios"
)

var update = flag.Bool("update", false, "write the generated files")

const profileSchemaFile = "../scenarios/schema/profile.v1.json"

// TestProfileSchema holds the committed schema to the parameters, and the
// profiles to the schema. go generate writes it.
func TestProfileSchema(t *testing.T) {
	text, err := ProfileSchema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(profileSchemaFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(profileSchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Error("the schema is not that of the parameters: run go generate ./scenario")
	}
	schema := schematest.Compile(t, text)
	files, err := fs.Glob(scenarios.Profiles, "profiles/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no profiles", err)
	}
	for _, name := range files {
		src, err := fs.ReadFile(scenarios.Profiles, name)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := yaml.Load(src, &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestProfileSchemaRefuses shows that it is not a schema of everything.
func TestProfileSchemaRefuses(t *testing.T) {
	text, err := ProfileSchema()
	if err != nil {
		t.Fatal(err)
	}
	schema := schematest.Compile(t, text)
	const head = "version: 1\nkind: profile\nname: p\nabout: A sample.\n"
	for what, src := range map[string]string{
		"a value without a source": head + "hca: {clock: {value: 1GHz}}",
		"an unknown parameter":     head + "hca: {clok: {value: 1GHz, source: estimate}}",
		"a wrong unit":             head + "hca: {clock: {value: 1ns, source: estimate}}",
		"no name":                  "version: 1\nkind: profile\nabout: A sample.",
	} {
		var v any
		if err := yaml.Load([]byte(src), &v); err != nil {
			t.Fatal(err)
		}
		if schema.Validate(v) == nil {
			t.Errorf("the schema lets pass %s", what)
		}
	}
}
