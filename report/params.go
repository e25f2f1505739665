package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"hcasim/scenario/config"
)

// Params writes what can be set at and below a path, "" for all of it. The
// error says what an unknown path may have meant. library is the user's folder
// of profiles.
func Params(w io.Writer, path, library string) error {
	world := &config.World{}
	list := config.DescribeUnder(world, path)
	if len(list) == 0 {
		return fmt.Errorf("there is no parameter %q; %s", path, config.Suggest(world, path))
	}
	if len(list) == 1 && list[0].Path == path {
		return oneParam(w, &list[0], library)
	}
	var b bytes.Buffer
	groups := config.Groups(world)
	last := ""
	var g *grid
	flush := func() error {
		if g == nil {
			return nil
		}
		return g.plain(&b)
	}
	for _, p := range list {
		group, name := p.Path[:strings.LastIndexByte(p.Path, '.')], p.Path[strings.LastIndexByte(p.Path, '.')+1:]
		if group != last {
			if err := flush(); err != nil {
				return err
			}
			if last != "" {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%s  %s\n", group, docOf(groups, group))
			g, last = &grid{columns: []column{left("  name"), right("default"), left("unit"), left("allowed"), left("meaning")}}, group
		}
		g.row("  "+name, p.Default, p.Unit, p.Range(), p.Doc)
	}
	if err := flush(); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func docOf(groups []config.Group, path string) string {
	for _, g := range groups {
		if g.Path == path {
			return g.Doc
		}
	}
	return ""
}

// oneParam writes all that is known of one parameter: also what each profile
// says, and where it has that from.
func oneParam(w io.Writer, p *config.Param, library string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n  %s\n", p.Path, p.Doc)
	unit := p.Type
	if p.Unit != "" && p.Unit != p.Type {
		unit += ", in " + p.Unit
	}
	fmt.Fprintf(&b, "  type     %s\n  default  %s\n", unit, p.Default)
	if r := p.Range(); r != "" {
		fmt.Fprintf(&b, "  allowed  %s\n", r)
	}
	l := profilesIn(library)
	g := &grid{columns: []column{left("  profile"), right("value"), left("source")}}
	profiles, _ := l.List()
	for _, pr := range profiles {
		if source := pr.Source(p.Path); source != "" {
			s := config.New[config.World]()
			s.Use(pr)
			v, _ := s.Value(p.Path)
			g.row("  "+pr.Name, v, source)
		}
	}
	if len(g.rows) > 0 {
		if err := g.plain(&b); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// ParamPaths returns the paths of all groups and parameters, for completion.
func ParamPaths() (paths []string) {
	world := &config.World{}
	for _, g := range config.Groups(world) {
		paths = append(paths, g.Path)
	}
	for _, p := range config.Describe(world) {
		paths = append(paths, p.Path)
	}
	slices.Sort(paths)
	return paths
}

// Settable returns what --set takes, each as PATH= with a description behind a
// tab, for the shell.
func Settable() (words []string) {
	words = []string{"profile=\tthe numbers of the model", "variant=\thow the adapter differs from the specification",
		"run.seed=\tof all random numbers", "run.until=\tlimit of simulated time", "run.stop=\ttrue: reaching run.until is a regular end"}
	for _, p := range config.Describe(&config.World{}) {
		words = append(words, p.Path+"=\t"+p.Doc)
	}
	return words
}
