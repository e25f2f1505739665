package scenario_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"hcasim/scenario"
)

// FuzzOwn: whatever a user's own opening and profile say, a scenario that uses
// both is read, or there are mistakes, and each names its file.
func FuzzOwn(f *testing.F) {
	opening := "version: 1\nkind: opening\nhosts:\n  A: {pd: [p], qp: {q: {peer: B.q}}}\n  B: {pd: [p], qp: {q: {peer: A.q}}}\n"
	profile := "version: 1\nkind: profile\nname: mine\nabout: Mine.\n"
	for _, own := range [][2]string{
		{opening, profile}, {opening, profile + "hca: {cache: {l0: {entries: {value: 64, source: estimate}}}}\n"},
		{opening + "use: b0\n", profile + "base: connectx5-like\n"}, {opening, profile + "host: nowhere\n"}, {opening, profile + "base: mine\n"},
		{"version: 1\nkind: opening\nuse: mine\n", "kind: profile\n"}, {"- a\n", "- a\n"}, {"", ""}, {"version: 1\nkind: scenario\n", "\xff"},
	} {
		f.Add([]byte(own[0]), []byte(own[1]))
	}
	dir := f.TempDir()
	for _, folder := range []string{"openings", "profiles"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			f.Fatal(err)
		}
	}
	text := []byte("version: 1\nkind: scenario\nuse: mine\nprofile: mine\nops: [{wait: 5us}]\n")
	f.Fuzz(func(t *testing.T, opening, profile []byte) {
		if len(opening)+len(profile) > 1<<14 {
			return // a long file is as many short ones
		}
		for folder, text := range map[string][]byte{"openings": opening, "profiles": profile} {
			if err := os.WriteFile(filepath.Join(dir, folder, "mine.yaml"), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := scenario.Read("s.yaml", text, scenario.Options{Folder: dir})
		var m *scenario.Mistakes
		if err != nil && !errors.As(err, &m) {
			t.Fatal(err)
		}
		if m == nil {
			return
		}
		for _, p := range m.Problems {
			if p.File == "" || p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Errorf("a mistake of %q at %d:%d: %q", p.File, p.Line, p.Column, p.Message)
			}
		}
	})
}
