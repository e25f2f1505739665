package suite

import (
	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// The files as they are written. What has a form of its own is a node, read
// further on; no variable is put in here.

type itemDoc struct {
	Pos       lang.Pos   `yaml:"-"`
	Version   int        `yaml:"version" required:"true" min:"1" max:"1"`
	Kind      string     `yaml:"kind" required:"true" enum:"validation"`
	ID        *yaml.Node `yaml:"id" raw:"true" required:"true"`
	About     string     `yaml:"about" required:"true"`
	Class     string     `yaml:"class" enum:"X,C,V" required:"true"`
	Tolerance *yaml.Node `yaml:"tolerance" raw:"true" required:"true"`
	Fast      *bool      `yaml:"fast"`
	Testbed   *yaml.Node `yaml:"testbed" raw:"true"`
	Scenario  *yaml.Node `yaml:"scenario" raw:"true"`
	Curves    []curveDoc `yaml:"curves" required:"true"`
	Shapes    []shapeDoc `yaml:"shapes"`
}

type curveDoc struct {
	Pos        lang.Pos   `yaml:"-"`
	Name       string     `yaml:"name" required:"true"`
	Source     string     `yaml:"source" required:"true"`
	Unit       string     `yaml:"unit"`
	Scenario   *yaml.Node `yaml:"scenario" raw:"true"`
	Vars       *yaml.Node `yaml:"vars" raw:"true"`
	Set        *yaml.Node `yaml:"set" raw:"true"`
	Metric     *yaml.Node `yaml:"metric" raw:"true"`
	Encode     *yaml.Node `yaml:"encode" raw:"true"`
	Absolute   *yaml.Node `yaml:"absolute" raw:"true"`
	Tolerance  *yaml.Node `yaml:"tolerance" raw:"true"`
	Bound      string     `yaml:"bound" enum:"both,upper"`
	Points     *yaml.Node `yaml:"points" raw:"true" required:"true"`
	Disagree   *yaml.Node `yaml:"disagree" raw:"true"`
	FastPoints *yaml.Node `yaml:"fast_points" raw:"true"`
	Minus      *yaml.Node `yaml:"minus" raw:"true"`
	Over       *yaml.Node `yaml:"over" raw:"true"`
	ShareOf    *yaml.Node `yaml:"share_of" raw:"true"`
}

type pointDoc struct {
	Value     *yaml.Node `yaml:"value" raw:"true"`
	Tolerance *yaml.Node `yaml:"tolerance" raw:"true"`
}

type shapeDoc struct {
	Pos     lang.Pos   `yaml:"-"`
	Curve   *yaml.Node `yaml:"curve" raw:"true" required:"true"`
	Largest *yaml.Node `yaml:"largest_change_between" raw:"true"`
	Peak    *yaml.Node `yaml:"peak_between" raw:"true"`
	Knee    *yaml.Node `yaml:"knee_between" raw:"true"`
	Steps   *yaml.Node `yaml:"steps" raw:"true"`
}

type testbedDoc struct {
	Version  int          `yaml:"version" required:"true" min:"1" max:"1"`
	Kind     string       `yaml:"kind" required:"true" enum:"testbed"`
	Name     *yaml.Node   `yaml:"name" raw:"true" required:"true"`
	About    string       `yaml:"about" required:"true"`
	Source   string       `yaml:"source"`
	Facts    *yaml.Node   `yaml:"facts" raw:"true"`
	Constant *constantDoc `yaml:"constant"`
}

type constantDoc struct {
	Value    *yaml.Node `yaml:"value" raw:"true" required:"true"`
	Source   string     `yaml:"source" required:"true"`
	FittedOn *yaml.Node `yaml:"fitted_on" raw:"true"`
}
