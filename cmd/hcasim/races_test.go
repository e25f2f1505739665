package main

import (
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRaces: the Makefile gives the race detector every room that has
// goroutines, as far as what it imports tells.
func TestRaces(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^RACE = (.*)$`).FindStringSubmatch(string(text))
	if list == nil {
		t.Fatal("the Makefile has no list RACE")
	}
	covered := func(room string) bool {
		return slices.ContainsFunc(strings.Fields(list[1]), func(pattern string) bool {
			folder, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
			return room == folder || below && strings.HasPrefix(room, folder+"/")
		})
	}
	for room := range layers {
		pkg, err := build.ImportDir(filepath.Join("../..", room), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range []string{"sync", "sync/atomic", "golang.org/x/sync/errgroup"} {
			if slices.Contains(pkg.Imports, imp) && !covered(room) {
				t.Errorf("%s imports %s, and RACE of the Makefile leaves it out", room, imp)
			}
		}
	}
}
