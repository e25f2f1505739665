package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang/schematest"
)

// compiled returns the schema as an independent reader of JSON Schema sees it.
func compiled(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	return schematest.Compile(t, text)
}

// instance turns YAML into what a reader of JSON would have.
func instance(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := yaml.Load([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	js, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(js)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Schema and decoder must agree (P7), but for the bounds of values with units.
func TestSchemaAgreesWithApply(t *testing.T) {
	s := compiled(t, SchemaOf(sample{}))
	for _, tree := range []string{
		"hca: {}", effective, "hca: {clock: 1.25 GHz, skew: -3}", "wire: {rate: 16GT/s, delay: 0, mtu: 256B, big: 18446744073709551615}",
		"hca: {cache: {mpt: {entries: 0x40, ways: 1_000, latency: 12, replace: plru}}}", "wire: {delay: 3µs, pause: true, label: x}",
		"hca: {cache: {mpt: {entires: 64}}}", "hca: {cache: {mpt: {entries: 0}}}", "hca: {cache: {mpt: {entries: 65537}}}",
		"hca: {cache: {mpt: {entries: \"64\"}}}", "hca: {cache: {mpt: {latency: 12 cycles}}}", "hca: {cache: {mpt: {ways: -1}}}",
		"hca: {cache: {mpt: {replace: lur}}}", "hca: {cache: [1]}", "hca: 3", "wire: {pause: yes}", "wire: {pause: 1}",
		"wire: {mtu: 4}", "wire: {mtu: 4ns}", "wire: {mtu: 4K}", "wire: {rate: 5 Gbit}", "wire: {delay: ns}", "wire: {delay: -1ns}",
		"wire: {delay: 1.ns}", "mtp: {}", "hca: {skew: 101}", "wire: {big: -1}", "hca: {cache: {mpt: {ways: 1.5}}}",
	} {
		refused := s.Validate(instance(t, tree)) != nil
		problems := New[sample]().Apply("", parse(t, tree), In("s.yaml"))
		if refused != (len(problems) > 0) {
			t.Errorf("%s\nschema refuses: %v, decoder: %q", tree, refused, print(problems))
		}
	}
}

// A bound that only the program holds is at least told to the reader.
func TestSchemaTellsBoundsOfQuantities(t *testing.T) {
	text, err := json.Marshal(SchemaOf(sample{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Largest payload. Allowed: 256B to 4KiB.", `"default":"100Gb/s"`, `"maximum":65536`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestProfileSchema(t *testing.T) {
	s := compiled(t, ProfileSchemaOf(sample{}))
	for tree, fine := range map[string]bool{
		"hca: {clock: {value: 1GHz, source: x}}":  true,
		"hca: {clock: 1GHz}":                      false,
		"hca: {clock: {value: 1GHz}}":             false,
		"hca: {clock: {value: 1, source: x}}":     false,
		"hca: {clock: {value: 1GHz, source: ''}}": false,
	} {
		if err := s.Validate(instance(t, tree)); (err == nil) != fine {
			t.Errorf("%s: %v", tree, err)
		}
	}
}
