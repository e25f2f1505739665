package scenario

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hcasim/scenario/golden"
	"hcasim/scenario/lang"
	"hcasim/tpt"
	"hcasim/whole"
)

// otherKinds are the files that a folder of scenarios may hold beside them.
var otherKinds = map[string]bool{"study": true, "opening": true, "profile": true, "validation": true, "testbed": true, "golden": true}

// OtherKind returns the kind of a file that is there for something else than
// to be run, and "" for a scenario, or for whatever Load will complain about.
func OtherKind(name string) string {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostBytes {
		return ""
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	if kind := lang.KindOf(text); otherKinds[kind] {
		return kind
	}
	return ""
}

// belongs reports whether a file has the golden figures of a scenario beside it.
func belongs(name string) bool {
	_, found := golden.Owner(name)
	return found
}

// Files returns the YAML files at and below a path, those of one folder
// together, folders and files sorted by name; a path
// that is a file is itself, whatever it is called. Figures that are recorded
// beside a scenario belong to it and are left out. Folders whose name begins
// with a dot are left out, and so are those called testdata and the results of
// earlier runs, which have a config.yaml.
func Files(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return mistake(name, whole.Reason(err).Error(), lang.NotThere(name))
		case err != nil:
			return mistake(name, whole.Reason(err).Error(), "")
		case name == root && !d.IsDir():
			files = append(files, name)
		case d.IsDir() && name != root && leftOut(name):
			return filepath.SkipDir
		case belongs(name):
		case !d.IsDir() && (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")):
			files = append(files, name)
		}
		return nil
	})
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(filepath.Dir(a), filepath.Dir(b)) })
	return files, err
}

// leftOut reports whether a folder holds no scenarios of the user's.
func leftOut(name string) bool {
	base := filepath.Base(name)
	if strings.HasPrefix(base, ".") || base == "testdata" {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "manifest.json"))
	return err == nil
}

// Variants returns the names of the sets of switches that a scenario may ask
// for.
func Variants() []string { return tpt.VariantNames() }
