package rules

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed rules.txt
var text string

// A Rule is one of them.
type Rule struct {
	ID     string // such as MW-9
	Text   string // a sentence
	Source string // where the public can read it
}

// A Group is the rules of one subject.
type Group struct {
	Name  string // the letters that their ids begin with
	Title string
	Rules []Rule
}

// groups are the rules in the order of the file.
var groups = parse(text)

// All returns all rules by subject, in their order.
func All() []Group { return groups }

// parse reads the file. A line that is no rule is our mistake.
func parse(text string) (list []Group) {
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if head, is := strings.CutPrefix(line, "# "); is {
			name, title, _ := strings.Cut(head, " ")
			list = append(list, Group{Name: name, Title: title})
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 || len(list) == 0 {
			panic(fmt.Sprintf("rules: line %d of rules.txt is no rule", n+1))
		}
		g := &list[len(list)-1]
		g.Rules = append(g.Rules, Rule{parts[0], parts[1], parts[2]})
	}
	return list
}

// IDs returns the ids of all rules.
func IDs() []string { return ids }

var ids = func() (list []string) {
	for _, g := range groups {
		for _, r := range g.Rules {
			list = append(list, r.ID)
		}
	}
	return list
}()

// Find returns the rule with an id, however its letters are written.
func Find(id string) (Rule, bool) {
	for _, g := range groups {
		for _, r := range g.Rules {
			if strings.EqualFold(r.ID, id) {
				return r, true
			}
		}
	}
	return Rule{}, false
}

// InGroup returns the rules whose ids begin with some letters.
func InGroup(name string) (Group, bool) {
	for _, g := range groups {
		if strings.EqualFold(g.Name, name) {
			return g, true
		}
	}
	return Group{}, false
}

// Markdown returns the list as a document.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Rules\n\n" +
		"What hcasim refuses, it refuses by one of these rules, and says which. `hcasim help rule MW-9`\n" +
		"shows one, `hcasim help rule MW` those of a subject. *IBA* is the InfiniBand Architecture Specification, volume 1; a name\n" +
		"with (3) is a manual page of rdma-core; *rdma-unit-test* is Google's suite for adapters, *pib* a\n" +
		"software adapter written against the specification. Where sources leave a choice, or differ, a `variant` says which is taken.\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | says | source |\n|---|---|---|\n", g.Title)
		for _, r := range g.Rules {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.ID, r.Text, r.Source)
		}
	}
	return b.String()
}
