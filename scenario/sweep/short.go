package sweep

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// short lays the short form over a study. A short axis that says its values
// anew takes the place of how they were said before.
func (r *reader) short(root *yaml.Node) *yaml.Node {
	short := lang.Member(root, "short")
	if short == nil {
		return root
	}
	r.Decode(short, &shortDoc{})
	if short.Kind != yaml.MappingNode {
		return root
	}
	draft := lang.NewDraft(root, "")
	draft.Lay(lang.Without(root, "short", "expect"))
	if expect := lang.Member(root, "expect"); expect != nil && lang.Member(short, "expect") == nil {
		draft.Set(expect, "expect", expect)
	}
	over := lang.Without(short, "axes", "points")
	if axes := lang.Member(short, "axes"); axes != nil {
		r.shortAxes(draft, lang.Member(root, "axes"), axes)
	}
	draft.Lay(over)
	if points := lang.Member(short, "points"); points != nil {
		draft.Set(points, "points", points)
	}
	return draft.Tree()
}

// shortAxes lays the axes of the short form over those there are.
func (r *reader) shortAxes(draft *lang.Draft, axes, short *yaml.Node) {
	if short.Kind != yaml.MappingNode || axes == nil || axes.Kind != yaml.MappingNode {
		r.Report(short, "axes: takes a mapping from names to axes", "")
		return
	}
	whole := lang.Member(draft.Tree(), "axes")
	for i := 0; i+1 < len(short.Content); i += 2 {
		key, value := short.Content[i], short.Content[i+1]
		was := lang.Member(axes, key.Value)
		if was == nil {
			r.Report(key, fmt.Sprintf("the study has no axis %q", key.Value), lang.DidYouMean(key.Value, keys(axes)))
			continue
		}
		if was.Kind != yaml.MappingNode || value.Kind != yaml.MappingNode {
			continue // of the first, the study is told; the second takes its place
		}
		one := lang.Without(was, replaced(value)...)
		for k := 0; k+1 < len(value.Content); k += 2 {
			word, to := value.Content[k], value.Content[k+1]
			if values := lang.Member(was, "values"); word.Value == "values" && values != nil && values.Kind == yaml.MappingNode && to.Kind == yaml.SequenceNode {
				to = r.selected(values, to)
			}
			if at := slices.Index(keys(one), word.Value); at >= 0 {
				one.Content[2*at+1] = to
				continue
			}
			one.Content = append(one.Content, word, to)
		}
		whole.Content[2*slices.Index(keys(whole), key.Value)+1] = one
	}
}

// replaced are the members of an axis that a short one takes the place of.
func replaced(short *yaml.Node) (words []string) {
	for _, word := range keys(short) {
		switch word {
		case "values":
			words = append(words, "from", "to", "step", "times", "values")
		case "from", "to", "step", "times":
			words = append(words, "values")
		}
		switch word {
		case "step", "times":
			words = append(words, "step", "times")
		}
	}
	return words
}

// selected are some of the named values of an axis.
func (r *reader) selected(values, names *yaml.Node) *yaml.Node {
	c := *values
	c.Content = nil
	for _, n := range names.Content {
		at := slices.Index(keys(values), n.Value)
		if at < 0 {
			r.Report(n, fmt.Sprintf("the axis has no value %q", n.Value), lang.DidYouMean(n.Value, keys(values)))
			continue
		}
		c.Content = append(c.Content, values.Content[2*at], values.Content[2*at+1])
	}
	return &c
}

// keys are the words of a mapping.
func keys(n *yaml.Node) (words []string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		words = append(words, n.Content[i].Value)
	}
	return words
}
