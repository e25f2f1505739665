package sweep

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"hcasim/report"
)

// A Status is how far a sweep is, by what lies in its folder.
type Status struct {
	Plan    *Plan
	Dir     string
	Done    int
	Failed  []int // of those that are done
	Missing []int
	Mixture []string // results that belong to something else
}

// Look finds out how far a sweep is.
func Look(dir string) (*Status, error) {
	p, err := openPlan(dir)
	if err != nil {
		return nil, err
	}
	s := &Status{Plan: p, Dir: dir}
	for i := range p.Points {
		d, err := p.readPoint(dir, p.Points[i].Hash)
		var other *strange
		switch {
		case errors.As(err, &other):
			s.Mixture = append(s.Mixture, other.why)
			s.Missing = append(s.Missing, i)
		case errors.Is(err, errNoPoint):
			s.Missing = append(s.Missing, i)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", dir, plainly(err))
		default:
			s.Done++
			if len(d.Failures) > 0 {
				s.Failed = append(s.Failed, i)
			}
		}
	}
	return s, nil
}

// StatusFormats are the forms of a Status.
var StatusFormats = []string{"text", "json"}

// Write writes the status in one of StatusFormats.
func (s *Status) Write(w io.Writer, format string) error {
	if format == "json" {
		return report.Indented(w, statusDoc{
			Format: "hcasim.status", Version: 1, Name: s.Plan.Name, Hash: s.Plan.Hash, Points: len(s.Plan.Points), Done: s.Done,
			Shards: s.Plan.Shards, Failed: orEmpty(s.Failed), Missing: orEmpty(s.Missing), Array: s.array(), Mixture: s.Mixture,
		})
	}
	_, err := io.WriteString(w, s.text())
	return err
}

type statusDoc struct {
	Format  string   `json:"format"`
	Version int      `json:"version"`
	Name    string   `json:"name"`
	Hash    string   `json:"hash"`
	Points  int      `json:"points"`
	Done    int      `json:"done"`
	Shards  int      `json:"shards"`
	Failed  []int    `json:"failed"`
	Missing []int    `json:"missing"`
	Array   string   `json:"array"` // tasks to run again, as engines take them
	Mixture []string `json:"mixture,omitempty"`
}

func orEmpty(list []int) []int {
	if list == nil {
		return []int{}
	}
	return list
}

// array are the tasks that have points without a result.
func (s *Status) array() string {
	if s.Plan.Shards == 0 || len(s.Missing) == 0 {
		return ""
	}
	return ranges(shardsOf(s.Missing, s.Plan.Shards))
}

func (s *Status) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · done %d/%d, failed %d, missing %d\n", s.Plan.Name, s.Done, len(s.Plan.Points), len(s.Failed), len(s.Missing))
	if len(s.Failed) > 0 {
		fmt.Fprintf(&b, "failed   points %s\n", some(s.Failed))
	}
	if len(s.Missing) > 0 {
		fmt.Fprintf(&b, "missing  points %s\n", some(s.Missing))
	}
	if array := s.array(); array != "" {
		fmt.Fprintf(&b, "run again --array=%s   of %d shards\n", array, s.Plan.Shards)
	}
	for _, why := range s.Mixture {
		fmt.Fprintf(&b, "mixture  %s\n", why)
	}
	if len(s.Missing) == 0 {
		fmt.Fprintf(&b, "hcasim sweep merge %s\n", s.Dir)
	}
	return b.String()
}
