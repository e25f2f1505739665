package reference

import (
	"fmt"
	"regexp"
	"strings"
)

var entryLink = regexp.MustCompile(`\[([a-z_]+)\]`)

// Markdown returns docs/language.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# The language of the scenarios

Generated from the schema by ` + "`go generate ./report/reference`" + `; ` + "`hcasim help language WORD`" + ` shows an entry in the
terminal, and ` + "`hcasim schema`" + ` writes the JSON Schema, with which an editor completes and explains the same words.

A size takes a unit (64B, 4KiB, 2MiB), or is in bytes without one where the table says just *size*. A time needs one (ps,
ns, us, ms, s). A field in **bold** is required. Where a list is taken, one alone may stand for a list of one.

All examples are steps or parts of this file; a test has the loader take each.

` + fence(examples()["set-up"]))
	for _, c := range book {
		fmt.Fprintf(&b, "\n- [%s](#%s): ", c.title, anchor(c.title))
		var names []string
		for _, e := range all() {
			if e.Chapter == c.name {
				names = append(names, fmt.Sprintf("[%s](#%s)", e.Name, anchorOf(e.Name)))
			}
		}
		b.WriteString(strings.Join(names, ", "))
	}
	b.WriteString("\n")
	for _, c := range book {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.title, c.about)
		for _, e := range all() {
			if e.Chapter == c.name {
				e.markdown(&b)
			}
		}
	}
	return b.String()
}

func (e *entry) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n<a id=%q></a>\n\n### `%s`\n\n%s\n", anchorOf(e.Name), e.Name, e.Means)
	if e.Takes != "" && e.Takes != "["+e.Like+"]" {
		fmt.Fprintf(b, "\nTakes %s.\n", linked(e.Takes))
	}
	if e.Like != "" {
		fmt.Fprintf(b, "\nIts fields are those of %s%s.\n", linked("["+e.Like+"]"), e.without())
	} else if len(e.Fields) > 0 {
		b.WriteString("\n| field | takes | default | meaning |\n|:--|:--|:--|:--|\n")
		for _, f := range e.Fields {
			name := "`" + f.Name + "`"
			if f.Required {
				name = "**" + name + "**"
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", name, linked(cell(f.Takes)), cell(f.Default), cell(f.Means))
		}
	}
	b.WriteString("\n" + fence(e.Example))
}

// without names the fields of the like that it does not have.
func (e *entry) without() string {
	if len(e.Less) == 0 {
		return ""
	}
	last := len(e.Less) - 1
	if last == 0 {
		return " without `" + e.Less[0] + "`"
	}
	return " without `" + strings.Join(e.Less[:last], "`, `") + "` and `" + e.Less[last] + "`"
}

// anchorOf is unlike any that is made of a title.
func anchorOf(name string) string { return "w-" + name }

func anchor(title string) string { return strings.ReplaceAll(strings.ToLower(title), " ", "-") }

func linked(text string) string {
	return entryLink.ReplaceAllStringFunc(text, func(w string) string {
		name := strings.Trim(w, "[]")
		return fmt.Sprintf("[%s](#%s)", name, anchorOf(name))
	})
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func fence(text string) string { return "```yaml\n" + strings.TrimRight(text, "\n") + "\n```\n" }
