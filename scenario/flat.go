package scenario

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// A Line is one value of a document of YAML, and the path to it.
type Line struct{ Path, Value string }

// Flat returns the values of a document one by one, in its order, without what
// stands in comments: hca.cache.mpt.entries, ops[2].traffic.size. It knows no
// parameter, so that it reads what another version of the program wrote.
// The file is named in errors.
func Flat(file string, text []byte) ([]Line, error) {
	var root yaml.Node
	if p, ok := lang.LoadYAML(text, &root); !ok {
		p.File = file
		return nil, p
	}
	var f flattening
	f.node("", &root, 0)
	if f.full {
		return nil, fmt.Errorf("%s: more than %d values, or aliases that go on for ever", file, mostLines)
	}
	return f.lines, nil
}

// mostLines bounds the values of a document, with aliases followed.
const mostLines = 1_000_000

type flattening struct {
	lines []Line
	nodes int  // met so far
	full  bool // there are more than may be
}

func (f *flattening) node(path string, n *yaml.Node, depth int) {
	if f.nodes++; depth > 200 || f.nodes > 4*mostLines || len(f.lines) > mostLines {
		f.full = true
		return
	}
	switch n.Kind {
	case yaml.DocumentNode:
		for _, c := range n.Content {
			f.node(path, c, depth+1)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if path != "" {
				name = path + "." + name
			}
			f.node(name, n.Content[i+1], depth+1)
		}
	case yaml.SequenceNode:
		for i, c := range n.Content {
			f.node(fmt.Sprintf("%s[%d]", path, i+1), c, depth+1)
		}
	case yaml.AliasNode:
		f.node(path, n.Alias, depth+1)
	default:
		f.lines = append(f.lines, Line{path, n.Value})
	}
}
