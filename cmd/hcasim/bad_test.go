package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hcasim/report"
	"hcasim/scenario"
)

// TestBadFiles holds what is said of each wrong file of testdata/bad to the
// letter. An archive begins with the command that its files are given to, {} in
// the place of the file, or of the folder NAME; NAME.txt is what must be
// printed. What no text can hold is written as Go strings, in NAME.quoted;
// @MODEL@ is the version of the model that the program has.
func TestBadFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	archives, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	cases := 0
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { cases += badArchive(t, a) })
		if *update {
			if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cases < 100 {
		t.Errorf("only %d wrong files", cases)
	}
}

// badArchive holds the files of one archive to their texts, and returns how
// many there are.
func badArchive(t *testing.T, a *txtar.Archive) (cases int) {
	dir := t.TempDir()
	var unpacked []string
	for _, f := range a.Files {
		name, data := f.Name, f.Data
		if base, quoted := strings.CutSuffix(name, ".quoted"); quoted {
			name, data = base, unquoted(t, f)
		}
		data = bytes.ReplaceAll(data, []byte("@MODEL@"), fmt.Append(nil, scenario.ModelVersion))
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			t.Fatal(err)
		}
		unpacked = append(unpacked, name)
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(repo, "scenarios"), filepath.Join(dir, "scenarios")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	command := strings.Fields(string(a.Comment))
	for i := range a.Files {
		f := &a.Files[i]
		name, is := strings.CutSuffix(f.Name, ".txt")
		if !is || strings.Contains(name, "/") {
			continue
		}
		cases++
		got := said(t, command, fileOf(t, name, unpacked))
		if *update {
			f.Data = got
		} else if diff := cmp.Diff(string(f.Data), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	return cases
}

// fileOf returns the file or folder that a text belongs to.
func fileOf(t *testing.T, name string, files []string) string {
	t.Helper()
	for _, f := range files {
		switch {
		case strings.HasPrefix(f, name+"/"):
			return name
		case strings.TrimSuffix(f, filepath.Ext(f)) == name && filepath.Ext(f) != ".txt":
			return f
		}
	}
	t.Fatalf("%s.txt belongs to no file", name)
	return ""
}

// said is what a command prints of a file that it must refuse.
func said(t *testing.T, command []string, file string) []byte {
	t.Helper()
	args := make([]string, len(command))
	for i, word := range command {
		args[i] = strings.ReplaceAll(word, "{}", file)
	}
	var out bytes.Buffer
	p := &program{out: &out, err: &out, shelf: report.NewShelf("test"), broken: func() error { return nil }}
	if status := p.execute(args); status == 0 {
		t.Errorf("%s is accepted", file)
	}
	return took.ReplaceAll(out.Bytes(), nil)
}

// took is a line of the wall clock.
var took = regexp.MustCompile(`(?m)^[0-9.]+ s, [0-9]+ at a time\n`)

// unquoted reads lines of Go strings, each "text" or "text" * N.
func unquoted(t *testing.T, f txtar.File) []byte {
	t.Helper()
	var b bytes.Buffer
	for line := range strings.Lines(string(f.Data)) {
		text, times, repeated := strings.Cut(strings.TrimSpace(line), `" * `)
		n := 1
		if repeated {
			text += `"`
			if _, err := fmt.Sscan(times, &n); err != nil {
				t.Fatalf("%s: %q: %v", f.Name, line, err)
			}
		}
		s, err := strconv.Unquote(text)
		if err != nil {
			t.Fatalf("%s: %q: %v", f.Name, line, err)
		}
		b.WriteString(strings.Repeat(s, n))
	}
	return b.Bytes()
}
