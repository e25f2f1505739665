package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the sessions of README.md and the man pages as they are now")

const readme = "../../README.md"

// blocks matches the fenced blocks of one language.
func blocks(language string) *regexp.Regexp {
	return regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
}

// TestReadme runs every command that README.md shows, one after another in one
// folder that has the scenarios besides, and holds what it shows to what is
// printed but for the figures, which are the model's; -update writes them anew.
// Of the study that is the second example the short form will do: the whole is
// held by study/sweep.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	s := &site{dir: clean(t), path: tools(t, read(t)), as: func(line string) string {
		line = strings.ReplaceAll(line, "go run ./cmd/hcasim", "hcasim")
		if strings.Contains(line, "sweep run") {
			line += " --short"
		}
		return line
	}}
	text, ran := s.visit(t, read(t))
	if ran < 30 {
		t.Errorf("only %d commands were found", ran)
	}
	if *update {
		if err := os.WriteFile(readme, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// clean returns a folder with the scenarios and nothing else.
func clean(t *testing.T) string {
	t.Helper()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(repo, "scenarios"), filepath.Join(dir, "scenarios")); err != nil {
		t.Fatal(err)
	}
	return dir
}

var figures = regexp.MustCompile(`[ ]*[0-9][0-9a-f.,]*`)

// hashes are those of results, which change with any new parameter.
var hashes = regexp.MustCompile(`/[0-9a-f]{8}\b`)

// shape is a text without its figures.
func shape(text string) string {
	text = regexp.MustCompile(`(?m)^results/.*$`).ReplaceAllString(text, "results")
	return figures.ReplaceAllString(hashes.ReplaceAllString(text, "/0"), " 0")
}
