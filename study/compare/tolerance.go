package compare

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Tolerances say by which share a metric may get worse.
type Tolerances struct{ list []tolerance }

type tolerance struct {
	pattern string // of names; "" for all
	share   float64
}

// Add reads 5%, or NAME=2% for one metric or for those of a pattern: write.*=2%.
// What is added later holds over what was before.
func (t *Tolerances) Add(text string) error {
	name, share, named := strings.Cut(text, "=")
	if !named {
		name, share = "", text
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(share), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || v < 0 || !percent || named && name == "" {
		return fmt.Errorf("%q is no tolerance: a share such as 5%%, or of a metric write.p99=2%%", text)
	}
	if _, err := path.Match(name, ""); err != nil {
		return fmt.Errorf("%q is no pattern of names", name)
	}
	t.list = append(t.list, tolerance{name, v / 100})
	return nil
}

// of is the tolerance of a metric; a name counts before all others.
func (t *Tolerances) of(name string) (share float64) {
	named := false
	for _, x := range t.list {
		switch fits, _ := path.Match(x.pattern, name); { // Add has held the pattern to be one
		case x.pattern == "" && !named:
			share = x.share
		case x.pattern != "" && fits:
			share, named = x.share, true
		}
	}
	return share
}

// unused returns the patterns that no metric has.
func (t *Tolerances) unused(names []string) (list []string) {
	for _, x := range t.list {
		used := x.pattern == ""
		for _, n := range names {
			fits, _ := path.Match(x.pattern, n)
			used = used || fits
		}
		if !used {
			list = append(list, x.pattern)
		}
	}
	return list
}
