package bench

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/scenarios"
)

// A model is a file of scenarios/bench, run through the ordinary path.
type model struct {
	file    string // without folder and suffix
	each    uint64 // ops for each that n counts; 0: 1
	figures []string
}

// Read reads a file of scenarios/bench, without folder and suffix, made n long.
func Read(file string, n uint64) (*scenario.Run, error) {
	return read(file, fmt.Sprintf("vars.n=%d", n))
}

// read reads a file of scenarios/bench with some of its variables set.
func read(file string, sets ...string) (*scenario.Run, error) {
	name := "bench/" + file + ".yaml"
	text, err := fs.ReadFile(scenarios.Benchmarks, name)
	if err != nil {
		return nil, err
	}
	runs, err := scenario.Read("scenarios/"+name, text, scenario.Options{Sets: sets})
	if err != nil {
		return nil, err
	}
	return runs[0], nil
}

// ops reads the scenario and runs it: the short run, of which the same is true,
// takes the reading away again.
func (m *model) ops(n uint64) (work, error) {
	r, err := Read(m.file, n/m.each)
	if err != nil {
		return work{}, err
	}
	res, err := held(r.Do())
	if err != nil {
		return work{}, err
	}
	w := work{ops: n / m.each * m.each, events: res.Events}
	for _, name := range m.figures {
		w.figures = append(w.figures, figure{name, stat(res, name)})
	}
	return w, nil
}

// held makes an error of a result that is not as its scenario expects (Z2).
func held(res *run.Result, err error) (*run.Result, error) {
	if err != nil {
		return nil, err
	}
	if res.OK() {
		return res, nil
	}
	why := append(append([]string{}, res.Waits...), res.Broken...)
	for i := range res.Failures {
		f := &res.Failures[i]
		why = append(why, fmt.Sprintf("%s: expected %s, got %s", f.What, f.Expected, f.Got))
	}
	return nil, fmt.Errorf("%s ended %v: %s", res.Name, res.End, strings.Join(why, "; "))
}

// stat is a figure of a run.
func stat(res *run.Result, name string) uint64 {
	for i := range res.Stats {
		if res.Stats[i].Name == name {
			v, err := strconv.ParseUint(res.Stats[i].Value, 10, 64)
			if err != nil {
				panic("bench: a figure is no number: " + err.Error())
			}
			return v
		}
	}
	panic("bench: no figure is called " + name)
}

// requests is a row of a scenario. A short run has a tenth of its ops.
func requests(m model, about, op string, long, quick uint64) spec {
	m.each = max(1, m.each)
	return spec{
		name: m.file, about: about, op: op, long: long, quick: quick, share: 10,
		start: func() (load, error) { return &m, nil },
	}
}
