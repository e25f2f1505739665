package study

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"hcasim/docs/held"
	"hcasim/scenario"
	"hcasim/scenario/suite"
	"hcasim/scenarios"
)

var (
	hold   = flag.String("hold", "stamp", "how far docs/validation.md is held: stamp, fast or whole")
	update = flag.Bool("update", false, "write docs/validation.md and the sums of README.md; needs -hold whole")
)

const (
	document = "../docs/validation.md"
	readme   = "../README.md"
	generate = "go generate ./study"
)

// TestDocument: Y5. Every day only the stamp is looked at; with -hold fast the
// items that are quick are simulated, with -hold whole all are.
func TestDocument(t *testing.T) {
	var text string
	switch *hold {
	case "whole":
		text = written(t)
	case "fast":
		rows(t)
	case "stamp":
	default:
		t.Fatalf("-hold %s: want stamp, fast or whole", *hold)
	}
	if *update {
		renew(t, text)
	}
	got := read(t, document)
	if !strings.Contains(got, stamp(t)) {
		t.Errorf("%s was made of other profiles, openings or items, or of another model (%s)", document, generate)
	}
	if *hold == "whole" && got != text {
		t.Errorf("%s is not what the model does now (%s)", document, generate)
	}
	if here, there := sumsOf(t, readme), sumsOf(t, document); here != there {
		t.Errorf("README.md says\n%s\nand docs/validation.md\n%s", here, there)
	}
}

// stamp says what the document is made of: all files that the suite can read.
func stamp(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("Model version %d; profiles, openings, items and testbeds %s.", scenario.ModelVersion, held.Stamp(t, scenarios.Profiles, scenarios.Openings, scenarios.Validations))
}

// written is the document as the model makes it now.
func written(t *testing.T) string {
	o := suite.Options{Workers: runtime.GOMAXPROCS(0)}
	v, err := Validate(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := Fitted(o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := v.document(stamp(t), fitted)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// rows holds the rows of items of which --fast leaves nothing out.
func rows(t *testing.T) {
	v, err := Validate(suite.Options{Workers: runtime.GOMAXPROCS(0), Fast: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(read(t, document)) {
		lines[strings.TrimSuffix(line, "\n")] = true
	}
	for i := range v.Items {
		r := &v.Items[i]
		partial := false
		for _, c := range r.Curves {
			partial = partial || c.Partial
		}
		if !partial && !lines[r.row()] {
			t.Errorf("%s is not so in %s (%s):\n%s", r.ID, document, generate, r.row())
		}
	}
}

func renew(t *testing.T, text string) {
	if *hold != "whole" {
		t.Fatal("-update needs -hold whole")
	}
	if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	shown := strings.Replace(read(t, readme), sumsOf(t, readme), sumsOf(t, document), 1)
	if err := os.WriteFile(readme, []byte(shown), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sumsOf are the sums in a file, with what stands around them.
func sumsOf(t *testing.T, name string) string {
	t.Helper()
	text := read(t, name)
	from, to := strings.Index(text, sumsBegin), strings.Index(text, sumsEnd)
	if from < 0 || to < from {
		t.Fatalf("%s has no place for sums: %s … %s", name, sumsBegin, sumsEnd)
	}
	return text[from : to+len(sumsEnd)]
}
