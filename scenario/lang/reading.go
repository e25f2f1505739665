package lang

import (
	"reflect"

	"go.yaml.in/yaml/v4"
)

// A Reading is a file of another kind than scenarios while it is read: other
// rooms say what stands in it, this one reads it, with places and suggestions
// as for scenarios.
type Reading struct {
	d    *decoder
	root *yaml.Node
}

// Open parses a file of one kind. The root is nil if there is nothing to go on
// with.
func Open(src Source, kind string) *Reading {
	r := &Reading{d: &decoder{report: &report{sources: []Source{src}}}}
	root := r.d.parse(0)
	switch {
	case root == nil:
		return r
	case root.Kind != yaml.MappingNode:
		r.d.node(root, "a "+kind+" is a mapping, not a "+kindWord(root), "it begins with version: 1, kind: "+kind)
		return r
	}
	said := find(root, "kind")
	switch {
	case said == nil:
		r.d.node(root, "kind is missing", "write kind: "+kind)
	case said.Value != kind:
		r.d.node(said, "this is a "+said.Value+", not a "+kind, otherwise(said.Value, kind, r.d.pos(said).File))
	default:
		r.root = root
	}
	return r
}

// Root returns the mapping that the file is, without aliases and merge keys.
func (r *Reading) Root() *yaml.Node { return r.root }

// Decode reads a node into the struct that into points to, by the tags of its
// fields: see plan.
func (r *Reading) Decode(n *yaml.Node, into any) { r.d.structure(n, reflect.ValueOf(into)) }

// Report notes a mistake at a node.
func (r *Reading) Report(n *yaml.Node, message, suggestion string) { r.d.node(n, message, suggestion) }

// Add notes a problem that was found elsewhere.
func (r *Reading) Add(p Problem) { r.d.add(p) }

// Pos returns where a node was written.
func (r *Reading) Pos(n *yaml.Node) Pos { return r.d.pos(n) }

// Problems returns all mistakes in the order of their places.
func (r *Reading) Problems() []Problem { return r.d.sorted() }
