package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/lang"
	"hcasim/scenarios"
)

// A shelf is a folder with items, and with testbeds in a folder below.
type shelf struct {
	files fs.FS
	name  string // for messages
}

// carried is the suite that the program carries.
func carried() shelf {
	own, err := fs.Sub(scenarios.Validations, "validation")
	if err != nil {
		panic("suite: the embedded suite is not there: " + err.Error())
	}
	return shelf{own, "scenarios/validation"}
}

// shelfOf returns the suite of a folder; "" is the one that the program
// carries.
func shelfOf(folder string) (shelf, error) {
	if folder == "" {
		return carried(), nil
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return shelf{}, fmt.Errorf("--suite %s: there is no such folder: leave it out for the suite of the program", folder)
	case !info.IsDir():
		return shelf{}, fmt.Errorf("--suite %s: this is a file, not a folder", folder)
	}
	return shelf{os.DirFS(folder), filepath.ToSlash(folder)}, nil
}

// An entry is a file of a shelf that is taken to be an item.
type entry struct {
	id     string // as the file is called, in capitals
	source lang.Source
}

// others are the kinds of files that may lie beside items.
var others = []string{"scenario", "opening", "study", "profile", "testbed"}

// items returns the files of kind validation, by id. A file of no kind that is
// known is there too: reading it says what is wrong with it.
func (s shelf) items() (list []entry, err error) {
	names, err := fs.Glob(s.files, "*.yaml")
	for _, name := range names {
		text, err := fs.ReadFile(s.files, name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(others, lang.KindOf(text)) {
			continue
		}
		list = append(list, entry{strings.ToUpper(strings.TrimSuffix(name, ".yaml")), lang.Source{Name: path.Join(s.name, name), Data: text}})
	}
	slices.SortFunc(list, func(a, b entry) int { return compareIDs(a.id, b.id) })
	return list, err
}

// compareIDs orders V9 before V10.
func compareIDs(a, b string) int {
	letters, n := splitID(a)
	others, m := splitID(b)
	return cmp.Or(cmp.Compare(letters, others), cmp.Compare(n, m), cmp.Compare(a, b))
}

func splitID(id string) (letters string, n int) {
	letters = strings.TrimRight(id, "0123456789")
	n, _ = strconv.Atoi(id[len(letters):]) // none is 0
	return letters, n
}

// testbed finds a testbed by its name, in the suite first, then among those
// that the program carries; own reports that it is one of these.
func (s shelf) testbed(name string) (src lang.Source, own, found bool) {
	for i, place := range []shelf{s, carried()} {
		file := path.Join("testbeds", name+".yaml")
		if !fs.ValidPath(file) {
			break
		}
		if text, err := fs.ReadFile(place.files, file); err == nil {
			return lang.Source{Name: path.Join(place.name, file), Data: text}, i > 0, true
		}
	}
	return lang.Source{}, false, false
}

// testbeds returns the names of all testbeds, sorted.
func (s shelf) testbeds() (names []string) {
	for _, place := range []shelf{s, carried()} {
		files, _ := fs.Glob(place.files, "testbeds/*.yaml") // the pattern is good
		for _, f := range files {
			names = append(names, strings.TrimSuffix(path.Base(f), ".yaml"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// chosen returns the entries that ids name, all for none.
func chosen(all []entry, ids []string) (list []entry, err error) {
	if len(ids) == 0 {
		return all, nil
	}
	known := make([]string, len(all))
	for i := range all {
		known[i] = all[i].id
	}
	wanted, unknown := map[string]bool{}, []error(nil)
	for _, id := range ids {
		id = strings.ToUpper(id)
		if !slices.Contains(known, id) {
			unknown = append(unknown, lang.Problem{File: id, Message: "there is no such item", Suggestion: lang.DidYouMean(id, known)})
		}
		wanted[id] = true
	}
	for _, e := range all {
		if wanted[e.id] {
			list = append(list, e)
		}
	}
	return list, errors.Join(unknown...)
}

// IDs returns the ids of a suite, for completion.
func IDs(folder string) (ids []string) {
	s, err := shelfOf(folder)
	if err != nil {
		return nil
	}
	all, _ := s.items()
	for _, e := range all {
		ids = append(ids, e.id)
	}
	return ids
}

// mistakes makes an error of problems.
func mistakes(problems []lang.Problem, sources []lang.Source) error {
	if len(problems) == 0 {
		return nil
	}
	return &scenario.Mistakes{Problems: problems, Sources: sources}
}
