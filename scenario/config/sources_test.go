package config

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSources: every value of the profiles that come with the program says
// where it is from. Use has refused one that says nothing. An estimate says why
// it is what it is, what is called a fit names the items it was fitted on, and
// docs/calibration.md tells of each of those.
func TestSources(t *testing.T) {
	told := itemsOf(t, "../../docs/calibration.md")
	profiles, problems := NewLibrary("").List()
	if len(problems) > 0 {
		t.Fatal(print(problems))
	}
	for _, p := range profiles {
		for path, source := range p.sources {
			switch {
			case strings.TrimSpace(strings.TrimPrefix(source, Estimate)) == "":
				t.Errorf("%s: %s is an estimate and does not say of what", p.Name, path)
			case strings.HasPrefix(source, "fit ") && len(p.FittedOn(path)) == 0:
				t.Errorf("%s: %s is a fit and does not say on which item", p.Name, path)
			}
			for name := range strings.FieldsSeq(source) {
				if strings.Contains(name, "-like") || strings.HasPrefix(name, "host-") {
					if other, _ := NewLibrary("").Profile(strings.Trim(name, ",;:")); other == nil {
						t.Errorf("%s: %s is from %q, which is no profile", p.Name, path, name)
					}
				}
			}
		}
		for _, f := range p.Fits() {
			if !told[f.Item] {
				t.Errorf("%s: %s was fitted on %s, of which docs/calibration.md says nothing", p.Name, f.Path, f.Item)
			}
		}
	}
}

// itemsOf returns the items of the validation suite that a document names, one
// by one or as in "V05 to V07".
func itemsOf(t *testing.T, file string) map[string]bool {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`V(\d\d)(?: to V(\d\d))?`).FindAllStringSubmatch(string(text), -1) {
		first, _ := strconv.Atoi(m[1])
		last, err := strconv.Atoi(m[2])
		if err != nil {
			last = first
		}
		for n := first; n <= last; n++ {
			named[fmt.Sprintf("V%02d", n)] = true
		}
	}
	return named
}
