package causes

import (
	"fmt"
	"strings"
)

// Names returns the names of all causes.
func Names() (names []string) {
	for i := range list {
		names = append(names, list[i].Name)
	}
	return names
}

// Overview lists the causes, for the help.
func Overview() string {
	var b strings.Builder
	b.WriteString("A request that is refused, or that fails, has one of these causes. hcasim help faults\n" +
		"CAUSE tells how it arises and how to mend it; docs/faults.md has them all; and\n" +
		"hcasim explain RESULT OP tells the story of one request.\n\n")
	for i := range list {
		fmt.Fprintf(&b, "  %-18s %s\n", list[i].Name, list[i].Means)
	}
	b.WriteString("\nThe first eight are of keys, and the first that applies is the one: a scenario asks for it with\n" +
		"expect: {fault: {at: HOST, cause: CAUSE}}. Requester and peer do not see which it was.")
	return b.String()
}

// Page tells one cause.
func Page(c *Cause) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", c.Name, c.Means)
	part := func(head string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n%s\n", head)
		}
		for _, l := range lines {
			fmt.Fprintf(&b, "  - %s\n", l)
		}
	}
	part("How it arises", c.Arises)
	part("What to change", c.Mend)
	part("What the program sees", c.seen())
	part("Rules (hcasim help rule ID)", c.rules())
	return b.String()
}

// seen puts the sights into words.
func (c *Cause) seen() (lines []string) {
	for _, s := range c.Seen {
		line := s.When + ": " + s.Status
		if s.Vendor != "" {
			line += " (ConnectX-6: vendor_err " + s.Vendor + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// rules lists the rules, with what to change for each where that is said.
func (c *Cause) rules() (lines []string) {
	for _, r := range c.Rules {
		if m := mends[r]; m != "" {
			r += ": " + m
		}
		lines = append(lines, r)
	}
	return lines
}

// Markdown returns the list as a document.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Faults\n\nWhy a request is refused or fails, how that arises and how to mend it. `hcasim help faults CAUSE` shows\n" +
		"one, `hcasim explain RESULT OP` the story of one request. The first eight are causes of keys, in the order in which an\n" +
		"adapter asks; the first that applies is the one, and neither side is told which it was: that is why hcasim says it.\n" +
		"Rules are in [rules.md](rules.md). `vendor_err` are as measured by\n" + measured + ".\n")
	for i := range list {
		c := &list[i]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.Name, c.Means)
		for _, part := range []struct {
			head  string
			lines []string
		}{{"How it arises", c.Arises}, {"What to change", c.Mend}, {"What the program sees", c.seen()}, {"Rules", c.rules()}} {
			if len(part.lines) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n%s:\n\n", part.head)
			for _, l := range part.lines {
				fmt.Fprintf(&b, "- %s\n", l)
			}
		}
	}
	return b.String()
}
