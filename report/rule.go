package report

import (
	"fmt"
	"strings"

	"hcasim/rules"
)

// RuleGroups lists the subjects of the rules, for the help.
func RuleGroups() string {
	var b strings.Builder
	for _, g := range rules.All() {
		fmt.Fprintf(&b, "  %-6s %3d  %s\n", g.Name, len(g.Rules), g.Title)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Rule tells a rule by its id, or all rules of a subject by its letters.
func Rule(name string) (string, error) {
	if r, found := rules.Find(name); found {
		return fmt.Sprintf("%s  %s\n\nsource: %s\n", r.ID, r.Text, r.Source), nil
	}
	g, found := rules.InGroup(name)
	if !found {
		letters, _, _ := strings.Cut(name, "-")
		more := "hcasim help rule"
		if _, found := rules.InGroup(letters); found {
			more += " " + strings.ToUpper(letters)
		}
		return "", fmt.Errorf("there is no rule %q (%s)", name, more)
	}
	var b strings.Builder
	b.WriteString(g.Title + "\n\n")
	for _, r := range g.Rules {
		fmt.Fprintf(&b, "  %-8s %s\n", r.ID, r.Text)
	}
	return b.String(), nil
}
