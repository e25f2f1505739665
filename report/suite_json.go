package report

import (
	"errors"
	"io"

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
	Figures figuresDoc  `json:"figures"`
	Topics  []topicDoc  `json:"topics"`
}

// A figuresDoc is how figures compare with those recorded.
type figuresDoc struct {
	tallyDoc
	NotHeld  string       `json:"not_held_for,omitempty"` // a flag
	Failures []failureDoc `json:"failures,omitempty"`
	Changes  []changeDoc  `json:"changes,omitempty"`
}

type changeDoc struct {
	Run    string `json:"run"`
	Figure string `json:"figure"`
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`
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
	Figures  *figuresDoc  `json:"figures,omitempty"`
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
	d.Figures = figuresOf(t)
	for _, rec := range t.Records {
		run := rec.summaryDoc()
		run.Format, run.Version, run.Folder, run.OK = "", 0, rec.Folder, rec.OK()
		d.Runs = append(d.Runs, run)
	}
	return d
}

// figuresOf is what a file says of recorded figures; nil for nothing.
func figuresOf(t *Tested) *figuresDoc {
	d := &figuresDoc{}
	for _, f := range t.Stale {
		d.Failures = append(d.Failures, docOfFailure(f))
	}
	for _, rec := range t.Records {
		d.Held += rec.Figures.Held
		d.Asked += rec.Figures.Asked
		for _, f := range rec.Figures.Failures {
			d.Failures = append(d.Failures, docOfFailure(f))
		}
	}
	for _, c := range t.Changes {
		d.Changes = append(d.Changes, changeDoc{c.Run, c.Figure, c.Old, c.New})
	}
	if d.Asked == 0 && d.Failures == nil && d.Changes == nil {
		return nil
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

// A jsonSheet is one document, written at the end.
type jsonSheet struct {
	w   io.Writer
	doc suiteDoc
}

func (s *jsonSheet) add(t *Tested) error {
	s.doc.Files = append(s.doc.Files, docOfTested(t))
	return nil
}

func (s *jsonSheet) close(of *Suite) error {
	d, n := &s.doc, &of.Sum
	d.Format, d.Version = "hcasim.test", formatVersion
	d.OK, d.Ran, d.Bad, d.Cases, d.Held, d.Asked = n.Bad == 0, n.Files, n.Bad, n.Cases, n.Held, n.Asked
	d.Figures.tallyDoc = tallyDoc{n.FiguresHeld, n.Figures}
	if of.golden {
		d.Figures.NotHeld = of.unheld
	}
	d.Topics = byTopic(of.ran)
	return Indented(s.w, d)
}
