package causes

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"hcasim/docs/held"
	"hcasim/ib"
	"hcasim/rules"
	"hcasim/tpt"
)

var update = flag.Bool("update", false, "write docs/faults.md")

const document = "../../docs/faults.md"

// TestDocument holds docs/faults.md to the list.
func TestDocument(t *testing.T) {
	held.Document(t, document, Markdown(), "go generate ./report/causes", *update)
}

// TestCauses: E1 and E2; every rule is one that there is, and of one cause.
func TestCauses(t *testing.T) {
	for i, name := range tpt.FaultNames()[1:] {
		if list[i].Name != name {
			t.Errorf("cause %d is %s, tpt's is %s", i, list[i].Name, name)
		}
		OfFault(tpt.OK + 1 + tpt.Fault(i))
	}
	of := map[string]string{}
	for _, c := range list {
		if len(c.Mend) == 0 || len(c.Arises) == 0 || len(c.Seen) == 0 || !strings.HasSuffix(c.Means, ".") {
			t.Errorf("%s is not told", c.Name)
		}
		for _, r := range c.Rules {
			if of[r] != "" {
				t.Errorf("%s is of %s and of %s", r, of[r], c.Name)
			}
			of[r] = c.Name
		}
		for _, s := range c.Seen {
			for _, word := range strings.Fields(s.When + " " + s.Status) {
				word = strings.Trim(word, ",;:")
				if !strings.HasPrefix(word, "IBV_WC_") {
					continue
				}
				if _, known := ib.ParseWCStatus(word); !known {
					t.Errorf("%s: there is no %s", c.Name, word)
				}
			}
		}
	}
	for r := range of {
		if _, known := rules.Find(r); !known {
			t.Errorf("%s, of %s, is no rule", r, of[r])
		}
	}
	for r := range mends {
		if of[r] == "" {
			t.Errorf("what mends %s belongs to no cause", r)
		}
	}
}

// TestAdvice: what the rule asks for stands first.
func TestAdvice(t *testing.T) {
	c := OfRule("BND-1")
	if c == nil || c.Name != Bind {
		t.Fatalf("BND-1 is of %v", c)
	}
	if a := Advice(c, "BND-1"); len(a) < 2 || a[0] != mends["BND-1"] || !slices.Contains(a, c.Mend[0]) {
		t.Errorf("%q", a)
	}
	if _, found := Find("nothing"); found || OfRule("XYZ") != nil {
		t.Error("found what there is not")
	}
}
