package golden

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// A File is the golden figures of one scenario file.
type File struct {
	Path string
	Runs []Run
	// Found is false where there is no such file.
	Found bool
}

// A Run is the figures of one run, in the order of the file.
type Run struct {
	Pos     lang.Pos
	Name    string // NAME, or NAME/CASE
	Model   int    // version of the model
	Entries []Entry
}

// An Entry is one figure.
type Entry struct {
	run.Figure
	Pos lang.Pos
}

const suffix = ".golden.yaml"

// Path returns the golden file of a scenario file.
func Path(scenario string) string {
	return strings.TrimSuffix(scenario, filepath.Ext(scenario)) + suffix
}

// Owner returns the scenario file that a golden file belongs to, if there is
// one.
func Owner(path string) (scenario string, found bool) {
	name, fine := strings.CutSuffix(path, suffix)
	if !fine {
		return "", false
	}
	for _, ext := range []string{".yaml", ".yml"} {
		if _, err := os.Stat(name + ext); err == nil {
			return name + ext, true
		}
	}
	return name + ".yaml", false
}

// Read reads the golden file of a scenario file. One that is not there has no
// runs.
func Read(scenario string) (*File, *lang.Reading) {
	f := &File{Path: Path(scenario)}
	if _, err := os.Stat(f.Path); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	f.Found = true
	src, problems := lang.ReadFile(f.Path)
	if len(problems) > 0 {
		r := lang.Open(lang.Source{Name: f.Path, Data: []byte("version: 1\nkind: golden\n")}, "golden")
		for _, p := range problems {
			r.Add(p)
		}
		return f, r
	}
	r := lang.Open(src, "golden")
	if r.Root() != nil {
		f.decode(r)
	}
	return f, r
}

type fileDoc struct {
	Version int      `yaml:"version" required:"true" min:"1" max:"1"`
	Kind    string   `yaml:"kind"`
	Runs    []runDoc `yaml:"runs"`
}

type runDoc struct {
	Pos     lang.Pos   `yaml:"-"`
	Run     string     `yaml:"run" required:"true"`
	Model   int        `yaml:"model" required:"true" min:"1"`
	Figures *yaml.Node `yaml:"figures" raw:"true"`
}

func (f *File) decode(r *lang.Reading) {
	var doc fileDoc
	r.Decode(r.Root(), &doc)
	for _, d := range doc.Runs {
		one := Run{Pos: d.Pos, Name: d.Run, Model: d.Model}
		if d.Figures != nil && d.Figures.Kind != yaml.MappingNode {
			r.Report(d.Figures, "figures: takes a mapping from names to values", "hcasim test --update writes this file")
			continue
		}
		for i := 0; d.Figures != nil && i+1 < len(d.Figures.Content); i += 2 {
			key, value := d.Figures.Content[i], d.Figures.Content[i+1]
			figure, fine := parse(key.Value, value.Value)
			if !fine {
				r.Report(value, fmt.Sprintf("%q is no figure", value.Value), "hcasim test --update writes this file")
			}
			one.Entries = append(one.Entries, Entry{figure, r.Pos(key)})
		}
		f.Runs = append(f.Runs, one)
	}
}

// of returns the figures of a run.
func (f *File) of(name string) *Run {
	for i := range f.Runs {
		if f.Runs[i].Name == name {
			return &f.Runs[i]
		}
	}
	return nil
}

// Text writes a value with its unit, exactly.
func Text(f run.Figure) string {
	switch f.Unit {
	case "ps":
		return sim.Duration(f.Value).String()
	case "b/s":
		return sim.BitRate(f.Value).String()
	case "":
		return strconv.FormatUint(f.Value, 10)
	}
	return strconv.FormatUint(f.Value, 10) + " " + f.Unit
}

// parse reads what Text writes.
func parse(name, text string) (f run.Figure, fine bool) {
	f.Name = name
	var d sim.Duration
	var r sim.BitRate
	number, unit, _ := strings.Cut(text, " ")
	if v, err := strconv.ParseUint(text, 10, 64); err == nil {
		f.Value = v
		return f, true
	}
	switch {
	case d.UnmarshalText([]byte(text)) == nil:
		f.Value, f.Unit = uint64(d), "ps"
		return f, true
	case r.UnmarshalText([]byte(text)) == nil:
		f.Value, f.Unit = uint64(r), "b/s"
		return f, true
	case unit != "B" && unit != "op/s":
		return f, false
	}
	v, err := strconv.ParseUint(number, 10, 64)
	f.Value, f.Unit = v, unit
	return f, err == nil
}
