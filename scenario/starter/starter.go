package starter

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"hcasim/docs/ci"
	"hcasim/scenarios"
	"hcasim/whole"
)

// A Template is a set of files to start from.
type Template struct {
	Name, About string
	whole       bool     // it is a folder of its own, not a file among others
	next        []string // commands to try; NAME and FOLDER/ are put in
}

// Templates are all there are; the first is taken where none is named.
var Templates = []Template{
	{"protection", "what keys open and refuse: five cases, each with what must come of it", false,
		[]string{"hcasim run FOLDER/NAME.yaml", "hcasim test FOLDER/NAME.yaml"}},
	{"latency", "how long a request takes, cold and warm, held to thresholds", false,
		[]string{"hcasim run FOLDER/NAME.yaml --plot", "hcasim test FOLDER/NAME.yaml"}},
	{"sweep", "a what-if over two parameters: a study and the scenario of its points", false,
		[]string{"hcasim sweep run FOLDER/NAME.yaml --plot", "hcasim sweep run FOLDER/NAME.yaml --set hca.clock=500MHz"}},
	{"ci", "a folder of scenarios with recorded figures, and a workflow for GitHub", true,
		[]string{"cd FOLDER && hcasim test scenarios --library scenarios", "cd FOLDER && hcasim test scenarios --library scenarios --keep baseline"}},
	{"profile", "an adapter of your own, and a scenario to try it on", true,
		[]string{"hcasim run FOLDER/NAME.yaml --library FOLDER --profile NAME", "hcasim profile show NAME --library FOLDER"}},
}

// Names are those of the templates.
func Names() (names []string) {
	for _, t := range Templates {
		names = append(names, t.Name)
	}
	return names
}

// Named finds a template.
func Named(name string) (t Template, found bool) {
	for _, t := range Templates {
		if t.Name == name {
			return t, true
		}
	}
	return t, false
}

// A Request says what is to be written, and where.
type Request struct {
	Template Template
	Target   string // NAME, FOLDER/NAME, or a FOLDER: that exists, or ends with a slash
	Force    bool   // over what is there
}

// Written is what came of it.
type Written struct {
	Files []string
	Stale []string // schemas that were there and are of another version
	Next  []string // commands to try
}

// A file is one to be written.
type file struct {
	name, text string
	schema     bool
}

// Write writes the files of a template. The error names all files that are in
// the way; then nothing is written.
func Write(r Request) (*Written, error) {
	name, folder, err := r.place()
	if err != nil {
		return nil, err
	}
	files := r.files(name)
	w := &Written{}
	var inTheWay []string
	for i := range files {
		f := &files[i]
		f.name = filepath.Join(folder, filepath.FromSlash(f.name))
		old, err := os.ReadFile(f.name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			w.Files = append(w.Files, f.name)
		case err != nil:
			return nil, &Unwritten{fmt.Errorf("%s cannot be written: %w", f.name, whole.Reason(err))}
		case f.schema:
			if string(old) != f.text {
				w.Stale = append(w.Stale, f.name)
			}
			f.name = ""
		case !r.Force:
			inTheWay = append(inTheWay, f.name)
		default:
			w.Files = append(w.Files, f.name)
		}
	}
	if len(inTheWay) > 0 {
		return nil, &InTheWay{inTheWay}
	}
	for i, f := range files {
		if f.name == "" {
			continue
		}
		if err := put(f, r.Force); err != nil {
			undo(files[:i], r.Force)
			return nil, &Unwritten{fmt.Errorf("%s cannot be written: %w", f.name, whole.Reason(err))}
		}
	}
	for _, n := range r.Template.next {
		w.Next = append(w.Next, command(n, name, folder))
	}
	return w, nil
}

// put writes a file, and the folder that it is in.
func put(f file, force bool) error {
	if err := os.MkdirAll(filepath.Dir(f.name), 0o777); err != nil {
		return err
	}
	write := whole.New // another may have come since we looked
	if force {
		write = whole.File
	}
	return write(f.name, func(w io.Writer) error {
		_, err := io.WriteString(w, f.text)
		return err
	})
}

// undo removes what was written before something could not be, so that the
// next try finds nothing in its way.
func undo(files []file, force bool) {
	for _, f := range files {
		if f.name != "" && !force { // what was there before is gone either way
			_ = os.Remove(f.name) // the first error says more
		}
	}
}

// InTheWay are files that would be overwritten.
type InTheWay struct{ Files []string }

func (e *InTheWay) Error() string {
	is := "is"
	if len(e.Files) > 1 {
		is = "are"
	}
	return fmt.Sprintf("%s %s there already: give another name, or --force to write over it", strings.Join(e.Files, ", "), is)
}

// Unwritten is an error of writing.
type Unwritten struct{ Err error }

func (e *Unwritten) Error() string { return e.Err.Error() }
func (e *Unwritten) Unwrap() error { return e.Err }

// place splits the target into the name and the folder of the files.
func (r *Request) place() (name, folder string, err error) {
	own := "my-" + r.Template.Name
	info, statErr := os.Stat(r.Target)
	switch isFolder := statErr == nil && info.IsDir(); {
	case r.Target == "":
		return own, ".", nil
	case isFolder, strings.HasSuffix(r.Target, "/"):
		return own, filepath.Clean(r.Target), nil
	}
	folder, name = filepath.Split(r.Target)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".yaml"), ".yml")
	if folder = filepath.Clean(folder); r.Template.whole {
		folder = filepath.Join(folder, name)
	}
	if !fit(name) {
		return "", "", fmt.Errorf("%q is no name of a scenario: letters, digits, - and _, a letter first, such as my-test", name)
	}
	return name, folder, nil
}

// fit reports whether a name may stand in a file, and be one.
func fit(name string) bool {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '-' && c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	switch strings.ToLower(name) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n": // which YAML takes for something else
		return false
	}
	return true
}

// files are those of the template, under the user's name.
func (r *Request) files(name string) (list []file) {
	root := path.Join("templates", r.Template.Name)
	var schemas []string
	err := fs.WalkDir(scenarios.Templates, root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(scenarios.Templates, at)
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(at, root+"/")
		own, schema := withSchema(string(text), strings.Count(rel, "/"))
		if schema != "" {
			schemas = append(schemas, schema)
		}
		rename := func(s string) string { return strings.ReplaceAll(s, "my-"+r.Template.Name, name) }
		list = append(list, file{name: rename(rel), text: rename(own)})
		return nil
	})
	if r.Template.Name == "ci" {
		list = append(list, file{name: ".github/workflows/hcasim.yml", text: workflow()})
	}
	for i, s := range schemas {
		if i > 0 && s == schemas[i-1] {
			continue
		}
		text, e := fs.ReadFile(scenarios.Schemas, "schema/"+s)
		err = errors.Join(err, e)
		list = append(list, file{name: "schema/" + s, text: string(text), schema: true})
	}
	if err != nil {
		panic("starter: the templates are not embedded: " + err.Error())
	}
	return list
}

// withSchema makes the line for editors point at schema/ in the user's folder,
// so many folders up, and returns which schema that is.
func withSchema(text string, up int) (own, schema string) {
	const line = "# yaml-language-server: $schema="
	first, rest, _ := strings.Cut(text, "\n")
	at, found := strings.CutPrefix(first, line)
	if !found {
		return text, ""
	}
	schema = path.Base(at)
	return line + strings.Repeat("../", up) + "schema/" + schema + "\n" + rest, schema
}

// workflow is docs/ci/github.yml, with scenarios/ in the place of sim/.
func workflow() string {
	return strings.NewReplacer("in sim/", "in scenarios/", "test sim --library sim", "test scenarios --library scenarios").Replace(ci.Github)
}

// command puts name and folder into a command, word by word.
func command(text, name, folder string) string {
	dir := folder + "/"
	if folder == "." {
		text, dir = strings.TrimPrefix(text, "cd FOLDER && "), ""
	}
	put := strings.NewReplacer("FOLDER/", dir, "FOLDER", folder, "NAME", name)
	words := strings.Fields(text)
	for i, w := range words {
		if w != "&&" {
			words[i] = quoted(put.Replace(w))
		}
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.ContainsAny(word, " \t'\"\\$&|;<>()*?[]{}~#`!") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
