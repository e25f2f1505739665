package suite

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestPlaces: what x is put into is what it is.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ scenario, vars, want string }{
		{"{ops: [{traffic: {size: $x, depth: 1}}]}", "", "size"},
		{"{hosts: {a: {qp: {q: {count: $x}}}, b: {qp: {q: {count: $x}}}}, ops: [{traffic: {size: 8}}]}", "", "qp count"},
		{"{ops: [{traffic: {size: \"${xb * 2}\", count: \"${1000 / x}\"}}]}", "", "size, count"},
		{"{ops: [{traffic: {depth: $depth}}]}", "$x", "v"},
		{"{ops: [{traffic: {size: $xs, depth: \"${max}\"}}]}", "8", ""},
	} {
		var n yaml.Node
		if err := yaml.Load([]byte(c.scenario), &n); err != nil {
			t.Fatal(err)
		}
		root := &n
		if root.Kind == yaml.DocumentNode {
			root = root.Content[0]
		}
		if got := strings.Join(places(root, []Setting{{Path: "v", Value: c.vars}}), ", "); got != c.want {
			t.Errorf("%s with v=%s: x is %q, want %q", c.scenario, c.vars, got, c.want)
		}
	}
}
