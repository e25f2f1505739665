package sweep

import (
	"fmt"
	"path/filepath"
	"strings"

	"hcasim/report"
)

// A Library is many studies and what came of each, in their order.
type library []*Table

// document is the studies as a file of the docs: each question, its answer and
// the command that asks it. The stamp says what it was made of.
func (l library) document(stamp string) string {
	var b strings.Builder
	fmt.Fprint(&b, "# Studies\n\n")
	fmt.Fprint(&b, "What-if questions, each a file of scenarios/studies, and the answers of the model: which way it goes, as the file\n")
	fmt.Fprint(&b, "expects it, with the values that were simulated. Made by `go generate ./study/sweep` from the full form of each; `make studies`\n")
	fmt.Fprint(&b, "holds this page to the model, and everyday tests hold the short forms to what they expect.\n\n")
	fmt.Fprintf(&b, "%s\n\n", stamp)
	points := 0
	for _, t := range l {
		fmt.Fprintf(&b, "- [%s](#%s)\n", t.Study.Question, t.Study.Name)
		points += len(t.Points)
	}
	fmt.Fprintf(&b, "\n%s, %s.\n", counted(len(l), "question"), counted(points, "point"))
	for _, t := range l {
		t.section(&b)
	}
	return b.String()
}

// section is one study.
func (t *Table) section(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n**%s** %s\n\n", t.Study.Name, t.Study.Question, strings.TrimSpace(t.Study.About))
	for i := range t.Answer {
		v := &t.Answer[i]
		fmt.Fprintf(b, "- %s %s\n", report.Style{}.Mark(v.OK), escaped.Replace(v.Text))
	}
	if n := t.failed(); n > 0 {
		fmt.Fprintf(b, "- %s %s of %s failed\n", report.Style{}.Mark(false), fmt.Sprint(n), counted(len(t.Points), "point"))
	}
	fmt.Fprintf(b, "\n%s: `hcasim sweep run scenarios/studies/%s`\n", counted(len(t.Points), "point"), filepath.Base(t.Study.Source().Name))
}

// escaped keeps Markdown from reading a product as emphasis.
var escaped = strings.NewReplacer("*", `\*`)
