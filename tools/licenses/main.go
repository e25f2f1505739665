// Licenses writes which modules the programs link, which the tests add, and
// under which licence each is, as docs/licenses.md:
//
//	go -C tools run ./licenses [-check]
//
// A module without a licence, or under one that asks more of users than to be
// named, is an error.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// permitted are the licences that ask for their text to go along and for no
// more. Of two that a module offers, one will do.
var permitted = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "OFL-1.1", "FTL", "Zlib", "Unlicense"}

// inTests are permitted besides where nothing of it reaches users.
var inTests = []string{"MPL-2.0"}

// within are works that stand in our own folders: what, its licence's file.
var within = [][2]string{{"uPlot", "report/page/assets/uPlot.LICENSE"}}

const page = "docs/licenses.md"

const head = `# Licences

hcasim links these modules, or carries them as data; ` + "`go -C tools run ./licenses`" + ` writes this list, and CI holds it
to go.mod and to the texts that come with each module.

`

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare with "+page+" and write nothing")
	flag.Parse()
	if err := os.Chdir(".."); err != nil {
		log.Fatal(err)
	}
	linked := modules("./cmd/...")
	text := bytes.NewBufferString(head)
	table(text, "In the programs", linked, permitted)
	var extra [][2]string
	for _, m := range modules("-test", "./...") {
		if !slices.Contains(linked, m) {
			extra = append(extra, m)
		}
	}
	table(text, "In tests only", extra, append(inTests, permitted...))
	old, err := os.ReadFile(page)
	switch {
	case !*check:
		err = os.WriteFile(page, text.Bytes(), 0o644)
	case err == nil && !bytes.Equal(old, text.Bytes()):
		err = fmt.Errorf("%s is not what go.mod says: go -C tools run ./licenses", page)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// modules are the modules that packages need, but ours, as name with version
// and folder.
func modules(packages ...string) (all [][2]string) {
	args := append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"}, packages...)
	list := exec.Command("go", args...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			all = append(all, [2]string{name, dir})
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return slices.Compact(all)
}

func table(w *bytes.Buffer, title string, all [][2]string, may []string) {
	fmt.Fprintf(w, "## %s\n\n| module | version | licence |\n|---|---|---|\n", title)
	for _, m := range all {
		path, version, _ := strings.Cut(m[0], " ")
		fmt.Fprintf(w, "| %s | %s | %s |\n", path, version, licence(path, texts(m[1]), may))
	}
	if title == "In the programs" {
		for _, it := range within {
			fmt.Fprintf(w, "| %s | %s | %s |\n", it[0], "in "+filepath.Dir(it[1]), licence(it[0], []string{it[1]}, may))
		}
	}
	fmt.Fprintln(w)
}

// texts are the files of a module, and of its folder of that name, that are
// called licences.
func texts(dir string) (files []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		switch {
		case e.IsDir() && name == "licenses":
			more, _ := filepath.Glob(filepath.Join(dir, e.Name(), "*"))
			files = append(files, more...)
		case !e.IsDir() && (strings.HasPrefix(name, "licen") || strings.HasPrefix(name, "copying")):
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

// licence names what the files of a module say, one of which must be permitted.
func licence(module string, files, may []string) string {
	var found []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		for _, m := range licensecheck.Scan(text).Match {
			if !slices.Contains(found, m.ID) {
				found = append(found, m.ID)
			}
		}
	}
	slices.Sort(found)
	if !slices.ContainsFunc(found, func(id string) bool { return slices.Contains(may, id) }) {
		log.Fatalf("%s: its licence is %q, none of %s (%d files)", module, found, strings.Join(may, ", "), len(files))
	}
	return strings.Join(found, ", ")
}
