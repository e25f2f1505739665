package sweep

import (
	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// The file as it is written. What has a form of its own is a node, read
// further on.

type studyDoc struct {
	Pos      lang.Pos    `yaml:"-"`
	Version  int         `yaml:"version" required:"true" min:"1" max:"1"`
	Kind     string      `yaml:"kind" required:"true" enum:"study"`
	Name     *yaml.Node  `yaml:"name" raw:"true" required:"true"`
	Question *yaml.Node  `yaml:"question" raw:"true" required:"true"`
	About    *yaml.Node  `yaml:"about" raw:"true"`
	Base     *yaml.Node  `yaml:"base" raw:"true" required:"true"`
	Case     *yaml.Node  `yaml:"case" raw:"true"`
	Profile  *yaml.Node  `yaml:"profile" raw:"true"`
	Set      *yaml.Node  `yaml:"set" raw:"true"`
	Axes     *yaml.Node  `yaml:"axes" raw:"true" required:"true"`
	Design   *yaml.Node  `yaml:"design" raw:"true"`
	Points   *yaml.Node  `yaml:"points" raw:"true"`
	Where    *yaml.Node  `yaml:"where" raw:"true"`
	Repeat   *int        `yaml:"repeat" min:"1" max:"1000"`
	Limits   limitsDoc   `yaml:"limits"`
	Seed     *uint64     `yaml:"seed"`
	Collect  *yaml.Node  `yaml:"collect" raw:"true" required:"true"`
	Keep     string      `yaml:"keep" enum:"summary,ops,everything"`
	Shards   *int        `yaml:"shards" min:"1" max:"100000"`
	Short    *yaml.Node  `yaml:"short" raw:"true"`
	Plots    []plotDoc   `yaml:"plots"`
	Expect   []expectDoc `yaml:"expect"`
}

// shortDoc is what lies over a study in its short form.
type shortDoc struct {
	Axes   *yaml.Node `yaml:"axes" raw:"true"`
	Set    *yaml.Node `yaml:"set" raw:"true"`
	Design *yaml.Node `yaml:"design" raw:"true"`
	Points *yaml.Node `yaml:"points" raw:"true"`
	Where  *yaml.Node `yaml:"where" raw:"true"`
	Repeat *yaml.Node `yaml:"repeat" raw:"true"`
	Expect *yaml.Node `yaml:"expect" raw:"true"`
}

type axisDoc struct {
	Pos    lang.Pos   `yaml:"-"`
	Set    *yaml.Node `yaml:"set" raw:"true"`
	Values *yaml.Node `yaml:"values" raw:"true"`
	From   *yaml.Node `yaml:"from" raw:"true"`
	To     *yaml.Node `yaml:"to" raw:"true"`
	Step   *yaml.Node `yaml:"step" raw:"true"`
	Times  *yaml.Node `yaml:"times" raw:"true"`
	Unit   string     `yaml:"unit"`
	Label  string     `yaml:"label"`
}

type designDoc struct {
	LHS *int `yaml:"lhs" required:"true" min:"1" max:"1000000000"`
}

type limitsDoc struct {
	Points *lang.Count `yaml:"points" min:"1"`
}

type metricDoc struct {
	Of    *yaml.Node `yaml:"of" raw:"true" required:"true"`
	Unit  *string    `yaml:"unit"`
	Label string     `yaml:"label"`
}

type plotDoc struct {
	Pos   lang.Pos   `yaml:"-"`
	Title string     `yaml:"title" required:"true"`
	X     *yaml.Node `yaml:"x" raw:"true" required:"true"`
	Y     *yaml.Node `yaml:"y" raw:"true" required:"true"`
	By    *yaml.Node `yaml:"by" raw:"true"`
	Where *yaml.Node `yaml:"where" raw:"true"`
	Log   *yaml.Node `yaml:"log" raw:"true"`
}

type expectDoc struct {
	Pos       lang.Pos   `yaml:"-"`
	Rises     *yaml.Node `yaml:"rises" raw:"true"`
	Falls     *yaml.Node `yaml:"falls" raw:"true"`
	Flat      *yaml.Node `yaml:"flat" raw:"true"`
	Knee      *yaml.Node `yaml:"knee" raw:"true"`
	Ratio     *yaml.Node `yaml:"ratio" raw:"true"`
	Crossover *yaml.Node `yaml:"crossover" raw:"true"`
	Holds     *yaml.Node `yaml:"holds" raw:"true"`

	Along   *yaml.Node `yaml:"along" raw:"true"`
	Where   *yaml.Node `yaml:"where" raw:"true"`
	Slack   *yaml.Node `yaml:"slack" raw:"true"`
	Within  *yaml.Node `yaml:"within" raw:"true"`
	Between *yaml.Node `yaml:"between" raw:"true"`
	Bend    string     `yaml:"bend" enum:"up,down"`
	Of      *yaml.Node `yaml:"of" raw:"true"`
	To      *yaml.Node `yaml:"to" raw:"true"`
	AtLeast *yaml.Node `yaml:"at_least" raw:"true"`
	AtMost  *yaml.Node `yaml:"at_most" raw:"true"`
	Exists  *bool      `yaml:"exists"`
}
