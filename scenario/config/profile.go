package config

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// A Profile is a named profile: values for a device, with its cable, or for a
// host, each with its source.
type Profile struct {
	Name      string
	About     string
	Host      string   // the profile of the host it is usually found in; "" when it is one, or needs none
	Base      *Profile // what it is laid over, nil for none
	File      string
	Values    int // how many parameters it gives, those of its base among them
	Estimates int // how many of them are estimates

	base    string // name of Base
	baseAt  lang.Pos
	hostAt  lang.Pos
	tree    *yaml.Node
	sources map[string]string
	fits    []Fit
}

// Text returns the value that the profile gives a parameter, as it is written,
// or "" when it gives none.
func (p *Profile) Text(path string) string {
	if p.Base != nil && p.sources[path] == "" {
		return p.Base.Text(path)
	}
	n := p.tree
	for word := range strings.SplitSeq(path+".value", ".") {
		i := slices.IndexFunc(n.Content, func(c *yaml.Node) bool { return c.Value == word })
		if i < 0 || i+1 >= len(n.Content) {
			return ""
		}
		n = n.Content[i+1]
	}
	return n.Value
}

// A Fit says that a value was fitted on a published measurement.
type Fit struct {
	Path string   // of the parameter
	Item string   // id of the item of the validation suite
	Pos  lang.Pos // where the profile says so
}

// Fits returns what the profile's own values were fitted on, in the order of
// the file.
func (p *Profile) Fits() []Fit { return p.fits }

// FittedOn returns the items that the value at a path was fitted on.
func (p *Profile) FittedOn(path string) (items []string) {
	if p.Base != nil && p.sources[path] == "" {
		return p.Base.FittedOn(path)
	}
	for _, f := range p.fits {
		if f.Path == path {
			items = append(items, f.Item)
		}
	}
	return items
}

// Estimate is the word that a source begins with when there is none.
const Estimate = "estimate"

// MostlyEstimates reports whether more than half of the values are estimates:
// results are then extrapolation.
func (p *Profile) MostlyEstimates() bool { return 2*p.Estimates > p.Values }

// Source returns where a profile has the value at a path from, or "" when it
// does not give it. What holds for one product is a guess for another: a value
// of the base is an estimate.
func (p *Profile) Source(path string) string {
	own := p.sources[path]
	if own != "" || p.Base == nil {
		return own
	}
	from := p.Base.Source(path)
	if from == "" {
		return ""
	}
	from = strings.TrimPrefix(strings.TrimPrefix(from, Estimate), "; ")
	return strings.TrimSuffix(Estimate+"; as "+p.Base.Name+": "+from, ": ")
}

// over lays the profile over its base: it has all values of both, and the
// usual host of the base if it names none.
func (p *Profile) over(base *Profile) {
	p.Base = base
	if p.Host == "" {
		p.Host, p.hostAt = base.Host, base.hostAt
	}
	for _, path := range base.paths() {
		if p.sources[path] == "" {
			p.Values++
			p.Estimates++
		}
	}
}

// paths returns the parameters that a profile or its bases give, in no order,
// each once.
func (p *Profile) paths() []string {
	all := map[string]bool{}
	for ; p != nil; p = p.Base {
		for path := range p.sources {
			all[path] = true
		}
	}
	return slices.Collect(maps.Keys(all))
}

// ofHost reports whether the profile has the numbers of a host.
func (p *Profile) ofHost() bool {
	if p.Base != nil && p.Base.ofHost() {
		return true
	}
	for i := 0; i < len(p.tree.Content); i += 2 {
		if p.tree.Content[i].Value == "host" {
			return true
		}
	}
	return false
}

// readProfile reads a profile's file. What it says of parameters is judged when
// it is used, against the tree it is used on.
func readProfile(file string, text []byte) (*Profile, []lang.Problem) {
	var doc yaml.Node
	if p, ok := lang.LoadYAML(text, &doc); !ok {
		if p.File = file; len(bytes.TrimSpace(text)) == 0 {
			p.Suggestion = "hcasim profile show NAME prints one to start from"
		}
		return nil, []lang.Problem{p}
	}
	p := &Profile{File: file, tree: &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, sources: map[string]string{}}
	h := header{profile: p}
	h.read(doc.Content[0])
	p.count("", p.tree, 0)
	return p, h.problems
}

// A header reads the words at the top of a profile and leaves the rest, its
// parameters, to the tree.
type header struct {
	profile  *Profile
	kind     string
	problems []lang.Problem
}

func (h *header) read(n *yaml.Node) {
	p := h.profile
	if n.Kind != yaml.MappingNode {
		h.report(n, "a profile is a mapping, with kind: profile", "")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if !slices.Contains(words, key.Value) || key.Value == "host" && value.Kind == yaml.MappingNode {
			p.tree.Content = append(p.tree.Content, key, value)
			continue
		}
		if seen[key.Value] {
			h.report(key, key.Value+" is given twice", "")
			continue
		}
		seen[key.Value] = true
		h.word(key.Value, value)
	}
	switch {
	case h.kind != "profile":
		h.report(n, "this is no profile", "write kind: profile")
	case !seen["version"]:
		h.report(n, "the profile does not say which version of the language it is in", "write version: 1")
	case p.Name == "":
		h.report(n, "the profile has no name", "write name: its-name")
	case p.About == "":
		h.report(n, "the profile does not say what it is about", "write about: one sentence")
	}
}

// words are those of a header. What host: has of its own, a mapping, are
// parameters.
var words = []string{"version", "kind", "name", "about", "host", "base"}

// word takes what the header says behind a word.
func (h *header) word(word string, n *yaml.Node) {
	p := h.profile
	at := lang.Pos{File: p.File, Line: n.Line, Column: n.Column}
	switch {
	case n.Kind != yaml.ScalarNode, n.Tag == "!!null":
		h.report(n, word+" is a word or a text, not "+shape(n), "")
	case word == "version" && n.Value != "1":
		h.report(n, "version "+n.Value+" of the language is unknown", "write version: 1")
	case word == "kind":
		h.kind = n.Value
	case word == "name":
		p.Name = n.Value
	case word == "about":
		p.About = strings.Join(strings.Fields(n.Value), " ")
	case word == "host":
		p.Host, p.hostAt = n.Value, at
	case word == "base":
		p.base, p.baseAt = n.Value, at
	}
}

func (h *header) report(n *yaml.Node, message, suggestion string) {
	h.problems = append(h.problems, lang.Problem{File: h.profile.File, Line: n.Line, Column: n.Column,
		Message: message, Suggestion: suggestion})
}

// deepest is how many groups may lie within one another. It ends a profile
// that holds itself by an alias.
const deepest = 32

// count finds the leaves, which are the mappings with a source.
func (p *Profile) count(path string, n *yaml.Node, depth int) {
	if n.Kind != yaml.MappingNode || depth > deepest {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Value == "source" && value.Kind == yaml.ScalarNode {
			p.sources[path] = value.Value
			p.Values++
			if strings.HasPrefix(value.Value, Estimate) {
				p.Estimates++
			}
			p.fitted(path, n)
			return
		}
		p.count(strings.TrimPrefix(path+"."+key.Value, "."), value, depth+1)
	}
}

// fitted notes what the leaf n was fitted on.
func (p *Profile) fitted(path string, n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != fittedOn {
			continue
		}
		for _, item := range n.Content[i+1].Content {
			p.fits = append(p.fits, Fit{path, item.Value, lang.Pos{File: p.File, Line: item.Line, Column: item.Column}})
		}
	}
}

// fittedOn is the word for the items that a value was fitted on.
const fittedOn = "fitted_on"

// Use lays a profile over the settings, behind its base; the profile of its
// host is another, laid before it. Every value must name a parameter and have
// a source.
func (s *Settings[T]) Use(p *Profile) (problems []lang.Problem) {
	if p.Base != nil {
		problems = s.Use(p.Base)
	}
	w := walk{top: s.model(), root: s.root(), origins: s.origins, where: In(p.File), profile: p.Name}
	w.run("", p.tree)
	return append(problems, w.problems...)
}

// split takes a leaf of a profile, {value: …, source: …}, apart.
func (w *walk) split(l *leaf, n *yaml.Node) (value *yaml.Node, fine bool) {
	const want = `want {value: …, source: "…"}`
	if n.Kind != yaml.MappingNode {
		w.report(l.Path, n, fmt.Sprintf("%s has no source, %s", name(l.Path), want), `write "estimate" where there is none`)
		return nil, false
	}
	source := ""
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		if seen[key.Value] {
			w.report(l.Path, key, fmt.Sprintf("%s: %s is given twice", name(l.Path), key.Value), "")
			return nil, false
		}
		seen[key.Value] = true
		switch key.Value {
		case "value":
			value = v
		case "source":
			if v.Tag != "!!null" {
				source = v.Value
			}
		case fittedOn:
			if v.Kind != yaml.SequenceNode || len(v.Content) == 0 {
				w.report(l.Path, v, fmt.Sprintf("%s: want a list of items", name(l.Path)), "such as fitted_on: [V05, V11]")
				return nil, false
			}
		default:
			w.report(l.Path, key, fmt.Sprintf("%s: unknown word %q, %s", name(l.Path), key.Value, want), "")
			return nil, false
		}
	}
	if value == nil || source == "" {
		w.report(l.Path, n, fmt.Sprintf("%s lacks its value or its source, %s", name(l.Path), want), "")
		return nil, false
	}
	return value, true
}
