package suite

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// facts are the parameters that a set-up has and a paper tells: cables, slots,
// page sizes, sockets, what a program asks for. A name with a dot at its end
// is all below it. All else is how a product works, and belongs to its
// profile.
var facts = []string{
	"wire.",
	"host.pcie.generation", "host.pcie.lanes", "host.pcie.mps", "host.pcie.mrrs",
	"hca.pcie.generation", "hca.pcie.lanes", "hca.pcie.mps", "hca.pcie.mrrs",
	"host.memory.far", "host.memory.size", "host.memory.contiguous", "host.memory.pin_limit",
	"host.iommu.mode", "host.iommu.page",
	"host.queue.", "host.cpu.blueflame",
	"hca.limit.", "hca.max_inline",
}

const notAFact = "a stage's parameter belongs to the profile"

const someFacts = "facts of a set-up are wire., host.queue., hca.limit., host.pcie.generation and their like"

// isFact reports whether a path of a parameter, without its host, is a fact.
func isFact(path string) bool {
	if path == "wire.efficiency" { // measured, not told
		return false
	}
	return slices.ContainsFunc(facts, func(f string) bool {
		return path == f || strings.HasSuffix(f, ".") && strings.HasPrefix(path, f)
	})
}

// ofAll takes the host off a path: hosts.server.wire.rate is wire.rate.
func ofAll(path string) string {
	words := strings.SplitN(path, ".", 3)
	if len(words) == 3 && words[0] == "hosts" {
		return words[2]
	}
	return path
}

// turned returns the parameters of a run that were set beside its profile and
// are no facts. Flags may set what they like.
func turned(r *scenario.Run) (problems []lang.Problem) {
	for _, t := range r.Setup.Config {
		walk(t.Path, t.Node, func(path string, key *yaml.Node) {
			at := r.File.Position(key)
			if at.Line > 0 && !isFact(ofAll(path)) {
				problems = append(problems, lang.Problem{File: at.File, Line: at.Line, Column: at.Column, Message: path + ": " + notAFact, Suggestion: someFacts})
			}
		})
	}
	return problems
}

// walk visits the leaves of a tree with the node of their last word.
func walk(path string, n *yaml.Node, visit func(path string, key *yaml.Node)) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if below := path + "." + key.Value; value.Kind == yaml.MappingNode {
			walk(below, value, visit)
		} else {
			visit(below, key)
		}
	}
}
