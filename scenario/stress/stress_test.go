package stress

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
)

var (
	seeds = flag.Int("stress.seeds", 200, "seeds that TestStress runs")
	first = flag.Uint64("stress.first", 1, "the first of them")
	keep  = flag.String("stress.keep", "", "folder for the scenarios of seeds that fail")
)

// A figures counts what a run of many seeds came to.
type figures struct {
	runs, ops, streamed, datagrams, answers, naks, away, certain, failed, dropped, corrupted, duplicated, late, events uint64
}

// TestStress runs seeds. One that fails is kept as a scenario; it is run again
// by -stress.first=SEED -stress.seeds=1.
func TestStress(t *testing.T) {
	next := make(chan uint64)
	var total figures
	var lock sync.Mutex
	var wait sync.WaitGroup
	dir := *keep
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for seed := range next {
				w, text, wrong := try(seed, nil)
				lock.Lock()
				total.add(w)
				if wrong != "" {
					if dir == "" {
						dir, _ = os.MkdirTemp("", "hcasim-stress-")
					}
					name := filepath.Join(dir, fmt.Sprintf("stress-%d.yaml", seed))
					_ = os.WriteFile(name, []byte(text), 0o666)
					t.Errorf("seed %d: %s\n\thcasim run %s\n\tgo test ./scenario/stress -run '^TestStress$' -stress.first=%d -stress.seeds=1", seed, wrong, name, seed)
				}
				lock.Unlock()
			}
		})
	}
	for i := range uint64(*seeds) {
		next <- *first + i
	}
	close(next)
	wait.Wait()
	t.Logf("%+v", total)
}

// try draws a world, runs it, and says what is wrong with what came of it. After
// the run somebody may meddle with it.
func try(seed uint64, meddle func(w *world, v *run.View), sets ...string) (w *world, text, wrong string) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 4096)
			wrong = fmt.Sprintf("panic: %v\n%s", p, stack[:runtime.Stack(stack, false)])
		}
	}()
	w = draw(seed)
	text = w.text()
	runs, err := scenario.Read("stress.yaml", []byte(text), scenario.Options{Profiles: profiles, Sets: sets})
	if err != nil {
		return w, text, err.Error()
	}
	var view *run.View
	res, err := runs[0].DoWatched(func(v *run.View) {
		view = v
		w.watch(v, runs[0].Ops)
		w.held(v)
	})
	if err != nil {
		return w, text, err.Error()
	}
	w.outcome(view, res)
	if meddle != nil {
		meddle(w, view)
	}
	list := append(append([]string{}, res.Broken...), res.Waits...)
	for _, f := range res.Failures {
		list = append(list, fmt.Sprintf("line %d: %s: expected %s, got %s", f.Pos.Line, f.What, f.Expected, f.Got))
	}
	if !res.OK() {
		list = append(list, "ended "+res.End.String())
	}
	if list = append(list, w.verify(view)...); len(list) > 0 {
		text += w.final()
	}
	if len(list) > 8 {
		list = append(list[:8], "…")
	}
	return w, text, strings.Join(list, "\n\t")
}

var profiles = scenario.NewProfiles("")
