package main

import (
	"flag"
	"os"
	"os/exec"
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

// TestReadmeCommands runs every command that README.md shows, those of a block
// in one folder. Of the study that is the second example the short form will do:
// the whole is held by study/sweep.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	text := read(t)
	ran := 0
	for _, block := range blocks("sh").FindAllStringSubmatch(text, -1) {
		dir := clean(t)
		for line := range strings.Lines(block[1]) {
			ran++
			line = strings.TrimSpace(line)
			if strings.Contains(line, "sweep run") {
				line += " --short"
			}
			if out, err := session(t, dir, line); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
	if ran < 5 {
		t.Errorf("only %d commands were found", ran)
	}
}

// TestReadmeSessions holds what README.md shows to what the program prints,
// but for the figures, which are the model's. -update writes them anew.
func TestReadmeSessions(t *testing.T) {
	text := read(t)
	found := blocks("console").FindAllStringSubmatch(text, -1)
	if len(found) == 0 {
		t.Error("there is no session")
	}
	for _, block := range found {
		first, shown, _ := strings.Cut(block[1], "\n")
		command := strings.TrimPrefix(first, "$ ")
		got, err := session(t, clean(t), command)
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		if shape(got) != shape(shown) {
			t.Errorf("%s prints\n%s\nand README.md shows\n%s", command, got, shown)
		}
		text = strings.Replace(text, block[1], first+"\n"+got, 1)
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

// session runs a command of the README in a folder and returns what it writes
// to stdout.
func session(t *testing.T, dir, command string) (string, error) {
	t.Helper()
	words := strings.Fields(strings.Replace(command, "go run ./cmd/hcasim", "hcasim", 1))
	if words[0] != "hcasim" {
		t.Fatalf("%q is no command of this program", command)
	}
	c := exec.Command("hcasim", words[1:]...) // testscript.Main put this very program there
	c.Dir = dir
	out, err := c.Output()
	return string(out), err
}

var figures = regexp.MustCompile(`[ ]*[0-9][0-9a-f.,]*`)

// hashes are those of results, which change with any new parameter.
var hashes = regexp.MustCompile(`/[0-9a-f]{8}\b`)

// shape is a text without its figures.
func shape(text string) string {
	text = regexp.MustCompile(`(?m)^results/.*$`).ReplaceAllString(text, "results")
	return figures.ReplaceAllString(hashes.ReplaceAllString(text, "/0"), " 0")
}
