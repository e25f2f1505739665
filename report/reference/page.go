package reference

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"hcasim/scenario/lang"
)

const width = 96

// Overview is the page that names all entries.
func Overview() string {
	var b strings.Builder
	b.WriteString(`A scenario is a file of YAML: hosts with what exists before time 0, steps (ops:), and what must
come of them (expect:). hcasim help language reg_mr shows a word, with its fields and an example;
docs/language.md has all of them.

`)
	for _, c := range book {
		var names []string
		for _, e := range all() {
			if e.Chapter == c.name {
				names = append(names, e.Name)
			}
		}
		b.WriteString(c.title + "\n" + wrapped(strings.Join(names, ", "), "  "))
	}
	return b.String()
}

// Names are the words that Page knows.
func Names() (list []string) {
	for _, e := range all() {
		list = append(list, e.Name)
	}
	return list
}

// Page tells an entry by its name, or the fields that have this name.
func Page(name string) (string, error) {
	name = strings.ToLower(strings.TrimSuffix(name, ":"))
	var b strings.Builder
	fields := fieldNames()
	for _, e := range all() {
		if e.Name == name {
			e.page(&b)
			return b.String(), nil
		}
	}
	for _, e := range all() {
		for _, f := range e.Fields {
			if f.Name == name {
				b.WriteString("of " + e.Name + "\n")
				f.line(&b)
			}
		}
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("there is no word %q in the language: %s (hcasim help language)", name, lang.DidYouMean(name, append(Names(), fields...)))
	}
	return b.String(), nil
}

func fieldNames() (list []string) {
	for _, e := range all() {
		for _, f := range e.Fields {
			list = append(list, f.Name)
		}
	}
	return list
}

func (e *entry) page(b *strings.Builder) {
	for _, c := range book {
		if c.name == e.Chapter {
			fmt.Fprintf(b, "%s  (%s)\n\n", e.Name, strings.ToLower(c.title))
		}
	}
	b.WriteString(wrapped(e.Means, "  "))
	if e.Takes != "" {
		b.WriteString(wrapped("Takes "+unlinked(e.Takes)+".", "  "))
	}
	b.WriteString("\n")
	for _, f := range e.Fields {
		f.line(b)
	}
	if len(e.Fields) > 0 {
		b.WriteString("\n")
	}
	for line := range strings.Lines(e.Example + "\n") {
		b.WriteString("  " + line)
	}
	b.WriteString("\n")
}

func (f *field) line(b *strings.Builder) {
	head := fmt.Sprintf("  %-16s %s", f.Name, unlinked(f.Takes))
	if f.Required {
		head += "; required"
	}
	if f.Default != "" {
		head += "; by default " + f.Default
	}
	b.WriteString(hanging(head, "", strings.Repeat(" ", 19)))
	b.WriteString(wrapped(f.Means, strings.Repeat(" ", 19)))
}

// unlinked takes the brackets off the names of entries.
func unlinked(text string) string { return strings.NewReplacer("[", "", "]", "").Replace(text) }

// wrapped breaks a text into lines that begin with an indent.
func wrapped(text, indent string) string { return hanging(text, indent, indent) }

// hanging breaks a text into lines, the first of which has an indent of its own.
func hanging(text, first, others string) string {
	var b strings.Builder
	line, begun := first, false
	for _, word := range strings.SplitAfter(text, " ") {
		if begun && utf8.RuneCountInString(line)+utf8.RuneCountInString(strings.TrimRight(word, " ")) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = others
		}
		line, begun = line+word, true
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}
