package bench

import (
	"fmt"
	"io/fs"

	"hcasim/scenario"
	"hcasim/scenarios"
)

// A folder is scenarios/protection, as hcasim test goes through it: each file is
// read, and each case is a world of its own. An op is a case.
type folder struct{ files []string }

func protection() spec {
	files, err := fs.Glob(scenarios.Protection, "protection/*.yaml")
	if err != nil || len(files) == 0 {
		panic(fmt.Sprintf("bench: the program carries no protection tests: %v", err))
	}
	all := uint64(len(files))
	return spec{
		name: "protection-folder", about: "the tests of scenarios/protection, read and run", op: "case",
		long: all, quick: max(1, all/8),
		start: func() (load, error) { return &folder{files}, nil },
	}
}

// ops runs the cases of n files, which lie evenly over the folder.
func (f *folder) ops(n uint64) (work, error) {
	var w work
	for i := range n {
		name := f.files[i*uint64(len(f.files))/n]
		text, err := fs.ReadFile(scenarios.Protection, name)
		if err != nil {
			return w, err
		}
		runs, err := scenario.Read("scenarios/"+name, text, scenario.Options{})
		if err != nil {
			return w, err
		}
		for _, r := range runs {
			res, err := held(r.Do())
			if err != nil {
				return w, err
			}
			w.ops++
			w.events += res.Events
		}
	}
	return w, nil
}
