package starter

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hcasim/scenarios"
)

// TestTemplates: the list is that of the folders, and whatever a template
// writes under another name says nothing of its own any more.
func TestTemplates(t *testing.T) {
	folders, err := fs.ReadDir(scenarios.Templates, "templates")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range folders {
		names = append(names, f.Name())
	}
	if own := slices.Sorted(slices.Values(Names())); !slices.Equal(own, names) {
		t.Errorf("the templates are %q, their folders %q", own, names)
	}
	for _, x := range Templates {
		dir := t.TempDir()
		w, err := Write(Request{Template: x, Target: filepath.Join(dir, "other")})
		if err != nil || len(w.Next) != 2 || len(w.Files) < 2 {
			t.Fatalf("%s: %+v, %v", x.Name, w, err)
		}
		for _, name := range w.Files {
			text, err := os.ReadFile(name)
			if err != nil || strings.Contains(name+string(text), "my-"+x.Name) {
				t.Errorf("%s: %v, or it says my-%s", name, err, x.Name)
			}
			if at, rest, found := strings.Cut(string(text), "$schema="); found && strings.HasPrefix(at, "# ") {
				schema, _, _ := strings.Cut(rest, "\n")
				if _, err := os.Stat(filepath.Join(filepath.Dir(name), schema)); err != nil {
					t.Errorf("%s: an editor finds no schema: %v", name, err)
				}
			}
		}
	}
}

// TestInTheWay: where one file is in the way, none is written.
func TestInTheWay(t *testing.T) {
	dir := t.TempDir()
	x, _ := Named("sweep")
	mine := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Write(Request{Template: x, Target: filepath.Join(dir, "a")})
	if err == nil || !strings.HasPrefix(err.Error(), mine+" is there already") {
		t.Errorf("the error is %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("written beside it: %v", left)
	}
	if _, err := Write(Request{Template: x, Target: filepath.Join(dir, "a"), Force: true}); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(mine); string(text) == "mine" {
		t.Error("--force wrote nothing")
	}
}

// TestWorkflow: the workflow is that of docs/ci.md, for scenarios/.
func TestWorkflow(t *testing.T) {
	text := workflow()
	if strings.Contains(text, " sim/") || strings.Contains(text, "test sim") || !strings.Contains(text, "hcasim test scenarios --library scenarios --format github") {
		t.Errorf("it is of another folder:\n%s", text)
	}
}

// TestCommands: they can be pasted into a shell.
func TestCommands(t *testing.T) {
	for _, c := range []struct{ text, name, folder, want string }{
		{"hcasim run FOLDER/NAME.yaml", "a", ".", "hcasim run a.yaml"},
		{"hcasim run FOLDER/NAME.yaml", "a", "b c", "hcasim run 'b c/a.yaml'"},
		{"cd FOLDER && hcasim test scenarios", "a", ".", "hcasim test scenarios"},
		{"cd FOLDER && hcasim test scenarios", "a", "b$", "cd 'b$' && hcasim test scenarios"},
		{"hcasim run FOLDER/NAME.yaml --library FOLDER --profile NAME", "a", "x", "hcasim run x/a.yaml --library x --profile a"},
	} {
		if got := command(c.text, c.name, c.folder); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
