package report

import (
	"errors"

	"hcasim/scenario"
)

// A suiteDoc is a test.
type suiteDoc struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	OK      bool        `json:"ok"`
	Files   []testedDoc `json:"files"`
	Ran     int         `json:"files_run"`
	Bad     int         `json:"files_failed"`
	Cases   int         `json:"cases"`
	Held    int         `json:"expectations_held"`
	Asked   int         `json:"expectations"`
	Topics  []topicDoc  `json:"topics"`
}

// A topicDoc is what the files of a topic (scenario.Topics) hold.
type topicDoc struct {
	Topic string `json:"topic"`
	Files int    `json:"files"`
	Cases int    `json:"cases"`
	Held  int    `json:"expectations_held"`
	Asked int    `json:"expectations"`
}

// byTopic sums the files of each topic, in the order in which they were met.
func byTopic(files []topicDoc) []topicDoc {
	paths := make([]string, len(files))
	for i := range files {
		paths[i] = files[i].Topic
	}
	place, sums := map[string]int{}, []topicDoc{}
	for i, topic := range scenario.Topics(paths) {
		n, known := place[topic]
		if !known {
			n = len(sums)
			place[topic] = n
			sums = append(sums, topicDoc{Topic: topic})
		}
		sum := &sums[n]
		sum.Files++
		sum.Cases += files[i].Cases
		sum.Held += files[i].Held
		sum.Asked += files[i].Asked
	}
	return sums
}

type testedDoc struct {
	File     string       `json:"file"`
	Status   string       `json:"status"` // ok, failed, wrong, mute, skipped, not-run
	Kind     string       `json:"kind"`
	Mistakes []mistakeDoc `json:"mistakes,omitempty"`
	Runs     []runDoc     `json:"runs,omitempty"`
}

type mistakeDoc struct {
	File       string `json:"file"`
	Line       int    `json:"line,omitempty"`
	Column     int    `json:"column,omitempty"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion,omitempty"`
}

func docOfTested(t *Tested) testedDoc {
	d := testedDoc{File: t.Path, Kind: "scenario", Status: "ok"}
	switch {
	case t.NotRun:
		d.Status = "not-run"
	case t.Kind != "":
		d.Status, d.Kind = "skipped", t.Kind
	case t.Err != nil:
		d.Status, d.Mistakes = "wrong", mistakesOf(t.Err)
	case t.mute():
		d.Status = "mute"
	case t.Failed():
		d.Status = "failed"
	}
	for _, rec := range t.Records {
		run := rec.summaryDoc()
		run.Format, run.Version, run.Folder = "", 0, rec.Folder
		d.Runs = append(d.Runs, run)
	}
	return d
}

func mistakesOf(err error) (list []mistakeDoc) {
	var m *scenario.Mistakes
	if !errors.As(err, &m) {
		return []mistakeDoc{{Message: err.Error()}}
	}
	for _, p := range m.Problems {
		list = append(list, mistakeDoc{p.File, max(p.Line, 0), p.Column, p.Message, p.Suggestion})
	}
	return list
}

func (s *Suite) json() error {
	d := s.doc
	d.Format, d.Version = "hcasim.test", FormatVersion
	d.OK, d.Ran, d.Bad, d.Cases, d.Held, d.Asked = s.Sum.Bad == 0, s.Sum.Files, s.Sum.Bad, s.Sum.Cases, s.Sum.Held, s.Sum.Asked
	d.Topics = byTopic(s.ran)
	return indented(s.w, d)
}
