package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"hcasim/scenario/lang"
)

// newGithubSheet is text for the log of a GitHub action in which what is wrong
// is said by workflow commands: GitHub shows them at their lines in a pull
// request. The sum is plain.
func newGithubSheet(w io.Writer, flags []string, workspace string) *textSheet {
	s := newTextSheet(w, Style{}, flags)
	s.failed = func(b *bytes.Buffer, t *Tested) {
		for _, o := range t.outcomes(flags) {
			for i := range o.complaints {
				annotate(b, &o, &o.complaints[i], workspace)
			}
		}
	}
	return s
}

// annotate writes one command.
func annotate(b *bytes.Buffer, o *outcome, c *complaint, workspace string) {
	var properties []string
	say := func(name, value string) { properties = append(properties, name+"="+githubProperty(value)) }
	lines := []string{c.title}
	if strings.HasPrefix(c.at.File, "--") { // a flag
		lines[0] = c.at.File + ": " + c.title
	} else {
		say("file", fromWorkspace(c.at, workspace))
		if c.at.Line > 0 {
			say("line", fmt.Sprint(c.at.Line))
		}
		if c.at.Line > 0 && c.at.Column > 0 {
			say("col", fmt.Sprint(c.at.Column))
		}
	}
	say("title", o.name)
	if c.note != "" {
		lines = append(lines, c.note)
	}
	lines = append(lines, o.more...)
	fmt.Fprintf(b, "::error %s::%s\n", strings.Join(properties, ","), githubText(strings.Join(lines, "\n")))
}

// fromWorkspace is the name of a file as the repository has it.
func fromWorkspace(p lang.Pos, workspace string) string {
	if workspace != "" {
		if path, err := filepath.Abs(p.File); err == nil {
			if rel, err := filepath.Rel(workspace, path); err == nil && !strings.HasPrefix(rel, "..") {
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(p.File))
}

// githubText escapes the message of a workflow command.
func githubText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubProperty escapes a property of one.
func githubProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
