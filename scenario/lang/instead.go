package lang

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Instead says what a file of a kind is for, to somebody who has taken it for
// one of another.
func Instead(kind, file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	switch kind {
	case "scenario":
		return "hcasim run " + file + " runs it"
	case "study":
		return "hcasim sweep run " + file + " runs it"
	case "profile":
		return "hcasim run SCENARIO --profile " + name + " takes it from profiles/"
	case "validation", "testbed":
		return "hcasim validate holds the model to it, hcasim check " + file + " shows its mistakes"
	case "golden":
		return "it has the figures that hcasim test holds a scenario to"
	case "opening":
		return "a scenario starts from it with use: " + name
	}
	return ""
}

// otherwise is what to do about a file of a kind where another is wanted.
func otherwise(kind, wanted, file string) string {
	if s := Instead(kind, file); s != "" {
		return s
	}
	return didYouMean(kind, []string{wanted})
}

// NotThere says what to do about a file that is not there: the one that is
// called nearly so, or how to begin.
func NotThere(file string) string {
	entries, _ := os.ReadDir(filepath.Dir(file)) // what cannot be read has nothing near
	var stems, names []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".yaml" || ext == ".yml" || e.IsDir() {
			stems = append(stems, strings.TrimSuffix(e.Name(), ext))
			names = append(names, e.Name())
		}
	}
	base := filepath.Base(file)
	if near := nearest(strings.TrimSuffix(base, filepath.Ext(base)), stems); near != "" {
		return fmt.Sprintf("did you mean %q?", filepath.Join(filepath.Dir(file), names[slices.Index(stems, near)]))
	}
	return "hcasim init writes one to start from"
}
