package config

import (
	"errors"
	"fmt"
	"testing"
)

// A ruled is a tree with rules between its fields, at two levels.
type ruled struct {
	In ruledGroup `yaml:"in" doc:"A group with rules."`
}

func (r *ruled) Check() error {
	if r.In.A == 9 {
		return errors.New("in.b: must not stand beside 9")
	}
	return nil
}

type ruledGroup struct {
	A uint32 `yaml:"a" default:"1" doc:"A."`
	B uint32 `yaml:"b" default:"2" doc:"B."`
}

func (g *ruledGroup) Check() error {
	var wrong []error
	if g.A >= g.B {
		wrong = append(wrong, fmt.Errorf("a %d: want less than b, %d", g.A, g.B))
	}
	if g.A+g.B > 10 {
		wrong = append(wrong, errors.New("together more than 10"))
	}
	return errors.Join(wrong...)
}

func TestCheck(t *testing.T) {
	s := New[ruled]()
	if got := print(s.Check()); got != "" {
		t.Errorf("defaults: %s", got)
	}
	s.Apply("", parse(t, "in:\n  a: 9\n"), In("s.yaml"))
	want := ": in.b: must not stand beside 9; (hcasim params in.b)\n" +
		"s.yaml:2:6: a 9: want less than b, 2; (hcasim params in.a)\n" +
		": in: together more than 10; (hcasim params in)\n"
	if got := print(s.Check()); got != want {
		t.Errorf("file: got %s\nwant %s", got, want)
	}
	s = New[ruled]()
	s.set("in.a", "5")
	want = "--set in.a: 5: want less than b, 2; (hcasim params in.a)\n"
	if got := print(s.Check()); got != want {
		t.Errorf("flag: got %s\nwant %s", got, want)
	}
}
