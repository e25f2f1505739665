package lang

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v4"

	"hcasim/ib"
	"hcasim/sim"
)

func (x *Shares) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	d.each(n, func(name string, key, value *yaml.Node) {
		s := Share{Pos: d.pos(key)}
		d.value(key, reflect.ValueOf(&s.Opcode).Elem(), "")
		s.Weight, _ = d.unsigned(value, `min:"1"`, 1<<32)
		*x = append(*x, s)
	})
}

// sizesForm is the mapping form of Sizes.
type sizesForm struct {
	// Uniform draws from the least to the greatest of two sizes.
	Uniform []sim.Bytes `yaml:"uniform" bare:"true"`
	// Step of uniform sizes.
	Step *sim.Bytes `yaml:"step" bare:"true"`
	// Choice draws sizes by their weights.
	Choice *yaml.Node `yaml:"choice"`
	// CDF draws by a distribution: a file, or points [size, share].
	CDF Points `yaml:"cdf"`
	// Between is what lies between two points of a CDF: all sizes (linear), or
	// none; linear.
	Between string `yaml:"between" enum:"linear,none"`
}

func (x *Sizes) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	if n.Kind != yaml.MappingNode {
		d.value(n, reflect.ValueOf(&x.Values).Elem(), `bare:"true"`)
		if n.Kind == yaml.SequenceNode {
			x.Kind = SizeList
		}
		return
	}
	var f sizesForm
	d.structure(n, reflect.ValueOf(&f))
	x.Step = 1
	if f.Step != nil {
		x.Step = max(1, *f.Step)
	}
	switch {
	case len(f.Uniform) > 0:
		x.Kind, x.Values = SizeUniform, f.Uniform
		if len(x.Values) != 2 || x.Values[0] > x.Values[1] {
			d.node(n, "uniform needs the least and the greatest size", "such as uniform: [64B, 4KiB]")
		}
	case f.Choice != nil:
		x.Kind = SizeChoice
		x.choice(d, f.Choice)
	case find(n, "cdf") != nil:
		x.Kind, x.Points, x.Stairs = SizeCDF, f.CDF, f.Between == "none"
	default:
		d.node(n, "which sizes?", "say uniform, choice or cdf")
	}
}

// choice reads a mapping from sizes to weights.
func (x *Sizes) choice(d *decoder, n *yaml.Node) {
	d.each(n, func(name string, key, value *yaml.Node) {
		var size sim.Bytes
		d.value(key, reflect.ValueOf(&size).Elem(), `bare:"true"`)
		weight, _ := d.unsigned(value, `min:"1"`, 1<<32)
		x.Values, x.Weights = append(x.Values, size), append(x.Weights, weight)
	})
}

// warmupForm keeps Warmup from reading itself.
type warmupForm Warmup

func (x *Warmup) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if n.Kind == yaml.MappingNode {
		d.structure(n, reflect.ValueOf((*warmupForm)(x)))
		return
	}
	s, ok := d.text(n, "a count or a time")
	if !ok {
		return
	}
	var t sim.Duration
	if c, ok := parseCount(s); ok {
		count := Count(c)
		x.Count = &count
	} else if t.UnmarshalText([]byte(s)) == nil {
		x.Time = &t
	} else {
		d.node(n, fmt.Sprintf("want a count or a time, not %q", s), "such as 1000 or 50us")
	}
}

func isQPState(s string) bool {
	_, ok := ib.ParseQPState(s)
	return ok
}

func qpState(v uint64) *ib.QPState {
	s := ib.QPState(v)
	return &s
}

func queueStates() []string { return ib.QPStateNames() }
