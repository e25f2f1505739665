package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hcasim/report"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hcasim": main})
}

// together are the sessions in which workers, signals or processes meet: those
// that the race detector, which is slow, is to see.
var together = []string{"interrupt", "order", "sweep-interrupt"}

// TestScripts runs the sessions of testdata: what is printed, which status,
// which files. $REPO is the folder of the project.
func TestScripts(t *testing.T) {
	dir, only := "testdata", []string(nil)
	if testing.Short() {
		dir = ""
		for _, name := range together {
			only = append(only, filepath.Join("testdata", name+".txtar"))
		}
	}
	testscript.Run(t, testscript.Params{
		Files:               only,
		Dir:                 dir,
		Setup:               setup,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":      status,
			"cmpfolders":  cmpFolders,
			"nothingleft": nothingLeft,
		},
	})
}

func setup(e *testscript.Env) error {
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	e.Setenv("REPO", repo)
	return os.Symlink(filepath.Join(repo, "scenarios"), filepath.Join(e.WorkDir, "scenarios"))
}

// status runs hcasim and holds it to the status that it ends with: status 2
// run bad.yaml.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N ARG…")
	}
	err := ts.Exec("hcasim", args[1:]...)
	got := "0"
	if err != nil {
		got = err.Error()
	}
	if want := args[0]; got != want && got != "exit status "+want {
		ts.Fatalf("hcasim ended with %s, want status %s", got, want)
	}
}

// cmpFolders holds two results to be the same but for the manifest.
func cmpFolders(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: cmpfolders A B")
	}
	if same := report.Same(ts.MkAbs(args[0]), ts.MkAbs(args[1])); same == neg {
		ts.Fatalf("%s and %s: the same is %v", args[0], args[1], same)
	}
}

// nothingLeft looks for results and half-written ones.
func nothingLeft(ts *testscript.TestScript, neg bool, args []string) {
	for _, pattern := range []string{"results*", "*.part", "*.old", "results/*/*.part"} {
		found, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		if len(found) > 0 {
			ts.Fatalf("left behind: %q", found)
		}
	}
}
