package suite

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// bound matches a text that has the x of a point in it.
var bound = regexp.MustCompile(`\$xb?\b|\$\{[^}]*\bxb?\b[^}]*\}`)

// vague are names of members that say little without what they are of.
var vague = []string{"count", "length", "entries", "ways", "value"}

// places returns what x is, as far as the files tell: the members of the
// scenario that it is put into, and the variables and parameters of the curve.
func places(scenario *yaml.Node, settings ...[]Setting) (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, list := range settings {
		for _, s := range list {
			if bound.MatchString(s.Value) {
				add(s.Path)
			}
		}
	}
	seek(nil, scenario, func(path []string) { add(called(path)) })
	return names
}

// called is a member in words: size, qp count.
func called(path []string) string {
	n := len(path)
	if path[0] == "hosts" && n >= 4 && slices.Contains(vague, path[n-1]) {
		return path[n-3] + " " + path[n-1] // of hosts.a.qp.q.count
	}
	return path[n-1]
}

// seek calls found for each text with x in it.
func seek(path []string, n *yaml.Node, found func(path []string)) {
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			seek(append(path, strings.TrimSpace(n.Content[i].Value)), n.Content[i+1], found)
		}
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			seek(path, c, found)
		}
	case n.Kind == yaml.ScalarNode && len(path) > 0 && bound.MatchString(n.Value):
		found(path)
	}
}
