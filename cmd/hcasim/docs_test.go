package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tried are the documents whose files are written and whose commands are run,
// in the order in which they stand, each document in a clean folder of its own:
//
//	```yaml                            a file, by the last `NAME.EXT` above; or its first line is # NAME
//	```sh                              commands, each of which ends with status 0
//	```console                         $ COMMAND, and what it prints
//
// What is shown is held to what is printed but for the figures, which are the
// model's; … stands for what was left out, as a line for any lines. A command
// whose program is not on this machine is skipped. -update writes the figures
// anew, and the whole output in the place of a lone ?.
var tried = []string{"tutorial-protection.md", "tutorial-see.md", "tutorial-architect.md", "extending.md"}

// TestDocs writes the files and runs the commands of the documents.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	for _, name := range tried {
		t.Run(strings.TrimSuffix(name, ".md"), func(t *testing.T) {
			t.Parallel()
			s := &site{dir: t.TempDir(), path: tools(t, docs(t, name))}
			s.must(t, "git init -q .")
			text, ran := s.visit(t, docs(t, name))
			if ran < 4 {
				t.Errorf("only %d commands were found", ran)
			}
			if *update {
				if err := os.WriteFile(filepath.Join("..", "..", "docs", name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// tools makes what documents run besides hcasim, and returns the folder.
func tools(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if regexp.MustCompile(`(?m)^(\$ )?hcasim-plot`).MatchString(text) {
		if out, err := exec.Command("go", "build", "-o", dir, "hcasim/cmd/hcasim-plot").CombinedOutput(); err != nil {
			t.Fatalf("hcasim-plot: %v\n%s", err, out)
		}
	}
	return dir
}

var (
	fenced    = regexp.MustCompile("(?m)((?:^.+\n)*\n*)^```(yaml|sh|console)\n((?s:.*?))^```$")
	nameAbove = regexp.MustCompile("`(\\S+\\.\\w+)`")
	prompt    = regexp.MustCompile(`(?m)^\$ `)
)

// visit goes through a document, and returns it as it would be now.
func (s *site) visit(t *testing.T, text string) (now string, ran int) {
	t.Helper()
	now = fenced.ReplaceAllStringFunc(text, func(whole string) string {
		m := fenced.FindStringSubmatch(whole)
		switch above, body := m[1], m[3]; m[2] {
		case "yaml":
			name := named.FindStringSubmatch(body)
			if all := nameAbove.FindAllStringSubmatch(above, -1); name == nil && all != nil {
				name = all[len(all)-1]
			}
			if name == nil {
				t.Fatalf("a file without a name:\n%s", body)
			}
			s.write(t, name[1], body)
		case "sh":
			for line := range strings.Lines(body) {
				if line = strings.TrimSpace(line); s.can(line) {
					s.must(t, line)
				}
				ran++
			}
		case "console":
			for _, one := range prompt.Split(body, -1)[1:] {
				ran++
				command, shown, _ := strings.Cut(one, "\n")
				if !s.can(command) {
					continue
				}
				printed := s.prints(t, command)
				fits, fresh := held(shown, printed)
				if !fits && strings.TrimSpace(shown) != "?" {
					t.Errorf("%s prints\n%s\nand what is shown is\n%s", command, printed, shown)
				} else {
					whole = strings.Replace(whole, "$ "+one, "$ "+command+"\n"+fresh, 1)
				}
			}
		}
		return whole
	})
	return now, ran
}

// can reports whether the program of a command is here.
func (s *site) can(command string) bool {
	word, _, _ := strings.Cut(command, " ")
	if word == "hcasim" || word == "hcasim-plot" {
		return true
	}
	_, err := exec.LookPath(word)
	return err == nil
}

// prints returns what a command writes to stdout; its status is not asked, for
// documents show failures too, and say so.
func (s *site) prints(t *testing.T, command string) string {
	t.Helper()
	c := s.command(command)
	c.Stderr = nil
	out, err := c.Output()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatalf("%s: %v", command, err)
	}
	return string(out)
}

// held reports whether the lines shown are those printed, and returns them with
// the figures of today. A lone ? stands for what is not known yet.
func held(shown, printed string) (fits bool, fresh string) {
	if strings.TrimSpace(shown) == "?" {
		return true, printed
	}
	var b strings.Builder
	got := strings.SplitAfter(printed, "\n")
	got = got[:len(got)-1]
	skipping := false
	for line := range strings.Lines(shown) {
		if strings.TrimSpace(line) == "…" {
			skipping = true
			b.WriteString(line)
			continue
		}
		at := 0
		for at < len(got) && skipping && !alike(line, got[at]) {
			at++
		}
		if at == len(got) || !alike(line, got[at]) {
			if strings.TrimSpace(line) == "" && len(got) == 0 { // the line between two commands
				b.WriteString(line)
				continue
			}
			return false, shown
		}
		b.WriteString(renewed(line, got[at]))
		got, skipping = got[at+1:], false
	}
	return skipping || len(strings.TrimSpace(strings.Join(got, ""))) == 0, b.String()
}

// alike compares two lines without their figures; … in the first is any text.
func alike(line, got string) bool {
	parts := strings.Split(shape(strings.TrimRight(line, " \n")), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`^` + strings.Join(parts, ".*") + `$`).MatchString(shape(strings.TrimRight(got, " \n")))
}

// renewed is the line as it is printed, cut where it was.
func renewed(line, got string) string {
	if strings.Contains(line, "…") {
		return line
	}
	return got
}

// TestHeld: what is shown may leave lines out where it says so, and may differ in
// figures only.
func TestHeld(t *testing.T) {
	const printed = "a 1 us\nb\nc 22\n\nd results\n"
	for shown, fits := range map[string]bool{
		"a 1 us\nb\nc 22\n\nd results\n":  true,
		"a 9.5 us\nb\nc 1\n\nd results\n": true,
		"a 1 us\n…\nd results\n":          true,
		"…\nd …\n":                        true,
		"a 1 us\n…\n":                     true,
		"a 1 ms\n…\n":                     false,
		"a 1 us\n":                        false,
		"a 1 us\n…\nc\nd results\n":       false,
		"a 1 us\nc 22\n\nd results\n":     false,
	} {
		if got, fresh := held(shown, printed); got != fits {
			t.Errorf("%q is held to be %v, and becomes %q", shown, got, fresh)
		}
	}
	if _, fresh := held("a 9 us\n…\nd …\n", printed); fresh != "a 1 us\n…\nd …\n" {
		t.Errorf("the figures are not renewed: %q", fresh)
	}
}
