package explore

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutations builds the rules once more, with every mutation in them, and
// holds the search to find each one. testdata/search_mutants.go is what the
// second build runs.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tpt a second time")
	}
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	put := func(path, text string) {
		abs, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, strings.ReplaceAll(path, string(filepath.Separator), "_"))
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[abs] = to
	}
	for name, text := range mutated(t) {
		put(filepath.Join("..", name), text)
	}
	put(filepath.Join("..", "mutant.go"), "package tpt\n\n// Mutant is the mutation in force, from 1.\nvar Mutant int\n\n"+
		"func unless(it bool) uint64 {\n\tif it {\n\t\treturn 0\n\t}\n\treturn 1\n}\n")
	inner, err := os.ReadFile(filepath.Join("testdata", "search_mutants.go"))
	if err != nil {
		t.Fatal(err)
	}
	put("search_mutants_test.go", string(inner))
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-count=1", "-v", "-vet=off", "-overlay", file, "-run", "^TestSearchMutants$", ".").CombinedOutput()
	t.Log(string(out))
	if err != nil {
		t.Error(err)
	}
}

// mutated returns the files of tpt with all mutations in them, each a question
// whether it is in force.
func mutated(t *testing.T) map[string]string {
	texts := map[string]string{}
	for n, m := range mutations {
		text, read := texts[m.file]
		if !read {
			b, err := os.ReadFile(filepath.Join("..", m.file))
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		if strings.Count(text, m.old) != 1 {
			t.Errorf("%s: %q stands %d times in %s", m.what, m.old, strings.Count(text, m.old), m.file)
		}
		wrong := strings.ReplaceAll(m.new, "IT", fmt.Sprintf("(Mutant == %d)", n+1))
		texts[m.file] = strings.Replace(text, m.old, strings.ReplaceAll(wrong, "OLD", m.old), 1)
	}
	return texts
}
