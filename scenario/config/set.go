package config

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// Set takes one path=value of the command line. The value is YAML: a scalar,
// or a small tree such as hca.cache.mpt={entries: 64, ways: 4}. A problem
// names the flag and the path in place of a file and a line.
func (s *Settings[T]) Set(assignment string) []lang.Problem {
	path, value, p := split(assignment)
	if p != nil {
		return []lang.Problem{*p}
	}
	flag := lang.Pos{File: "--set " + assignment, Line: -1}
	return s.Apply("", nest(path, value), func(*yaml.Node) lang.Pos { return flag })
}

// split takes an assignment apart and reads its value.
func split(assignment string) (path string, value *yaml.Node, p *lang.Problem) {
	path, text, assigned := strings.Cut(assignment, "=")
	path = strings.TrimSpace(path)
	refuse := func(message, suggestion string) *lang.Problem {
		return &lang.Problem{File: strings.TrimSpace("--set " + path), Message: message, Suggestion: suggestion}
	}
	switch {
	case path == "":
		return "", nil, refuse("no parameter is named", "write path=value, such as hca.cache.mpt.entries=64")
	case !assigned:
		return "", nil, refuse("no value", "write "+path+"=value")
	case strings.TrimSpace(text) == "":
		return "", nil, refuse("no value after the =", "")
	}
	var doc yaml.Node
	if err := yaml.Load([]byte(text), &doc); err != nil {
		return "", nil, refuse("the value cannot be read: "+reason(err), "quote it if it holds one of : # { [ * &")
	}
	return path, &doc, nil
}

// nest wraps a value into one mapping per part of its path.
func nest(path string, value *yaml.Node) *yaml.Node {
	parts := strings.Split(path, ".")
	for i := len(parts) - 1; i >= 0; i-- {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: parts[i]}
		value = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, value}}
	}
	return value
}
