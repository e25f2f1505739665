package run_test

import (
	"errors"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

const us = sim.Microsecond

// b0 begins a scenario of one case on the opening b0. What follows begins in
// line 5.
const b0 = "version: 1\nkind: scenario\nname: t\nuse: b0\n"

// read runs a scenario, and wants it to be one that runs.
func read(t testing.TB, text string, sets ...string) *run.Result {
	t.Helper()
	res, err := tryRead(text, sets...)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func tryRead(text string, sets ...string) (*run.Result, error) {
	runs, err := scenario.Read("t.yaml", []byte(text), scenario.Options{Sets: sets})
	if err != nil {
		return nil, err
	}
	return runs[0].Do()
}

// held runs a scenario whose expectations must hold.
func held(t testing.TB, text string, sets ...string) *run.Result {
	t.Helper()
	res := read(t, text, sets...)
	for _, f := range res.Failures {
		t.Errorf("line %d: %s: expected %s, got %s", f.Pos.Line, f.What, f.Expected, f.Got)
	}
	if !res.OK() {
		t.Errorf("it ended %v: %q, %q", res.End, res.Waits, res.Broken)
	}
	return res
}

// mistakes returns what is wrong with a text, and wants something to be.
func mistakes(t testing.TB, text string, sets ...string) *scenario.Mistakes {
	t.Helper()
	_, err := tryRead(text, sets...)
	var m *scenario.Mistakes
	if !errors.As(err, &m) {
		t.Fatalf("no mistakes: %v", err)
	}
	return m
}
