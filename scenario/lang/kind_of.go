package lang

import "go.yaml.in/yaml/v4"

// KindOf returns what a text says under kind:, or "" when it says nothing or
// cannot be read. A folder holds files of many kinds; only scenarios run.
func KindOf(data []byte) string {
	var doc yaml.Node
	if load(data, &doc) != nil || doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return ""
	}
	if n := find(doc.Content[0], "kind"); n != nil && n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return ""
}
