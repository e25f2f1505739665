package config

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest returns the candidate that word most likely meant, or "" when none
// is near: at most one slip in three letters.
func nearest(word string, candidates []string) string {
	best, least := "", max(1, len(word)/3)+1
	if word == "" {
		return ""
	}
	for _, c := range candidates {
		if d := slips(strings.ToLower(word), c); d < least {
			best, least = c, d
		}
	}
	for _, c := range candidates { // connectx5 of connectx5-like
		if best == "" && len(word) > 3 && strings.HasPrefix(c, strings.ToLower(word)+"-") {
			best = c
		}
	}
	return best
}

// slips counts the mistakes between two words. Two letters that changed
// places are one.
func slips(word, meant string) int {
	least := levenshtein.ComputeDistance(word, meant)
	for i := 1; i < len(word) && i < 40; i++ {
		swapped := word[:i-1] + word[i:i+1] + word[i-1:i] + word[i+1:]
		least = min(least, 1+levenshtein.ComputeDistance(swapped, meant))
	}
	return least
}

// suggest says what could have been meant by an unknown member of g: a near
// name, the same name elsewhere in the tree, or the names there are.
func suggest(root, g *group, name string) string {
	names := make([]string, len(g.members))
	for i, m := range g.members {
		names[i] = m.name
	}
	see := g.see()
	if near := nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, see)
	}
	if elsewhere := root.named(name); len(elsewhere) > 0 && len(elsewhere) <= 3 {
		return fmt.Sprintf("did you mean %s?", strings.Join(elsewhere, " or "))
	}
	if len(names) > 10 {
		names = append(names[:10], "…")
	}
	return fmt.Sprintf("known here: %s %s", strings.Join(names, ", "), see)
}

// named returns the paths of the groups and leaves called name.
func (g *group) named(name string) (paths []string) {
	for _, m := range g.members {
		switch {
		case m.group != nil && m.name == name:
			paths = append(paths, m.group.path)
		case m.group != nil:
			paths = append(paths, m.group.named(name)...)
		case m.name == name:
			paths = append(paths, m.leaf.Path)
		}
	}
	return paths
}
