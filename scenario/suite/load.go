package suite

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"hcasim/scenario"
	"hcasim/scenario/lang"
)

// Options say what to read, and how.
type Options struct {
	Folder  string   // of a suite of the user's; "" for the one that the program carries
	Library string   // of profiles and openings of the user's; "" is Folder
	IDs     []string // the items that are asked for, in any case; none for all
	Fast    bool     // only what is quick: items and points that do not say otherwise
	Sets    []string // path=value, over everything
	Workers int      // files at a time; at least 1
	Heads   bool     // without the scenarios of the points: nothing can be run
}

// scenarios are the options of all scenarios within.
func (o *Options) scenarios() scenario.Options {
	folder := o.Library
	if folder == "" {
		folder = o.Folder
	}
	return scenario.Options{Sets: o.Sets, Folder: folder, Profiles: scenario.NewProfiles(folder)}
}

// A Suite is what was asked for.
type Suite struct {
	Items    []*Item    // by id
	Testbeds []*Testbed // that these name, and with Heads all of them, by name
}

// Load reads a suite. The error is a *scenario.Mistakes with all that is wrong
// in its files, or says that there is no suite or no such item.
func Load(o Options) (*Suite, error) {
	s, err := shelfOf(o.Folder)
	if err != nil {
		return nil, err
	}
	all, err := s.items()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("--suite %s: there is no item of kind: validation here (hcasim schema validation)", o.Folder)
	}
	entries, err := chosen(all, o.IDs)
	if err != nil {
		return nil, err
	}
	beds, problems, sources := s.readTestbeds()
	readers, within := make([]*itemReader, len(entries)), o.scenarios()
	var workers errgroup.Group
	workers.SetLimit(max(1, o.Workers))
	for i, e := range entries {
		readers[i] = &itemReader{options: &o, within: within, testbeds: beds, id: e.id}
		workers.Go(func() error {
			readers[i].read(e.source)
			return nil
		})
	}
	_ = workers.Wait() // no reader has an error: mistakes are gathered
	return gather(o, beds, readers, problems, sources)
}

// readTestbeds reads all testbeds, whether an item names them or not.
func (s shelf) readTestbeds() (beds []*Testbed, problems []lang.Problem, sources []lang.Source) {
	for _, name := range s.testbeds() {
		src, _, found := s.testbed(name)
		if !found {
			continue
		}
		bed, wrong := readTestbed(src, name)
		if bed != nil {
			beds = append(beds, bed)
		}
		problems = append(problems, wrong...)
		sources = append(sources, src)
	}
	return beds, problems, sources
}

// gather joins what the readers found, in the order of the items.
func gather(o Options, beds []*Testbed, readers []*itemReader, problems []lang.Problem, sources []lang.Source) (*Suite, error) {
	suite := &Suite{Testbeds: beds}
	seen := map[lang.Problem]bool{}
	for _, r := range readers {
		for _, p := range r.problems {
			if !seen[p] { // a flag's is met in every item
				seen[p] = true
				problems = append(problems, p)
			}
		}
		sources = append(sources, r.sources...)
		if r.item != nil && (!o.Fast || r.fast || r.item.Class == Exact) {
			suite.Items = append(suite.Items, r.item)
		}
	}
	if len(problems) > 0 {
		return nil, mistakes(problems, sources)
	}
	return suite, nil
}

// Check reads one file of kind validation or testbed, whose testbeds are in
// the folder beside it or carried by the program. It returns how many runs
// there are to make. The error is a *scenario.Mistakes.
func Check(name string, o Options) (runs int, err error) {
	src, problems := lang.ReadFile(name)
	if len(problems) > 0 {
		return 0, mistakes(problems, nil)
	}
	if lang.KindOf(src.Data) == "testbed" {
		base := filepath.Base(name)
		_, problems := readTestbed(src, base[:len(base)-len(filepath.Ext(base))])
		return 0, mistakes(problems, []lang.Source{src})
	}
	folder := filepath.Dir(name)
	beds, _, _ := shelf{os.DirFS(folder), filepath.ToSlash(folder)}.readTestbeds()
	r := &itemReader{options: &o, within: o.scenarios(), testbeds: beds, id: idOf(name)}
	r.read(src)
	if len(r.problems) > 0 {
		return 0, mistakes(r.problems, r.sources)
	}
	for _, c := range r.item.Curves {
		for _, p := range c.Points {
			if p.Run != nil {
				runs++
			}
		}
	}
	return runs, nil
}
