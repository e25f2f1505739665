package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hcasim/report"
	"hcasim/scenario"
	"hcasim/scenario/lang"
	"hcasim/scenario/sweep"
)

// MaxPoints bounds the points of a study that says no limits.
const MaxPoints = sweep.MaxPoints

// A Plan is a study with all its points: what plan.json holds. Whoever has it
// can run a part, or merge all.
type Plan struct {
	Format       string       `json:"format"`
	Version      int          `json:"version"`
	Hash         string       `json:"hash"` // over axes, metrics and points; not over what is expected or drawn
	ModelVersion int          `json:"model_version"`
	Name         string       `json:"name"`
	Question     string       `json:"question"`
	Short        bool         `json:"short"`
	Sets         []string     `json:"sets"`
	Repeat       int          `json:"repeat"`
	Shards       int          `json:"shards"` // 0: nobody has said
	Axes         []AxisDoc    `json:"axes"`
	Metrics      []MetricDoc  `json:"metrics"`
	Points       []PlannedDoc `json:"points"`
	Inputs       string       `json:"inputs"` // digest of the files that it was made of
	Study        StudyDoc     `json:"study"`
}

// An AxisDoc is an axis in JSON.
type AxisDoc struct {
	Name   string   `json:"name"`
	Label  string   `json:"label"`
	Unit   string   `json:"unit"`
	Words  bool     `json:"words"` // values are words, in this order
	Values []string `json:"values"`
}

// A MetricDoc is a metric in JSON.
type MetricDoc struct {
	Name  string `json:"name"`
	Of    string `json:"of"`
	Unit  string `json:"unit"`
	Label string `json:"label"`
}

// A PlannedDoc is a point in plan.json.
type PlannedDoc struct {
	Index  int      `json:"index"`
	Values []string `json:"values"` // of each axis
	Seed   uint64   `json:"seed"`
	Hash   string   `json:"hash"` // of the run; its result is points/HASH.json
}

// A StudyDoc is the study as it was written.
type StudyDoc struct {
	File string `json:"file"`
	Text string `json:"text"`
}

const (
	planFormat  = "hcasim.plan"
	planVersion = 1
	planFile    = "plan.json"
)

// newPlan makes the plan of a study that has its digests.
func newPlan(s *sweep.Study) *Plan {
	src, inputs := s.Source(), s.Inputs()
	p := &Plan{
		Format: planFormat, Version: planVersion, ModelVersion: scenario.ModelVersion, Name: s.Name, Question: s.Question,
		Short: s.Short, Sets: append([]string{}, s.Sets...), Repeat: s.Repeat, Shards: s.Shards,
		Axes: axisDocs(s), Metrics: metricDocs(s), Points: make([]PlannedDoc, s.Count()),
		Inputs: hex.EncodeToString(inputs[:]), Study: StudyDoc{filepath.ToSlash(src.Name), string(src.Data)},
	}
	for i := range p.Points {
		one := s.Point(i)
		p.Points[i] = PlannedDoc{Index: i, Values: texts(one.Values), Seed: one.Seed, Hash: pointHash(s.Digests[i])}
	}
	p.Hash = p.digest()
	return p
}

func axisDocs(s *sweep.Study) []AxisDoc {
	list := make([]AxisDoc, len(s.Axes))
	for i, a := range s.Axes {
		list[i] = AxisDoc{a.Name, a.Label, a.Unit, a.Words, texts(a.Values)}
	}
	return list
}

func metricDocs(s *sweep.Study) []MetricDoc {
	list := make([]MetricDoc, len(s.Metrics))
	for i, m := range s.Metrics {
		list[i] = MetricDoc{m.Name, m.Text, m.Unit, m.Label}
	}
	return list
}

func texts(values []*sweep.Value) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = v.Text
	}
	return list
}

// pointHash names a point among all that there can be.
func pointHash(digest [sha256.Size]byte) string { return hex.EncodeToString(digest[:8]) }

// digest is the hash of a plan.
func (p *Plan) digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "hcasim plan %d of model %d, %q, short %v\n", planVersion, p.ModelVersion, p.Name, p.Short)
	for _, a := range p.Axes {
		fmt.Fprintf(h, "axis %q %q\n", a.Name, a.Unit)
	}
	for _, m := range p.Metrics {
		fmt.Fprintf(h, "metric %q %q %q\n", m.Name, m.Of, m.Unit)
	}
	for _, one := range p.Points {
		fmt.Fprintf(h, "point %q %d %s\n", one.Values, one.Seed, one.Hash)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// place returns the folder of the plan when it is not told: NAME/HASH.
func (p *Plan) place() string { return filepath.Join("results", p.Name, p.Hash[:8]) }

// errNoPlan says that a folder has none.
var errNoPlan = errors.New("there is no plan")

// readPlan reads the plan of a folder. One that is cut off is none.
func readPlan(dir string) (*Plan, error) {
	text, err := os.ReadFile(filepath.Join(dir, planFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoPlan
	}
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	if json.Unmarshal(text, p) != nil || p.Format != planFormat {
		return nil, errNoPlan
	}
	if p.Version != planVersion {
		return nil, fmt.Errorf("%s is of version %d, and this program reads %d: another hcasim made it; plan anew in another folder", filepath.Join(dir, planFile), p.Version, planVersion)
	}
	return p, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// openPlan reads the plan of a folder, to look at what has come of it.
func openPlan(dir string) (*Plan, error) {
	p, err := readPlan(dir)
	if at := filepath.Join(dir, planFile); errors.Is(err, errNoPlan) && exists(at) {
		return nil, fmt.Errorf("%s is cut off, or no plan of a sweep; hcasim sweep plan STUDY --out %s makes it anew", at, dir)
	}
	if errors.Is(err, errNoPlan) {
		return nil, fmt.Errorf("%s: there is no plan.json here; hcasim sweep plan STUDY --out %s makes one", dir, dir)
	}
	if errors.As(err, new(*fs.PathError)) {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, planFile), plainly(err))
	}
	if err != nil {
		return nil, err
	}
	if p.ModelVersion != scenario.ModelVersion {
		return nil, fmt.Errorf("%s: the plan is of model %d, this program has model %d: plan anew in another folder", dir, p.ModelVersion, scenario.ModelVersion)
	}
	if p.Hash != p.digest() {
		return nil, fmt.Errorf("%s: plan.json was changed by hand: its hash is not %s; plan anew in another folder", dir, p.Hash)
	}
	return p, nil
}

// study reads the study of a plan again, without its scenarios.
func (p *Plan) study() (*sweep.Study, error) {
	s, err := sweep.Read(lang.Source{Name: filepath.FromSlash(p.Study.File), Data: []byte(p.Study.Text)},
		sweep.Options{Short: p.Short, Sets: p.Sets, Heads: true})
	if err != nil {
		return nil, err
	}
	if s.Count() != len(p.Points) {
		return nil, fmt.Errorf("plan.json has %d points, its study %d: plan anew in another folder", len(p.Points), s.Count())
	}
	return s, nil
}

// settle puts the plan into its folder, or finds it there. Two that come at
// the same time write the same.
func (p *Plan) settle(dir string) error {
	was, err := readPlan(dir)
	switch {
	case errors.Is(err, errNoPlan), errors.As(err, new(*fs.PathError)):
		if err := vacant(dir); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if err := p.agree(was, dir); err != nil {
			return err
		}
		if p.Shards == 0 {
			p.Shards = was.Shards
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, pointsFolder), 0o777); err != nil {
		return unwritten(dir, err)
	}
	if was != nil && same(was, p) {
		return nil
	}
	err = report.File(filepath.Join(dir, planFile)).Write(func(w io.Writer) error { return report.Indented(w, p) })
	if err != nil {
		return &Unwritten{err}
	}
	return nil
}

// agree returns why a plan cannot take the place of the one that is there.
func (p *Plan) agree(was *Plan, dir string) error {
	switch {
	case was.ModelVersion != p.ModelVersion:
		return fmt.Errorf("--out %s: the plan there is of model %d, this program has model %d; name another folder", dir, was.ModelVersion, p.ModelVersion)
	case was.Hash != p.Hash && was.Name != p.Name:
		return fmt.Errorf("--out %s: the plan there is of another study, %q; name another folder", dir, was.Name)
	case was.Hash != p.Hash:
		return fmt.Errorf("--out %s: the plan there is %s, of %q as it was%s; this one is %s%s: name another folder",
			dir, was.Hash[:8], was.Name, inShort(was), p.Hash[:8], inShort(p))
	case p.Shards != 0 && was.Shards != 0 && p.Shards != was.Shards:
		return fmt.Errorf("--out %s: the plan there has %d shards, not %d", dir, was.Shards, p.Shards)
	}
	return nil
}

func inShort(p *Plan) string {
	if p.Short {
		return " in its short form"
	}
	return ""
}

func same(a, b *Plan) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
