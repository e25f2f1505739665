package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const head = "version: 1\nkind: profile\nname: p\nabout: A sample.\n"

func TestProfile(t *testing.T) {
	p, problems := readProfile("p.yaml", []byte(head+`host: host-modern
hca:
  clock: {value: 1GHz, source: "a paper, Fig 1"}
  cache: {mpt: {entries: {value: 64, source: estimate}, ways: {value: 2, source: "estimate; a guess"}}}
`))
	s := New[sample]()
	if problems = append(problems, s.Use(p)...); len(problems) > 0 {
		t.Fatal(print(problems))
	}
	if s.Params.HCA.Clock != 1e9 || s.Params.HCA.Cache.MPT.Entries != 64 {
		t.Errorf("got %+v", s.Params)
	}
	if p.Host != "host-modern" || p.Values != 3 || p.Estimates != 2 || !p.MostlyEstimates() {
		t.Errorf("got %+v", p)
	}
	if p.Source("hca.clock") != "a paper, Fig 1" || p.Source("hca.skew") != "" {
		t.Error("sources are lost")
	}
	if o, _ := s.Origin("hca.clock"); o.String() != "profile p" {
		t.Errorf("hca.clock comes from %v", o)
	}
}

func TestProfileMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{head + "hca:\n  clock: 1GHz\n  skew: {value: 3}\n  cache: {mpt: {entires: {value: 1, source: x}, ways: {valeu: 1, source: x}}}", `
p.yaml:6:10: clock has no source, want {value: …, source: "…"}; write "estimate" where there is none
p.yaml:7:9: skew lacks its value or its source, want {value: …, source: "…"}
p.yaml:8:17: unknown parameter "entires"; did you mean "entries"? (hcasim params hca.cache.mpt)
p.yaml:8:56: ways: unknown word "valeu", want {value: …, source: "…"}`},
		{head + "wire: {mtu: {value: 3, source: x}}", `
p.yaml:5:21: mtu: "3": want a number and a unit, such as 4KiB (units: B, kB, KiB, MB, MiB, GB, GiB, TB, TiB)`},
		{"kind: scenario\nname: x", `
p.yaml:1:1: this is no profile; write kind: profile`},
		{"version: 2\nkind: profile\nabout: x", `
p.yaml:1:10: version 2 of the language is unknown; write version: 1
p.yaml:1:1: the profile has no name; write name: its-name`},
		{"version: 1\nkind: profile\nname: p", `
p.yaml:1:1: the profile does not say what it is about; write about: one sentence`},
		{"kind: profile\nname: p\nabout: x", `
p.yaml:1:1: the profile does not say which version of the language it is in; write version: 1`},
		{head + "about: y\nhost: [a]\nbase:\n", `
p.yaml:5:1: about is given twice
p.yaml:6:7: host is a word or a text, not a list
p.yaml:7:6: base is a word or a text, not ""`},
		{head + "hca: {clock: {value: 1GHz, value: 2GHz, source: x}, skew: {value: 3, source: null}, ? [x] : y}", `
p.yaml:5:28: clock: value is given twice
p.yaml:5:59: skew lacks its value or its source, want {value: …, source: "…"}
p.yaml:5:87: a name is a word, not a list`},
		{head + "hca: {clock: {value: 1GHz, source: \xff}}", `
p.yaml:5:36: this is no text: byte 0xff is none of UTF-8; hcasim reads YAML in UTF-8`},
		{"- 1", `
p.yaml:1:1: a profile is a mapping, with kind: profile`},
		{"a: [", `
p.yaml:2:1: a [ or a { before here is not closed`},
		{"", `
p.yaml:1:1: the file is empty; hcasim profile show NAME prints one to start from`},
	} {
		p, problems := readProfile("p.yaml", []byte(c.text))
		if len(problems) == 0 {
			problems = New[sample]().Use(p)
		}
		want := strings.TrimPrefix(c.want, "\n") + "\n"
		if diff := cmp.Diff(want, print(problems)); diff != "" {
			t.Errorf("%s\n%s", c.text, diff)
		}
	}
}

func TestProfileOverAnother(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		text = "version: 1\nkind: profile\nname: " + name + "\nabout: A sample.\n" + text
		if err := os.WriteFile(filepath.Join(folder, name+".yaml"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("old", `host: host-modern
hca:
  clock: {value: 1GHz, source: "a paper", fitted_on: [V18]}
  cache: {mpt: {entries: {value: 64, source: "estimate; a guess", fitted_on: [V20]}, ways: {value: 2, source: estimate}}}
`)
	write("new", `base: old
hca: {clock: {value: 2GHz, source: "a data sheet"}}
`)
	write("newest", `base: new
hca: {cache: {mpt: {ways: {value: 4, source: "a data sheet"}}}}
`)
	write("left", "base: right\n")
	write("right", "base: left\n")
	write("lost", "base: olt\n")
	write("broken", "base: bad\n")
	write("bad", "base: bad\n")
	l := NewLibrary(folder)
	p, problems := l.Profile("newest")
	if len(problems) > 0 {
		t.Fatal(print(problems))
	}
	s := New[sample]()
	if problems := s.Use(p); len(problems) > 0 {
		t.Fatal(print(problems))
	}
	if hca := s.Params.HCA; hca.Clock != 2e9 || hca.Cache.MPT.Entries != 64 || hca.Cache.MPT.Ways != 4 {
		t.Errorf("got %+v", hca)
	}
	if p.Host != "host-modern" || p.Base.Name != "new" || p.Values != 3 || p.Estimates != 2 || !p.MostlyEstimates() {
		t.Errorf("got %+v", p)
	}
	for path, want := range map[string]string{
		"hca.clock":             "estimate; as new: a data sheet",
		"hca.cache.mpt.entries": "estimate; as new: as old: a guess",
		"hca.cache.mpt.ways":    "a data sheet",
		"hca.skew":              "",
	} {
		if got := p.Source(path); got != want {
			t.Errorf("%s: from %q, want %q", path, got, want)
		}
	}
	if o, _ := s.Origin("hca.cache.mpt.entries"); o.String() != "profile old" {
		t.Errorf("entries come from %v", o)
	}
	if got := p.FittedOn("hca.cache.mpt.entries"); len(got) != 1 || got[0] != "V20" || len(p.FittedOn("hca.clock")) > 0 || len(p.Fits()) > 0 {
		t.Errorf("fitted on %v", got)
	}
	if p.Text("hca.cache.mpt.entries") != "64" || p.Text("hca.clock") != "2GHz" {
		t.Error("texts are lost")
	}
	for name, want := range map[string]string{
		"left":   "right.yaml:5:7: a profile cannot lie over itself: left over right over left; take away one base:",
		"lost":   `lost.yaml:5:7: unknown profile "olt"; did you mean "old"? (hcasim profile list)`,
		"broken": "bad.yaml:5:7: a profile cannot lie over itself: broken over bad over bad; take away one base:",
	} {
		if _, problems := l.Profile(name); print(problems) != filepath.Join(folder, want)+"\n" {
			t.Errorf("%s: got %s", name, print(problems))
		}
	}
}

func TestLibrary(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name+".yaml"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("p", head)
	write("spec-ideal", strings.Replace(head, "name: p", "name: spec-ideal", 1))
	write("q", head)
	l := NewLibrary(folder)
	if p, problems := l.Profile("p"); p == nil || p.About != "A sample." {
		t.Errorf("p: %s", print(problems))
	}
	if p, _ := l.Profile("spec-ideal"); p == nil || p.About != "A sample." {
		t.Error("the user's profile does not come first")
	}
	for name, want := range map[string]string{
		"q":          filepath.Join(folder, "q.yaml") + `:1:1: the profile calls itself "p"; write name: q`,
		"spec-idael": `: unknown profile "spec-idael"; did you mean "spec-ideal"? (hcasim profile list)`,
		"../p":       `: unknown profile "../p"; (hcasim profile list)`,
		"":           `: unknown profile ""; (hcasim profile list)`,
	} {
		if _, problems := l.Profile(name); print(problems) != want+"\n" {
			t.Errorf("%s: got %s", name, print(problems))
		}
	}
	profiles, problems := l.List()
	if len(problems) != 1 || len(profiles) < 2 || profiles[0].Name >= profiles[1].Name {
		t.Errorf("list: %v, %s", profiles, print(problems))
	}
	if profiles, problems := NewLibrary(filepath.Join(folder, "nowhere")).List(); len(profiles) == 0 || len(problems) > 0 {
		t.Errorf("a folder that does not exist: %v, %s", profiles, print(problems))
	}
}
