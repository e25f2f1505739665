package config

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// name returns the last part of a path.
func name(path string) string {
	if path == "" {
		return "the root"
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

// shape says what a node is, where something else was wanted.
func shape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	default:
		return `"` + n.Value + `"`
	}
}

// wanted says what a value of this kind looks like.
func (k kind) wanted() string {
	switch k.word {
	case "duration":
		return "a duration such as 500ns"
	case "frequency":
		return "a frequency such as 250MHz"
	case "rate":
		return "a rate such as 100Gb/s"
	case "size":
		return "a size such as 4KiB"
	case "switch":
		return "true or false"
	case "cycles", "count", "integer":
		return "a whole number"
	case "interval":
		return "a number of cycles such as 9.4"
	}
	return "a word"
}

// see points to the command that lists a group.
func (g *group) see() string {
	if g.path == "" {
		return "(hcasim params)"
	}
	return "(hcasim params " + g.path + ")"
}
