package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// dump writes a tree, or fails.
func dump(t testing.TB, n *yaml.Node) string {
	t.Helper()
	text, err := yaml.Dump(n)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func someSettings(t testing.TB) *Settings[sample] {
	s := New[sample]()
	p, problems := readProfile("p.yaml", []byte(`
version: 1
kind: profile
name: p
about: A sample.
hca: {clock: {value: 1GHz, source: "a paper"}, skew: {value: 7, source: estimate}}
`))
	problems = append(problems, s.Use(p)...)
	problems = append(problems, s.Apply("wire", parse(t, "{mtu: 1KiB,\n pause: true}"), In("s.yaml"))...)
	problems = append(problems, s.set("hca.cache.mpt.entries", "64")...)
	if len(problems) > 0 {
		t.Fatal(print(problems))
	}
	return s
}

const effective = `hca:
  clock: 1GHz # profile p
  cache:
    qpc:
      entries: 1024 # default
      ways: 4 # default
      latency: 5 # default
      replace: lru # default
    mpt:
      entries: 64 # --set
      ways: 4 # default
      latency: 5 # default
      replace: lru # default
  skew: 7 # profile p
wire:
  rate: 100Gb/s # default
  delay: 500ns # default
  mtu: 1KiB # s.yaml:1
  pause: true # s.yaml:2
  label: '010' # default
  big: 0 # default
`

func TestEffective(t *testing.T) {
	s := someSettings(t)
	got := dump(t, s.Effective())
	if diff := cmp.Diff(effective, got); diff != "" {
		t.Fatal(diff)
	}
	for range 20 {
		if again := dump(t, someSettings(t).Effective()); again != got {
			t.Fatalf("another time:\n%s", again)
		}
	}
}

func TestEffectiveRunsAgain(t *testing.T) {
	s := someSettings(t)
	again := New[sample]()
	if problems := again.Apply("", parse(t, dump(t, s.Effective())), In("config.yaml")); len(problems) > 0 {
		t.Fatal(print(problems))
	}
	if changes := s.changes(again); len(changes) > 0 {
		t.Errorf("changed: %+v", changes)
	}
	if o, _ := again.Origin("wire.mtu"); o.String() != "config.yaml:18" {
		t.Errorf("wire.mtu comes from %v", o)
	}
}

func TestCloneIsIndependent(t *testing.T) {
	s := someSettings(t)
	c := s.Clone()
	c.set("wire.mtu", "256B")
	if o, _ := s.Origin("wire.mtu"); s.Params.Wire.MTU != 1024 || o.Source != FromFile {
		t.Error("the original changed with its copy")
	}
	want := []change{{"wire.mtu", "1KiB", "256B"}}
	if diff := cmp.Diff(want, s.changes(c)); diff != "" {
		t.Error(diff)
	}
}
