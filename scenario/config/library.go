package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"hcasim/scenario/lang"
	"hcasim/scenarios"
	"hcasim/whole"
)

// A Library finds profiles: in the user's own folder first, then among those
// that the program carries. Each is read once; many may ask at a time.
type Library struct {
	shelves []shelf  // first come, first served
	read    sync.Map // name -> *Profile, of those without mistakes
}

// A shelf is one folder of profiles.
type shelf struct {
	files fs.FS
	name  string // for messages
	own   bool   // of the program
}

// NewLibrary returns the profiles of a folder of the user's, and the embedded
// ones behind them. The folder "" is none; one that does not exist is empty.
func NewLibrary(folder string) *Library {
	l := &Library{}
	if folder != "" {
		l.shelves = append(l.shelves, shelf{os.DirFS(folder), folder, false})
	}
	own, err := fs.Sub(scenarios.Profiles, "profiles")
	if err != nil {
		panic("config: the embedded profiles are not there: " + err.Error())
	}
	l.shelves = append(l.shelves, shelf{own, "scenarios/profiles", true})
	return l
}

// Profile returns the profile called name. Of an unknown one the problem has
// no position; the caller knows where the name stood.
func (l *Library) Profile(name string) (*Profile, []lang.Problem) {
	return l.profile(name, nil)
}

// profile reads a profile and those that it is laid over; above are those that
// are laid over it.
func (l *Library) profile(name string, above []string) (*Profile, []lang.Problem) {
	if p, known := l.read.Load(name); known {
		return p.(*Profile), nil
	}
	p, problems := l.find(name)
	if len(problems) == 0 && p.baseAt.Line > 0 {
		problems = l.lay(p, append(above, name))
	}
	if len(problems) > 0 {
		return nil, problems
	}
	l.read.Store(name, p)
	return p, nil
}

// lay lays a profile over its base.
func (l *Library) lay(p *Profile, above []string) []lang.Problem {
	if slices.Contains(above, p.base) {
		return []lang.Problem{{File: p.File, Line: p.baseAt.Line, Column: p.baseAt.Column, Length: len([]rune(p.base)),
			Message:    "a profile cannot lie over itself: " + strings.Join(append(above, p.base), " over "),
			Suggestion: "take away one base:"}}
	}
	base, problems := l.profile(p.base, above)
	lang.Placed(problems, p.baseAt)
	if base != nil {
		p.over(base)
	}
	return problems
}

// find reads a profile.
func (l *Library) find(name string) (*Profile, []lang.Problem) {
	for _, s := range l.shelves {
		if !fs.ValidPath(name + ".yaml") {
			break
		}
		text, err := fs.ReadFile(s.files, name+".yaml")
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, []lang.Problem{{File: path.Join(s.name, name+".yaml"), Message: whole.Reason(err).Error()}}
		}
		return s.read(name, text)
	}
	p := lang.Problem{Message: fmt.Sprintf("unknown profile %q", name), Length: len([]rune(name))}
	if near := nearest(name, l.names()); near != "" {
		p.Suggestion = fmt.Sprintf("did you mean %q? ", near)
	}
	p.Suggestion += "(hcasim profile list)"
	return nil, []lang.Problem{p}
}

// read reads one file of a shelf. The name within must be the file's, since
// it is the file that is looked for.
func (s shelf) read(name string, text []byte) (*Profile, []lang.Problem) {
	p, problems := readProfile(path.Join(s.name, name+".yaml"), text)
	if len(problems) == 0 && p.Name != name {
		problems = append(problems, lang.Problem{File: p.File, Line: 1, Column: 1,
			Message: fmt.Sprintf("the profile calls itself %q", p.Name), Suggestion: "write name: " + name})
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return p, nil
}

// List returns all profiles by name, and what is wrong with those that cannot
// be read. A user's profile hides an embedded one of the same name.
func (l *Library) List() (profiles []*Profile, problems []lang.Problem) {
	for _, name := range l.names() {
		p, wrong := l.Profile(name)
		if p != nil {
			profiles = append(profiles, p)
		}
		problems = append(problems, wrong...)
	}
	return profiles, problems
}

// names returns the names of all profiles, sorted, each once.
func (l *Library) names() (names []string) {
	for _, s := range l.shelves {
		files, _ := fs.Glob(s.files, "*.yaml")
		for _, file := range files {
			names = append(names, strings.TrimSuffix(file, ".yaml"))
		}
	}
	slices.SortFunc(names, cmp.Compare[string])
	return slices.Compact(names)
}
