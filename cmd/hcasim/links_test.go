package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	title   = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	anchors = regexp.MustCompile(`<a id="([^"]+)"`)
	code    = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
)

// TestLinks: every relative link of the documents leads to a file, and to a
// title in it if it names one; every document stands in the index.
func TestLinks(t *testing.T) {
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	followed, titles := map[string]bool{}, map[string]map[string]bool{}
	for _, name := range append(names, readme) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text(t, name), ""), -1) {
			path, place, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := filepath.Join(filepath.Dir(name), path)
			if path == "" {
				to = name
			}
			if filepath.Base(name) == "README.md" && name != readme {
				followed[to] = true
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links %s, which is not there", name, m[1])
			}
			if place != "" && titles[to] == nil {
				titles[to] = places(text(t, to))
			}
			if place != "" && !titles[to][place] {
				t.Errorf("%s links %s, and there is no such title", name, m[1])
			}
		}
	}
	for _, name := range names {
		if filepath.Base(name) != "README.md" && !followed[name] {
			t.Errorf("docs/README.md does not have %s", name)
		}
	}
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// places are the anchors of a document, as GitHub makes them of titles.
func places(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range title.FindAllStringSubmatch(text, -1) {
		all[strings.ReplaceAll(regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	for _, m := range anchors.FindAllStringSubmatch(text, -1) {
		all[m[1]] = true
	}
	return all
}
