package compare

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// results are those in a folder, by name: of FOLDER/NAME, as hcasim test --keep
// has them, or the one of FOLDER/NAME/HASH.
type results struct {
	path string
	at   map[string][]string
}

// resultsIn looks for results in a folder that is none itself.
func resultsIn(path string) *results {
	r := &results{path, map[string][]string{}}
	if info, err := os.Stat(path); err != nil || !info.IsDir() || there(filepath.Join(path, summaryFile)) || there(filepath.Join(path, planFile)) {
		return r
	}
	for _, pattern := range []string{"*", filepath.Join("*", "*")} {
		found, _ := filepath.Glob(filepath.Join(path, pattern, summaryFile)) // the pattern is good
		for _, file := range found {
			name, err := filepath.Rel(path, filepath.Dir(file))
			if err != nil {
				continue
			}
			name, _, _ = strings.Cut(filepath.ToSlash(name), "/")
			r.at[name] = append(r.at[name], filepath.Dir(file))
		}
	}
	return r
}

// many reports whether a folder holds several results, and the other is one of
// the kind.
func (r *results) many(other *results) bool { return len(r.at) > 1 && len(other.at) > 0 }

// one returns the result of a name.
func (r *results) one(name string) (string, error) {
	if found := r.at[name]; len(found) > 1 {
		return "", fmt.Errorf("%s has %d results of %s, and none is the one to compare: hcasim test --keep makes a folder with one of each", r.path, len(found), name)
	}
	return r.at[name][0], nil
}

// folders compares the results of two folders, name by name, into one
// difference whose rows are the names.
func folders(base, other *results, t *Tolerances) (*Difference, error) {
	d := &Difference{Base: nameOf(base.path), New: nameOf(other.path), Tolerances: t, Folders: true}
	var words, changes tallied
	for _, name := range slices.Sorted(maps.Keys(base.at)) {
		if other.at[name] == nil {
			d.Gone = append(d.Gone, name)
			continue
		}
		a, err := base.one(name)
		if err != nil {
			return nil, err
		}
		b, err := other.one(name)
		if err != nil {
			return nil, err
		}
		one, err := Compare(a, b, t)
		if err != nil {
			return nil, err
		}
		d.take(name, one)
		words.add(one.Words)
		changes.add(one.Configuration)
	}
	for _, name := range slices.Sorted(maps.Keys(other.at)) {
		if base.at[name] == nil {
			d.Came = append(d.Came, name)
		}
	}
	d.Words, d.Configuration = words.list(d.Results), changes.list(d.Results)
	d.Unused = t.unused(d.names())
	return d, nil
}

// take takes over what differs between two results of one name.
func (d *Difference) take(name string, one *Difference) {
	d.Results++
	if one.count(Equal) == len(one.Lines) && len(one.Broken)+len(one.Gone)+len(one.Came) == 0 {
		d.Same++
	}
	for _, l := range one.Lines {
		l.Row = strings.TrimSpace(name + " " + l.Row)
		d.Lines = append(d.Lines, l)
	}
	d.Broken = append(d.Broken, of(name, one.Broken)...)
	d.Gone = append(d.Gone, of(name, one.Gone)...)
	d.Came = append(d.Came, of(name, one.Came)...)
}

// of says of each text which result it is of.
func of(name string, list []string) (all []string) {
	for _, s := range list {
		all = append(all, name+": "+s)
	}
	return all
}

// tallied are changes, and how often each was met.
type tallied struct {
	order []Change
	times map[Change]int
}

func (t *tallied) add(list []Change) {
	if t.times == nil {
		t.times = map[Change]int{}
	}
	for _, c := range list {
		if t.times[c]++; t.times[c] == 1 {
			t.order = append(t.order, c)
		}
	}
}

// list returns each change once, with the number of results that have it unless
// all do.
func (t *tallied) list(all int) (list []Change) {
	for _, c := range t.order {
		if n := t.times[c]; n < all {
			c.New = fmt.Sprintf("%s  (%d of %d results)", orNone(c.New), n, all)
		}
		list = append(list, c)
	}
	return list
}
