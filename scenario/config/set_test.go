package config

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// set applies a flag, --set path=value, as the reader of scenarios hands it
// over: a tree of one path.
func (s *Settings[T]) set(path, value string) []lang.Problem {
	var doc yaml.Node
	if err := yaml.Load([]byte(value), &doc); err != nil {
		panic(err)
	}
	flag, tree := lang.Pos{File: "--set " + path, Line: -1}, &doc
	parts := strings.Split(path, ".")
	for _, part := range slices.Backward(parts) {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: part}
		tree = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, tree}}
	}
	return s.Apply("", tree, func(*yaml.Node) lang.Pos { return flag })
}

// A change is a parameter whose value differs between two settings.
type change struct{ Path, From, To string }

// changes lists, in order of declaration, what other has different from s.
func (s *Settings[T]) changes(other *Settings[T]) (all []change) {
	for _, l := range s.model().leaves {
		from, to := textOf(l.in(s.root())), textOf(l.in(other.root()))
		if from != to {
			all = append(all, change{l.Path, from, to})
		}
	}
	return all
}

func TestSet(t *testing.T) {
	s := New[sample]()
	for _, a := range [][2]string{
		{"hca.cache.mpt.entries", "64"}, {"hca.cache.qpc", "{entries: 32, replace: random}"}, {"wire.delay", "3 us"},
		{"wire.label", "'a=b'"},
	} {
		if problems := s.set(a[0], a[1]); len(problems) > 0 {
			t.Error(print(problems))
		}
	}
	if c := s.Params.HCA.Cache; c.MPT.Entries != 64 || c.QPC.Entries != 32 || c.QPC.Replace != "random" {
		t.Errorf("got %+v", c)
	}
	if w := s.Params.Wire; w.Delay.String() != "3us" || w.Label != "a=b" {
		t.Errorf("got %+v", w)
	}
}

func TestSetNamesTheFlag(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"hca.cache.mpt.entires", "64", `--set hca.cache.mpt.entires: unknown parameter; did you mean "entries"? (hcasim params hca.cache.mpt)`},
		{"hca.cache.mpt", "{entires: 64}", `--set hca.cache.mpt.entires: unknown parameter; did you mean "entries"? (hcasim params hca.cache.mpt)`},
		{"hac.clock", "1GHz", `--set hac: unknown parameter; did you mean "hca"? (hcasim params)`},
		{"hca.clock.mpt", "3", `--set hca.clock: a mapping, want a frequency such as 250MHz`},
		{"hca.cache", "64", `--set hca.cache: cache is a group of parameters, not "64"; write {name: value} (hcasim params hca.cache)`},
		{"hca.cache.mpt.entries", "0", `--set hca.cache.mpt.entries: 0 is out of range, want 1 to 65536 entries`},
		{"hca.cache.mpt.replace", "lur", `--set hca.cache.mpt.replace: "lur" is none of lru, plru, random; did you mean "lru"?`},
		{"wire..mtu", "1KiB", `--set wire.: unknown parameter; known here: rate, delay, mtu, pause, label, big (hcasim params wire)`},
	} {
		if got := print(New[sample]().set(c.path, c.value)); got != c.want+"\n" {
			t.Errorf("--set %s=%s\ngot  %swant %s", c.path, c.value, got, c.want)
		}
	}
}
