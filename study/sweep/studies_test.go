package sweep

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"hcasim/docs/held"
	"hcasim/scenario"
	"hcasim/scenarios"
)

var (
	hold   = flag.String("hold", "stamp", "how far docs/studies.md is held: stamp or whole")
	update = flag.Bool("update", false, "write docs/studies.md; needs -hold whole")
)

const (
	studies  = "../../scenarios/studies"
	document = "../../docs/studies.md"
	generate = "go generate ./study/sweep"
)

// studyFiles are all studies, sorted.
func studyFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(studies, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d studies in %s, %v", len(files), studies, err)
	}
	return files
}

// answered runs a study in a folder that is thrown away.
func answered(t *testing.T, file string, short bool, workers int) *Table {
	t.Helper()
	w := begun(t, Question{File: file, Out: filepath.Join(t.TempDir(), "out"), Short: short, Workers: workers})
	if _, err := w.Run(bench()); err != nil {
		t.Fatal(err)
	}
	table, err := w.Merge()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// holdsUp reports what of a table is not as its study expects it.
func holdsUp(t *testing.T, table *Table) {
	t.Helper()
	for i := range table.Points {
		if p := &table.Points[i]; len(p.Failures) > 0 {
			t.Errorf("point %d: %s", i, p.Failures[0])
			break
		}
	}
	for i := range table.Answer {
		if v := &table.Answer[i]; !v.OK {
			t.Error(v.Text)
		}
	}
}

// TestStudies: every study holds what it expects, in its short form. The race
// detector has the sweeps of the other tests.
func TestStudies(t *testing.T) {
	if testing.Short() {
		t.Skip("some 15 s of processor time; not in short mode")
	}
	for _, file := range studyFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			table := answered(t, file, true, 1)
			s := table.Study
			if s.Name+".yaml" != filepath.Base(file) {
				t.Errorf("the study of %s is called %s", filepath.Base(file), s.Name)
			}
			if !strings.HasSuffix(s.Question, "?") || s.About == "" || len(s.Plots) == 0 || len(table.Answer) == 0 {
				t.Error("a study says a question, about:, plots: and expect:")
			}
			holdsUp(t, table)
		})
	}
}

// TestDocument: docs/studies.md is what the studies answer. Every day only the
// stamp is looked at; with -hold whole all are run in full.
func TestDocument(t *testing.T) {
	if *hold != "stamp" && *hold != "whole" || *update && *hold != "whole" {
		t.Fatal("-hold: want stamp or whole; -update needs -hold whole")
	}
	text := ""
	if *hold == "whole" {
		var all library
		for _, file := range studyFiles(t) {
			table := answered(t, file, false, runtime.GOMAXPROCS(0))
			holdsUp(t, table)
			all = append(all, table)
		}
		text = all.document(stamp(t))
	}
	if *update {
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, document)
	if !strings.Contains(got, stamp(t)) {
		t.Errorf("%s was made of other studies or profiles, or of another model (%s)", document, generate)
	}
	if *hold == "whole" && got != text {
		t.Errorf("%s is not what the model answers now (%s)", document, generate)
	}
}

// stamp says what the document is made of.
func stamp(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("Model version %d; studies, profiles and openings %s.", scenario.ModelVersion, held.Stamp(t, scenarios.Profiles, scenarios.Openings, os.DirFS(studies)))
}
