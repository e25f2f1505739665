package main

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// A site is a clean folder of a user's own, in which the files and commands of a
// document are tried.
type site struct {
	dir  string
	path string                      // a folder with programs besides hcasim, "" for none
	as   func(command string) string // what is run for a command; nil: itself
}

var named = regexp.MustCompile(`^# (\S+\.yaml)\n`)

func newSite(t *testing.T, text string) *site {
	t.Helper()
	s := &site{dir: t.TempDir()}
	for _, block := range blocks("yaml").FindAllStringSubmatch(text, -1) {
		m := named.FindStringSubmatch(block[1])
		if m == nil {
			t.Fatalf("a file without a name:\n%s", block[1])
		}
		s.write(t, m[1], block[1])
		wellFormed(t, m[1], block[1])
	}
	return s
}

func (s *site) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

func (s *site) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sh runs a script as CI does: it ends at the first command that fails.
func (s *site) sh(t *testing.T, script string, env ...string) (out string, err error) {
	t.Helper()
	text, err := s.command(script, env...).CombinedOutput()
	return string(text), err
}

func (s *site) command(script string, env ...string) *exec.Cmd {
	if s.as != nil {
		script = s.as(script)
	}
	c := exec.Command("sh", "-ec", script)
	c.Dir, c.Env = s.dir, append(os.Environ(), env...)
	if s.path != "" {
		c.Env = append(c.Env, "PATH="+s.path+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	return c
}

func (s *site) must(t *testing.T, script string, env ...string) string {
	t.Helper()
	out, err := s.sh(t, script, env...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

func wellFormed(t *testing.T, name, text string) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := yaml.Load([]byte(text), &doc); err != nil || len(doc) == 0 {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

func docs(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCIDocs: what TestDocs runs of docs/ci.md leaves what it says, and its hook
// and its Makefile hold.
func TestCIDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	text := docs(t, "ci.md")
	s := &site{dir: t.TempDir()}
	s.must(t, "git init -q .")
	if _, ran := s.visit(t, text); ran < 14 {
		t.Errorf("only %d commands were found", ran)
	}
	for _, want := range []string{"sim/write.golden.yaml", "junit.xml", "test.json", "compare.md", "baseline/write/summary.json"} {
		if _, err := os.Stat(filepath.Join(s.dir, want)); err != nil {
			t.Error(err)
		}
	}
	s.must(t, "./.git/hooks/pre-commit")
	if _, err := exec.LookPath("make"); err == nil {
		s.write(t, "Makefile", blocks("make").FindStringSubmatch(text)[1])
		s.must(t, "make sim")
	}
	s.write(t, "sim/broken.yaml", strings.Replace(s.read(t, "sim/write.yaml"), "SUCCESS", "REM_OP_ERR", 1))
	if out, err := s.sh(t, "./.git/hooks/pre-commit"); err == nil {
		t.Errorf("the hook lets a failure through:\n%s", out)
	}
}

// A step is one of a GitHub job.
type ciStep struct{ name, run string }

// githubSteps are those of docs/ci/github.yml that run something.
func githubSteps(t *testing.T) (steps []ciStep) {
	t.Helper()
	doc := wellFormed(t, "github.yml", docs(t, "ci/github.yml"))
	job := doc["jobs"].(map[string]any)["test"].(map[string]any)
	for _, x := range job["steps"].([]any) {
		step := x.(map[string]any)
		run, runs := step["run"].(string)
		uses, _ := step["uses"].(string)
		name, _ := step["name"].(string)
		if runs == (uses != "") {
			t.Errorf("step %q wants one of run and uses", name)
		}
		if runs {
			steps = append(steps, ciStep{name, run})
		}
	}
	return steps
}

// gh stands for GitHub's own command: it has a baseline, and keeps the comment.
const gh = `#!/bin/sh
case "$1 $2" in
"run list") echo 17 ;;
"run download") cp -r main-results/. baseline/ ;;
"pr comment") cp "$5" comment.md ;;
*) exit 9 ;;
esac
`

// TestGithubWorkflow runs the steps of the workflow, of main and then of a
// pull request that makes a figure worse.
func TestGithubWorkflow(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	s := newSite(t, docs(t, "ci.md"))
	s.write(t, "bin/gh", gh)
	env := []string{"PATH=" + filepath.Join(s.dir, "bin") + ":" + os.Getenv("PATH"), "GITHUB_WORKSPACE=" + s.dir,
		"GITHUB_STEP_SUMMARY=" + filepath.Join(s.dir, "summary.md"), "GITHUB_BASE_REF=main", "PULL_REQUEST=5"}
	steps := map[string]string{}
	for _, step := range githubSteps(t) {
		steps[step.name] = step.run
	}
	if steps["install"] != "go install ./cmd/hcasim" || len(steps) != 4 {
		t.Errorf("the steps are %v", steps)
	}
	s.must(t, "hcasim test sim --library sim --update")
	s.must(t, steps["test"], env...)
	s.must(t, "mv results-new main-results")

	s.must(t, steps["test"], env...)
	s.must(t, steps["fetch the baseline"], env...)
	s.must(t, steps["compare"], env...)
	if text := s.read(t, "comment.md"); !strings.Contains(text, "**✓ ") {
		t.Errorf("of the same results the comment is\n%s", text)
	}

	s.write(t, "sim/profiles/small.yaml", strings.Replace(s.read(t, "sim/profiles/small.yaml"), "hca: {", "wire: {length: {value: 500, source: x}}\nhca: {", 1))
	out, err := s.sh(t, steps["test"], env...)
	if err == nil || !strings.Contains(out, "::error file=sim/write.golden.yaml,line=") {
		t.Errorf("a figure that moved is no annotation: %v\n%s", err, out)
	}
	out, err = s.sh(t, steps["compare"], env...)
	if err == nil || !strings.Contains(s.read(t, "comment.md"), "| write.p50") || !strings.Contains(s.read(t, "summary.md"), "write.p50") {
		t.Errorf("what is worse is no comment: %v\n%s\n%s", err, out, s.read(t, "comment.md"))
	}
	var junit struct {
		Failures int `xml:"failures,attr"`
		Tests    int `xml:"tests,attr"`
	}
	if err := xml.Unmarshal([]byte(s.read(t, "junit.xml")), &junit); err != nil || junit.Failures != 1 {
		t.Errorf("the report is %+v, %v", junit, err)
	}
}

// TestGitlab: the snippet is well formed, and its commands of hcasim run.
func TestGitlab(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	doc := wellFormed(t, "gitlab.yml", docs(t, "ci/gitlab.yml"))
	s := newSite(t, docs(t, "ci.md"))
	s.must(t, "hcasim test sim --library sim --update")
	job := doc["hcasim"].(map[string]any)
	reports := job["artifacts"].(map[string]any)["reports"].(map[string]any)
	for _, name := range []string{"hcasim", "hcasim-compare"} {
		for _, line := range doc[name].(map[string]any)["script"].([]any) {
			if strings.HasPrefix(line.(string), "hcasim ") {
				s.must(t, line.(string))
			}
		}
		s.must(t, "mkdir -p baseline && cp -r results-new baseline/")
	}
	s.read(t, reports["junit"].(string))
}
