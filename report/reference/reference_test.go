package reference

import (
	"flag"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"hcasim/docs/held"
	"hcasim/scenario/lang"
)

var update = flag.Bool("update", false, "write docs/language.md")

const document = "../../docs/language.md"

// TestDocument holds docs/language.md to the schema.
func TestDocument(t *testing.T) {
	held.Document(t, document, Markdown(), "go generate ./report/reference", *update)
}

// TestEveryDefinition: E1. What the schema defines, an entry tells, by a name of
// its own.
func TestEveryDefinition(t *testing.T) {
	l := open()
	for def := range l.root.Definitions {
		if l.entry[def] == "" {
			t.Errorf("no entry tells %s", def)
		}
	}
	seen := map[string]bool{}
	for _, e := range all() {
		if seen[e.Name] {
			t.Errorf("%s stands twice", e.Name)
		}
		seen[e.Name] = true
		if e.Means == "" || len(e.Fields) == 0 && e.Takes == "" {
			t.Errorf("%s is not told: %+v", e.Name, e)
		}
		for _, f := range e.Fields {
			if f.Takes == "" || f.Means == "" || strings.Contains(f.Takes, "[]") {
				t.Errorf("%s.%s is not told: %+v", e.Name, f.Name, f)
			}
		}
	}
}

// TestExamples: E2. The loader takes each, and each shows its word.
func TestExamples(t *testing.T) {
	texts := examples()
	known := map[string]bool{"set-up": true}
	for _, e := range all() {
		known[e.Name] = true
		if e.Example == "" {
			t.Errorf("%s has no example", e.Name)
			continue
		}
		if e.Chapter == "verbs" && !strings.Contains(e.Example, e.Name+":") {
			t.Errorf("the example of %s shows another word", e.Name)
		}
		file := whole(t, texts["set-up"], e.Example)
		_, problems := lang.Load(lang.Source{Name: e.Name, Data: file})
		for _, p := range problems {
			t.Errorf("%s: %s\n%s", e.Name, p.Error(), e.Example)
		}
	}
	for name := range texts {
		if !known[name] {
			t.Errorf("there is an example of %s, which is no entry", name)
		}
	}
}

// whole makes a file of the set-up and an example.
func whole(t *testing.T, setUp, example string) []byte {
	t.Helper()
	var doc, part map[string]any
	if err := yaml.Load([]byte(setUp), &doc); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(example, "- ") {
		return []byte(setUp + "ops:\n" + indented(example))
	}
	if err := yaml.Load([]byte(example), &part); err != nil {
		t.Fatal(err)
	}
	text := setUp
	if part["hosts"] != nil {
		text, _, _ = strings.Cut(setUp, "hosts:")
	}
	if part["ops"] == nil && part["cases"] == nil {
		example += "\nops: [{wait: 1us}]"
	}
	return []byte(text + example + "\n")
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text + "\n") {
		b.WriteString("  " + line)
	}
	return b.String()
}

// TestPage: E3. A page names what the document's table names, and a slip of a
// finger is answered with the word that was meant.
func TestPage(t *testing.T) {
	for _, e := range all() {
		page, err := Page(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(page), " ")
		for _, f := range e.Fields {
			if !strings.Contains(flat, f.Name+" "+strings.Join(strings.Fields(unlinked(f.Takes)), " ")) || !strings.Contains(flat, strings.Join(strings.Fields(f.Means), " ")) {
				t.Errorf("the page of %s does not tell %s:\n%s", e.Name, f.Name, page)
			}
		}
		for line := range strings.Lines(page) {
			if len([]rune(line)) > width+1 && !strings.Contains(line, "{") {
				t.Errorf("%s has a line of %d: %s", e.Name, len(line), line)
			}
		}
	}
	if page, err := Page("retry_cnt"); err != nil || !strings.Contains(page, "of qp\n") || !strings.Contains(page, "of modify_qp\n") {
		t.Errorf("a field is not found: %v\n%s", err, page)
	}
	if _, err := Page("wr_rdma_wirte"); err == nil || !strings.Contains(err.Error(), `did you mean "wr_rdma_write"?`) {
		t.Errorf("the answer to a slip is %v", err)
	}
	if text := Overview(); !strings.Contains(text, "wr_bind_mw") {
		t.Errorf("the overview is\n%s", text)
	}
}
