package lang

import (
	"go.yaml.in/yaml/v4"

	"hcasim/sim"
)

// Version is the version of the language that this room understands.
const Version = 1

// A File is what one file says, its opening and the --set flags merged in. Its
// cases run one by one; without any the file itself is what runs.
//
// All checks have passed. Scenarios returns what runs.
type File struct {
	Pos Pos `yaml:"-"`

	// Version of the language: 1.
	Version int `yaml:"version" min:"1" max:"1"`
	// Kind is scenario, or opening for a set-up that scenarios use.
	Kind string `yaml:"kind" enum:"scenario,opening"`
	// Name of the scenario; results are filed under it.
	Name string `yaml:"name"`
	// About says in a sentence what the scenario shows.
	About string `yaml:"about"`
	// Use names an opening, whose hosts, defaults and configuration lie
	// beneath what this file says.
	Use string `yaml:"use"`

	Setup `yaml:",inline"`

	// Ops are the steps. In a file with cases they run at the start of each, and
	// stand in the scenarios only.
	Ops []Step `yaml:"ops"`
	// Cases are run one by one, each in a fresh world.
	Cases []Case `yaml:"cases"`
	// Expect is judged when the last step has settled.
	Expect *Expect `yaml:"expect"`
	// Thresholds hold the figures of the run, such as "write.p99 <= 3us".
	Thresholds []Threshold `yaml:"thresholds"`
	// Record are figures whose values are kept in NAME.golden.yaml beside the
	// file, for hcasim test to hold later runs to.
	Record []Record `yaml:"record"`

	sources   []Source
	scenarios []Scenario
	tree      *yaml.Node // with openings and flags merged in, for Document
}

// A Setup is the world before time 0. What it declares exists and costs
// nothing.
type Setup struct {
	// Profile names the numbers of the model; empty is spec-ideal.
	Profile string `yaml:"profile"`
	// Variant says how the device differs from the specification.
	Variant Variant `yaml:"variant"`
	// Run has the seed and the limit.
	Run Run `yaml:"run"`
	// Vars are words that stand for values: $name, or ${name*4} within a text.
	Vars Map[string] `yaml:"vars"`
	// Defaults fill in what steps leave out.
	Defaults Defaults `yaml:"defaults"`
	// Hosts by name. A host may be named without a body.
	Hosts Map[Host] `yaml:"hosts"`

	// HCA configures the adapters of all hosts (hcasim params hca).
	HCA *yaml.Node `yaml:"hca"`
	// HostParams configures memory, driver and CPU of all hosts (hcasim params
	// host).
	HostParams *yaml.Node `yaml:"host"`
	// Wire configures the cable (hcasim params wire).
	Wire *yaml.Node `yaml:"wire"`

	// Config lists the three and their like under hosts, general before
	// particular.
	Config []ConfigTree `yaml:"-"`
}

// A ConfigTree is a piece of configuration as it was written. Node positions
// are to be read with File.Pos: nodes of an opening and of flags carry
// encoded line numbers.
type ConfigTree struct {
	Path string // hca, host, wire, or hosts.NAME.hca …
	Node *yaml.Node
}

// Run says how long and with which random numbers.
type Run struct {
	// Seed of all random numbers; 0, and a file that says none, is 1.
	Seed uint64 `yaml:"seed" default:"1"`
	// Until is the limit of simulated time, up to 18,446,744 s: reaching it with
	// work in flight is a failure unless Stop; 60s.
	Until *sim.Duration `yaml:"until" min:"1"`
	// Stop makes reaching Until a regular end.
	Stop bool `yaml:"stop"`
	// Keep says what a result holds of each op: summary, ops or everything;
	// by default ops up to 100,000 of them.
	Keep string `yaml:"keep" enum:"summary,ops,everything"`
	// Limits are what the run may grow to; they are for the mistake of a zero too
	// many, and change no result.
	Limits Limits `yaml:"limits"`
}

// A Variant is a named set of switches and the switches set by hand.
type Variant struct {
	Pos Pos
	// Base is the set: spec, mlx5, rxe; empty is spec.
	Base string
	// Switches in the order written.
	Switches []Switch
}

// A Switch is one choice that implementations make differently.
type Switch struct {
	Pos         Pos
	Name, Value string
}

// Defaults fill in what work requests leave out.
type Defaults struct {
	// Length of a work request's data that says none; without it, the whole
	// region.
	Length *sim.Bytes `yaml:"length" bare:"true"`
}

// A Case is one small scenario of a family.
type Case struct {
	Pos Pos `yaml:"-"`

	// Name of the case within the file.
	Name string `yaml:"name" required:"true"`
	// ID is the number or rule id under which the case is known elsewhere.
	ID string `yaml:"id"`
	// About says in a sentence what the case shows.
	About string `yaml:"about"`
	// Set changes the set-up for this case: paths with dots, to values.
	Set *yaml.Node `yaml:"set"`
	// Ops are the steps, after those of the file.
	Ops []Step `yaml:"ops"`
	// Expect is judged when the last step has settled.
	Expect *Expect `yaml:"expect"`
	// Thresholds of this case, besides those of the file.
	Thresholds []Threshold `yaml:"thresholds"`
	// Record of this case, besides that of the file.
	Record []Record `yaml:"record"`

	// Setup is the file's with Set merged in; shared with the file when there
	// is none.
	Setup *Setup `yaml:"-"`
}

// A Scenario is what runs: one world and its steps.
type Scenario struct {
	File *File
	Case *Case // nil for a file without cases
	*Setup

	Name       string // NAME, or NAME/CASE
	Ops        []Step // numbered from 1 by position: Step.Number
	Expect     []*Expect
	Thresholds []Threshold
	Record     []Record // of two that name one figure the last counts

	named map[*yaml.Node]distribution // by the nodes of File.tree that name a file
}

// A Threshold bounds a figure of the whole run: FIGURE RELATION VALUE, such as
// write.p99 <= 3us.
type Threshold struct {
	Pos    Pos
	Metric string // name of the figure, such as write.p99
	Op     Relation
	// Value is in the figure's base unit: picoseconds, bytes, bit/s or plain;
	// Unit tells which. Millionths are kept for plain numbers.
	Value Quantity
}
