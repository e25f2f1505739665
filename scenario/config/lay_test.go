package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// shelfOf makes a library of a folder with three profiles: a device, its
// usual host, and another host. The sample's wire stands for the host's tree.
func shelfOf(t *testing.T) *Library {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"device": "host: usual\nhca: {skew: {value: 1, source: x}}\n",
		"usual":  "host: {mtu: {value: 1KiB, source: x}, big: {value: 7, source: x}}\n",
		"other":  "host: {mtu: {value: 2KiB, source: x}}\n",
	} {
		text = "version: 1\nkind: profile\nname: " + name + "\nabout: A sample.\n" + text
		if err := os.WriteFile(filepath.Join(folder, name+".yaml"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return NewLibrary(folder)
}

type hosted struct {
	HCA  sampleHCA  `yaml:"hca"`
	Host sampleWire `yaml:"host"`
}

func TestBase(t *testing.T) {
	l := shelfOf(t)
	for names, want := range map[string][]change{
		"":              nil,
		"device":        {{"hca.skew", "0", "1"}, {"host.mtu", "4KiB", "1KiB"}, {"host.big", "0", "7"}},
		"device, other": {{"hca.skew", "0", "1"}, {"host.mtu", "4KiB", "2KiB"}},
		"other,device":  {{"hca.skew", "0", "1"}, {"host.mtu", "4KiB", "2KiB"}},
		"usual,other":   {{"host.mtu", "4KiB", "2KiB"}, {"host.big", "0", "7"}},
	} {
		s, problems := Base[hosted](l, names)
		if len(problems) > 0 {
			t.Errorf("%s: %s", names, print(problems))
		}
		if diff := cmp.Diff(want, New[hosted]().changes(s)); diff != "" {
			t.Errorf("%s:\n%s", names, diff)
		}
	}
	want := ": unknown profile \"devise\"; did you mean \"device\"? (hcasim profile list)\n"
	if _, problems := Base[hosted](l, "devise"); print(problems) != want {
		t.Errorf("got %s", print(problems))
	}
}

func TestLay(t *testing.T) {
	trees := []lang.ConfigTree{
		{Path: "hca", Node: parse(t, "{skew: 3, clock: 2GHz}")},
		{Path: "wire", Node: parse(t, "{mtu: 512B}")},
		{Path: "hosts.client.hca", Node: parse(t, "{skew: 4}")},
		{Path: "hosts.server.hca", Node: parse(t, "{skw: 5}")},
	}
	s := New[sample]()
	problems := s.Lay(trees, "", In("s.yaml"))
	client, server := s.Clone(), s.Clone()
	problems = append(problems, client.Lay(trees, "client", In("s.yaml"))...)
	problems = append(problems, server.Lay(trees, "server", In("s.yaml"))...)
	if want := "s.yaml:1:2: unknown parameter \"skw\"; did you mean \"skew\"? (hcasim params hca)\n"; print(problems) != want {
		t.Errorf("got %s", print(problems))
	}
	want := []change{{"hca.skew", "3", "4"}}
	if diff := cmp.Diff(want, server.changes(client)); diff != "" {
		t.Error(diff)
	}
	if s.Params.Wire.MTU != 512 || client.Params.HCA.Clock != 2e9 {
		t.Errorf("the common trees are not in both: %+v", client.Params)
	}
}

// A flag for one host, merged into the document by its reader, is named with
// its whole path.
func TestLayNamesTheFlagOfAHost(t *testing.T) {
	flag := func(name string) Where {
		return func(n *yaml.Node) lang.Pos { return lang.Pos{File: name, Line: -1, Column: n.Column} }
	}
	for name, want := range map[string]string{
		"--set hosts.client.hca.cache.mpt": `--set hosts.client.hca.cache.mpt.entires: unknown parameter; did you mean "entries"? (hcasim params hca.cache.mpt)`,
		"--set hca.cache":                  `--set hca.cache.mpt.entires: unknown parameter; did you mean "entries"? (hcasim params hca.cache.mpt)`,
	} {
		tree := parse(t, "cache: {mpt: {entires: 3}}")
		if got := print(New[sample]().Apply("hca", tree, flag(name))); got != want+"\n" {
			t.Errorf("got %swant %s", got, want)
		}
	}
}
