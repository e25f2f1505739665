package config

import (
	"testing"

	"go.yaml.in/yaml/v4"
)

// What a reader accepts must survive its own effective configuration.
func roundTrip(t *testing.T, s *Settings[sample]) {
	again := New[sample]()
	if problems := again.Apply("", parse(t, dump(t, s.Effective())), In("config.yaml")); len(problems) > 0 {
		t.Fatalf("effective configuration refused:\n%s%s", print(problems), dump(t, s.Effective()))
	}
	if changes := s.changes(again); len(changes) > 0 {
		t.Fatalf("changed: %+v", changes)
	}
}

func FuzzApply(f *testing.F) {
	for _, seed := range []string{
		effective, "hca: {cache: {mpt: {entires: 64}}}", "hca: &h {cache: *h, <<: *h}", "wire: {<<: [{mtu: 1KiB}, 7]}",
		"{? [a]: b}", "wire: {label: !!binary aGk=, big: 0o17}", "wire: {delay: 1.0000000000001us}", "- 1", "~",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n yaml.Node
		if yaml.Load([]byte(text), &n) != nil {
			return
		}
		s := New[sample]()
		s.Apply("", &n, In("f.yaml"))
		roundTrip(t, s)
		if p, _ := readProfile("p.yaml", []byte(text)); p != nil {
			s.Use(p)
		}
	})
}
