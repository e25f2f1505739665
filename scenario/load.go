package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"hcasim/scenario/config"
	"hcasim/scenario/lang"
	"hcasim/scenario/run"
	"hcasim/scenarios"
	"hcasim/tpt"
	"hcasim/whole"
)

// ModelVersion is raised whenever any result may change.
const ModelVersion = 6

// Options are what the command line says beside the file.
type Options struct {
	Sets []string // path=value, laid over the file
	// Flags names paths of Sets that came by flags of their own, such as
	// run.until by --until: mistakes are theirs.
	Flags map[string]string
	// Folder is where the user keeps openings and profiles of his own, in
	// openings/ and profiles/; "" for none.
	Folder string
	// Profiles are those of Folder, for callers that load much; nil: they are
	// read anew.
	Profiles *config.Library
}

// NewProfiles returns the profiles of Options.Folder.
func NewProfiles(folder string) *config.Library {
	return config.NewLibrary(subfolder(folder, "profiles"))
}

// A Run is a scenario that is ready to run.
type Run struct {
	*lang.Scenario
	Path     string
	Settings []*config.Settings[config.World] // of each host, in order
	Variant  tpt.Variant
	Profiles []*config.Profile // that were named or came with those, for their trust
}

// Mistakes are everything wrong with a file.
type Mistakes struct {
	Problems []lang.Problem
	Sources  []lang.Source
}

// Error returns them as they are printed.
func (m *Mistakes) Error() string {
	var b strings.Builder
	lang.Print(&b, m.Problems, m.Sources...)
	return strings.TrimRight(b.String(), "\n")
}

// mostBytes bounds the size of a scenario file.
const mostBytes = 64 << 20

// Load reads a file. The error is a *Mistakes.
func Load(name string, o Options) ([]*Run, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, mistake(name, whole.Reason(err).Error(), lang.NotThere(name))
	case err != nil:
		return nil, mistake(name, whole.Reason(err).Error(), "")
	case info.IsDir() && leftOut(name):
		return nil, mistake(name, "this is a result, not a scenario file", "hcasim run "+filepath.Join(name, "config.yaml")+" runs it again, hcasim explain "+name+" tells of it")
	case info.IsDir():
		return nil, mistake(name, "this is a folder, not a scenario file", "hcasim test takes folders")
	case info.Size() > mostBytes:
		return nil, mistake(name, fmt.Sprintf("the file has more than %d MiB", mostBytes>>20), "loop:, count: and cases: repeat without copies")
	}
	text, err := lang.ReadAtMost(name, mostBytes)
	if err != nil {
		return nil, mistake(name, whole.Reason(err).Error(), "")
	}
	return Read(name, text, o)
}

func mistake(file, message, suggestion string) error {
	return &Mistakes{Problems: []lang.Problem{{File: file, Message: message, Suggestion: suggestion}}}
}

// Read reads the text of a file. The error is a *Mistakes.
func Read(name string, text []byte, o Options) ([]*Run, error) {
	return ReadSource(lang.Source{Name: name, Data: text}, o)
}

// ReadSource reads a file, or a lang.Draft of one. The error is a *Mistakes.
func ReadSource(src lang.Source, o Options) ([]*Run, error) {
	name, sources := src.Name, []lang.Source{src}
	for _, s := range o.Sets {
		flag, ok := lang.SetFlag(s)
		if !ok {
			return nil, mistake("--set "+s, "wants PATH=VALUE", "such as --set hca.cache.mpt.entries=64")
		}
		if own := o.Flags[strings.TrimPrefix(flag.Name, "--set ")]; own != "" {
			flag.Name = own
		}
		sources = append(sources, flag)
	}
	l := &loader{library: o.Profiles, folder: o.Folder}
	if l.library == nil {
		l.library = NewProfiles(o.Folder)
	}
	loader := lang.Loader{Openings: l.openings(), Checks: []func(*lang.Scenario) []lang.Problem{l.check}}
	loader.Opening = func(name string) (lang.Source, bool) {
		s, found := l.opening(name)
		if found {
			sources = append(sources, s)
		}
		return s, found
	}
	loader.Beside = func(other string) (lang.Source, error) {
		s, err := beside(name, other)
		sources = append(sources, s)
		return s, err
	}
	file, problems := loader.Load(sources...)
	if len(problems) > 0 {
		return nil, &Mistakes{problems, sources}
	}
	runs := make([]*Run, 0, len(l.runs))
	for _, r := range l.runs {
		r.Path = name
		runs = append(runs, r)
	}
	if file.Kind == "opening" {
		return nil, mistake(name, "an opening is used by scenarios, it does not run by itself", lang.Instead("opening", name))
	}
	return runs, nil
}

// mostBeside bounds the size of a file that a scenario names.
const mostBeside = 1 << 20

// beside reads a file that a scenario names, by its path from there.
func beside(file, other string) (lang.Source, error) {
	if !filepath.IsAbs(other) {
		other = filepath.Join(filepath.Dir(file), other)
	}
	s := lang.Source{Name: other}
	info, err := os.Stat(other)
	switch {
	case err != nil:
		return s, whole.Reason(err)
	case !info.Mode().IsRegular():
		return s, errors.New("this is no file")
	case info.Size() > mostBeside:
		return s, fmt.Errorf("the file has %d bytes, more than %d", info.Size(), mostBeside)
	}
	s.Data, err = lang.ReadAtMost(other, mostBeside)
	if err != nil {
		return s, whole.Reason(err)
	}
	return s, nil
}

func subfolder(folder, name string) string {
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, name)
}

// A loader keeps what the checks of one file find out.
type loader struct {
	library *config.Library
	folder  string
	runs    []*Run
}

// opening finds the text of an opening: the user's first, then those that the
// program carries.
func (l *loader) opening(name string) (lang.Source, bool) {
	if !fs.ValidPath(name + ".yaml") {
		return lang.Source{}, false
	}
	if l.folder != "" {
		own := filepath.Join(l.folder, "openings", name+".yaml")
		if text, err := os.ReadFile(own); err == nil {
			return lang.Source{Name: own, Data: text}, true
		}
	}
	text, err := fs.ReadFile(scenarios.Openings, path.Join("openings", name+".yaml"))
	return lang.Source{Name: "scenarios/openings/" + name + ".yaml", Data: text}, err == nil
}

// openings names all that there are.
func (l *loader) openings() (names []string) {
	files, _ := fs.Glob(scenarios.Openings, "openings/*.yaml") // the pattern is good
	if l.folder != "" {
		own, _ := filepath.Glob(filepath.Join(l.folder, "openings", "*.yaml")) // a pattern of none is none
		files = append(files, slices.DeleteFunc(own, func(f string) bool {
			info, err := os.Stat(f)
			return err != nil || info.IsDir()
		})...)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(filepath.ToSlash(f)), ".yaml"))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// check prepares one scenario and returns what is wrong with it beyond the
// language.
func (l *loader) check(s *lang.Scenario) []lang.Problem {
	r := &Run{Scenario: s}
	problems := r.settings(l.library, s)
	variant, wrong := variantOf(s)
	r.Variant = variant
	problems = append(problems, wrong...)
	problems = append(problems, checkModelled(s)...)
	l.runs = append(l.runs, r)
	return problems
}

// Hash names the run: the first eight hex digits of the SHA-256 of the
// resolved document, the parameters and the version of the model.
func (r *Run) Hash() string {
	sum := r.Digest()
	return hex.EncodeToString(sum[:])[:8]
}

// Digest is all of the SHA-256 that Hash shows the beginning of. Runs of one
// digest have one result.
func (r *Run) Digest() (sum [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintf(h, "hcasim model %d\n", ModelVersion)
	h.Write(r.plan())
	for _, s := range r.Settings {
		for _, p := range config.Describe(&s.Params) {
			v, _ := s.Value(p.Path)
			fmt.Fprintf(h, "%s=%s\n", p.Path, v)
		}
	}
	h.Sum(sum[:0])
	return sum
}

// plan is the canonical form of all but the parameters, which the hash takes as
// they are in the end, however they were come by.
func (r *Run) plan() []byte {
	s, setup := *r.Scenario, *r.Setup
	setup.Profile, setup.Config, setup.Hosts = "", nil, slices.Clone(setup.Hosts)
	for i := range setup.Hosts {
		setup.Hosts[i].Value.Profile = ""
	}
	s.Setup = &setup
	return s.Canonical()
}

// Do runs the scenario. The error is a *Mistakes: something that only the
// model could find, such as a declared region that is refused.
func (r *Run) Do() (*run.Result, error) { return r.do(run.Plan{}) }

// DoUnwatched runs it with nobody watching: the result must be the same.
func (r *Run) DoUnwatched() (*run.Result, error) { return r.do(run.Plan{Unwatched: true}) }

// DoBefore runs it with an onlooker at every probe, who is told only that there
// is something to be seen: the result must be the same.
func (r *Run) DoBefore(onlooker func()) (*run.Result, error) {
	return r.do(run.Plan{Onlooker: onlooker})
}

// DoWatched runs it before the eyes of a watcher: the result must be the same.
func (r *Run) DoWatched(watch func(*run.View)) (*run.Result, error) {
	return r.do(run.Plan{Watch: watch})
}

// do runs a plan that says who watches.
func (r *Run) do(p run.Plan) (*run.Result, error) {
	p.Scenario, p.Variant = r.Scenario, r.Variant
	for _, s := range r.Settings {
		p.Params = append(p.Params, &s.Params)
	}
	res, err := run.Run(p)
	if m, ok := err.(*run.Mistake); ok {
		problem := lang.Problem{File: m.Pos.File, Line: m.Pos.Line, Column: m.Pos.Column, Message: m.Message}
		return nil, &Mistakes{[]lang.Problem{problem}, r.File.Sources()}
	}
	return res, err
}
