package rules

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hcasim/docs/held"
)

var update = flag.Bool("update", false, "write docs/rules.md")

const document = "../docs/rules.md"

// TestDocument holds docs/rules.md to the list.
func TestDocument(t *testing.T) {
	held.Document(t, document, Markdown(), "go generate ./rules", *update)
}

// TestRules: each is one sentence with a source, under its subject, in order,
// once.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range All() {
		for _, r := range g.Rules {
			switch letters, _, _ := strings.Cut(r.ID, "-"); {
			case seen[r.ID]:
				t.Errorf("%s stands twice", r.ID)
			case letters != g.Name:
				t.Errorf("%s stands under %s", r.ID, g.Name)
			case !strings.HasSuffix(r.Text, ".") || strings.Contains(r.Text, ". ") || strings.ContainsAny(r.Text+r.Source, "|\t"):
				t.Errorf("%s is not one sentence: %s", r.ID, r.Text)
			case r.Source == "" || strings.TrimSpace(r.Source) != r.Source:
				t.Errorf("%s has no source", r.ID)
			}
			seen[r.ID] = true
		}
	}
}

// TestEveryCitation looks for ids wherever they may be cited: every one must
// be in the list (L1), and every rule in a scenario.
func TestEveryCitation(t *testing.T) {
	names := make([]string, 0, len(All()))
	for _, g := range All() {
		names = append(names, regexp.QuoteMeta(g.Name))
	}
	cited := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)-[0-9]+\b`)
	// Whatever a member rule: or a field Rule holds must look like one.
	member := regexp.MustCompile(`\b(?:rule|Rule): *"?([A-Za-z0-9.]+-[0-9]+)`)
	// In the code of the model, a text that is an id and nothing else.
	quoted := regexp.MustCompile(`"([A-Z]{2,5}-[0-9]+|[0-9]\.[0-9](?:-[0-9]+)?)"`)
	model := regexp.MustCompile(`^\.\./(tpt|mtp|host|hca)/.*\.go$`)
	shown := map[string]bool{} // by a scenario
	check := func(path, id string) {
		if strings.HasPrefix(path, filepath.Join("..", "scenarios")) {
			shown[id] = true
		}
		if _, known := Find(id); !known {
			t.Errorf("%s cites %s, which is no rule", path, id)
		}
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "bad" || strings.HasPrefix(name, ".") && name != ".." || name == "results" || name == "tools") {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); d.IsDir() || ext != ".go" && ext != ".yaml" && ext != ".md" && ext != ".txtar" || strings.HasPrefix(path, filepath.Join("..", "rules")) {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := test.ReplaceAllString(string(b), "")
		for _, id := range cited.FindAllString(text, -1) {
			check(path, id)
		}
		for _, m := range member.FindAllStringSubmatch(text, -1) {
			check(path, m[1])
		}
		if model.MatchString(filepath.ToSlash(path)) && !strings.HasSuffix(path, "_test.go") {
			for _, m := range quoted.FindAllStringSubmatch(text, -1) {
				check(path, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range IDs() {
		if id[0] <= '9' { // a step of a list, whose rule has a name of its own
			continue
		}
		if why := notShown[id]; shown[id] == (why != "") {
			t.Errorf("%s is shown by a scenario: %v, but %q", id, shown[id], why)
		}
	}
}

// notShown are the rules that no scenario can show, and why.
var notShown = map[string]string{
	"KEY-16": "no privileged consumer is modelled, and so no reserved key",
	"ACC-15": "no memory of another device is modelled",
	"ACC-16": "no region of all addresses is modelled",
}

// test matches the ids of cases that look like a rule's: TKEY-01 is none.
var test = regexp.MustCompile(`\bT[A-Z0-9]+-[0-9]+\b`)

func TestFind(t *testing.T) {
	if r, found := Find("mw-9"); !found || r.ID != "MW-9" {
		t.Errorf("mw-9 is %v", r)
	}
	if _, found := Find("MW-" + "99"); found {
		t.Error("an unknown rule is found")
	}
	if g, found := InGroup("mw"); !found || len(g.Rules) < 10 {
		t.Errorf("mw is %v", g)
	}
}
