package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hcasim/report"
	"hcasim/scenario"
	"hcasim/whole"
)

// The files of results that are read, and their formats.
const (
	summaryFile  = "summary.json"
	configFile   = "config.yaml"
	manifestFile = "manifest.json"
	planFile     = "plan.json"
	pointsFile   = "points.csv"

	runFormat   = "hcasim.run"
	sweepFormat = "hcasim.sweep"
	version     = 1
)

// A side is one of the two results.
type side struct {
	path    string // as it was named
	folder  string // "" for a file alone
	run     *runDoc
	sweep   *table
	config  []scenario.Line // nil: it is not there
	model   int             // version of the model; 0: nothing says it
	summary string          // file
}

// A runDoc is what a summary.json says of a run, as far as it is compared.
type runDoc struct {
	Name     string       `json:"name"`
	Profile  string       `json:"profile"`
	Variant  string       `json:"variant"`
	Seed     uint64       `json:"seed"`
	OK       bool         `json:"ok"`
	End      string       `json:"end"`
	Expected tallyDoc     `json:"expectations"`
	Limits   tallyDoc     `json:"thresholds"`
	Kinds    []kindDoc    `json:"requests"`
	Traffic  []trafficDoc `json:"traffic"`
	Failures []failureDoc `json:"failures"`
	Stats    []statDoc    `json:"stats"`
}

type tallyDoc struct{ Held, Asked int }

type spreadDoc struct {
	Min  uint64 `json:"min_ps"`
	P50  uint64 `json:"p50_ps"`
	P99  uint64 `json:"p99_ps"`
	P999 uint64 `json:"p999_ps"`
	Max  uint64 `json:"max_ps"`
}

type kindDoc struct {
	Request string     `json:"request"`
	Count   uint64     `json:"count"`
	Failed  uint64     `json:"failed"`
	Pending uint64     `json:"pending"`
	Latency *spreadDoc `json:"latency"`
}

type trafficDoc struct {
	Step    int       `json:"step"`
	Request string    `json:"request"`
	Count   uint64    `json:"count"`
	Failed  uint64    `json:"failed"`
	Bytes   uint64    `json:"bytes"`
	Elapsed uint64    `json:"elapsed_ps"`
	Latency spreadDoc `json:"latency"`
	Mean    uint64    `json:"mean_ps"`
}

type failureDoc struct {
	Line     int    `json:"line"`
	Step     string `json:"step"`
	What     string `json:"what"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

type statDoc struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit"`
}

// read reads a side.
func read(path string) (*side, error) {
	s := &side{path: path}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() && strings.HasSuffix(path, ".yaml") {
		return nil, report.NoResult(path)
	}
	s.folder, s.summary = path, filepath.Join(path, summaryFile)
	if !info.IsDir() {
		s.folder, s.summary = "", path
		if filepath.Base(path) == summaryFile {
			s.folder = filepath.Dir(path)
		}
	} else if s.folder, err = only(path); err != nil {
		return nil, err
	} else {
		s.summary = filepath.Join(s.folder, summaryFile)
	}
	return s, s.load()
}

// only returns the folder of the one result in a folder, which may be itself.
func only(path string) (string, error) {
	if there(filepath.Join(path, summaryFile)) {
		return path, nil
	}
	if there(filepath.Join(path, planFile)) {
		return "", fmt.Errorf("%s: this sweep has no summary.json yet: hcasim sweep merge %s", path, path)
	}
	found, err := filepath.Glob(filepath.Join(path, "*", summaryFile))
	switch {
	case err != nil || len(found) == 0:
		return "", fmt.Errorf("%s: there is no result in this folder: hcasim run SCENARIO --out %s/NAME writes one, hcasim test --keep %s those of all scenarios", path, path, path)
	case len(found) > 1:
		var names []string
		for _, f := range found {
			names = append(names, filepath.Dir(f))
		}
		return "", fmt.Errorf("%s: there are %d results in this folder, name one: %s", path, len(found), strings.Join(names, ", "))
	}
	return filepath.Dir(found[0]), nil
}

func there(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// load reads the files.
func (s *side) load() error {
	text, err := os.ReadFile(s.summary)
	if err != nil {
		return fmt.Errorf("%s: %w", s.summary, whole.Reason(err))
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	switch err := json.Unmarshal(text, &head); {
	case err != nil:
		return s.strange(err)
	case head.Format != runFormat && head.Format != sweepFormat:
		return fmt.Errorf("%s: format %q is none that can be compared: %s, %s", s.summary, head.Format, runFormat, sweepFormat)
	case head.Version != version:
		return fmt.Errorf("%s: %s version %d is of another hcasim; this one reads version %d", s.summary, head.Format, head.Version, version)
	}
	if err := s.beside(); err != nil {
		return err
	}
	if head.Format == sweepFormat {
		s.sweep, err = readTable(s, text)
		return err
	}
	s.run = &runDoc{}
	if err := json.Unmarshal(text, s.run); err != nil {
		return s.strange(err)
	}
	return nil
}

// strange says of a summary that it is none, in words of JSON.
func (s *side) strange(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field == "" {
		return fmt.Errorf("%s: this is no summary of a result: it cannot be a %s", s.summary, wrong.Value)
	}
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: this is no summary of a result: %q cannot be a %s", s.summary, wrong.Field, wrong.Value)
	}
	return fmt.Errorf("%s: this is no summary of a result: %w", s.summary, err)
}

// beside reads what lies beside the summary, as far as it is there.
func (s *side) beside() error {
	if s.folder == "" {
		return nil
	}
	for _, name := range []string{manifestFile, planFile} {
		text, err := os.ReadFile(filepath.Join(s.folder, name))
		if err != nil {
			continue
		}
		var m struct {
			Version int            `json:"version"`
			Model   int            `json:"model_version"`
			Files   report.Digests `json:"files"`
		}
		if err := json.Unmarshal(text, &m); err != nil || m.Model < 1 {
			return fmt.Errorf("%s is cut off, or no file of hcasim: make the result anew", filepath.Join(s.folder, name))
		}
		if m.Version != version {
			return fmt.Errorf("%s is of version %d, and this program reads %d: another hcasim made it; make the result anew", filepath.Join(s.folder, name), m.Version, version)
		}
		if s.model != 0 && s.model != m.Model {
			return fmt.Errorf("%s is of model %d, and what lies beside it of model %d: make the result anew", filepath.Join(s.folder, name), m.Model, s.model)
		}
		s.model = m.Model
		if err := m.Files.Hold(s.folder, summaryFile, configFile, pointsFile, pointsFile+".gz"); err != nil {
			return fmt.Errorf("%w: make the result anew", err)
		}
	}
	text, err := os.ReadFile(filepath.Join(s.folder, configFile))
	if err != nil {
		return nil
	}
	s.config, err = scenario.Flat(filepath.Join(s.folder, configFile), text)
	return err
}

// name is what the side is called in a table.
func (s *side) name() string {
	path := nameOf(s.path)
	if s.folder == "" || filepath.Base(path) == summaryFile {
		path = filepath.ToSlash(filepath.Dir(path))
	}
	return path
}

func nameOf(path string) string { return filepath.ToSlash(filepath.Clean(path)) }
