package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcasim/study/sweep"
)

// wholeSweep makes a sweep of the demo's short form.
func wholeSweep(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sw")
	w, err := sweep.Open(sweep.Question{File: "../../scenarios/studies/demo.yaml", Out: dir, Short: true, Shard: sweep.All, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Settle(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Run(sweep.Bench{}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func plotted(args ...string) (string, error) {
	var out bytes.Buffer
	c := command(&out)
	c.SetArgs(args)
	err := c.Execute()
	return out.String(), err
}

// TestPlots writes each format, and a narrow one into a folder of its own.
func TestPlots(t *testing.T) {
	dir := wholeSweep(t)
	out, err := plotted(dir, "--format", "svg,png,pdf")
	if err != nil {
		t.Fatal(err)
	}
	begin := map[string]string{".svg": "<svg ", ".png": "\x89PNG", ".pdf": "%PDF"}
	for name := range strings.Lines(out) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if want := begin[filepath.Ext(name)]; want == "" || !bytes.HasPrefix(text, []byte(want)) {
			t.Errorf("%s begins with %.20q", name, text)
		}
		delete(begin, filepath.Ext(name))
	}
	if len(begin) > 0 {
		t.Errorf("of some formats there is no file: %v\n%s", begin, out)
	}
	figures := filepath.Join(t.TempDir(), "figures")
	if out, err = plotted(dir, "--out", figures, "--width", "340"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(strings.TrimSpace(out)); err != nil || !bytes.Contains(text, []byte(`viewBox="0 0 340 240"`)) {
		t.Errorf("%s: %v, %.200s", out, err, text)
	}
}

// TestMistakes: each has its words, and the status of missing points is 1.
func TestMistakes(t *testing.T) {
	dir := wholeSweep(t)
	for want, args := range map[string][]string{
		`--format: "gif" is none of svg, png, pdf`: {dir, "--format", "gif"},
		"--width 20: wants 200 to 4000 pixels":     {dir, "--width", "20"},
		"nowhere: there is no plan.json here":      {"nowhere"},
		"hcasim-plot wants the DIR of a sweep":     {},
	} {
		if _, err := plotted(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", args, err)
		}
	}
	points, err := filepath.Glob(filepath.Join(dir, "points", "*.json"))
	if err != nil || len(points) == 0 {
		t.Fatal(points, err)
	}
	if err := os.Remove(points[0]); err != nil {
		t.Fatal(err)
	}
	_, err = plotted(dir)
	if f, fine := err.(*failure); !fine || f.status != statusMissing {
		t.Errorf("with a point missing: %v", err)
	}
}
