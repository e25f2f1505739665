package lang

import (
	"fmt"
	"math/bits"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/sim"
)

// scaled reads a decimal number as so many parts of one (one million, say),
// exactly.
func scaled(s string, parts uint64) (uint64, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	w, err := strconv.ParseUint(whole, 10, 64)
	if err != nil {
		return 0, false
	}
	over, v := bits.Mul64(w, parts)
	for _, r := range fraction {
		if r < '0' || r > '9' || parts%10 != 0 {
			return 0, false
		}
		parts /= 10
		v += uint64(r-'0') * parts
	}
	return v, over == 0 && v < 1<<63
}

const million = 1_000_000

func (x *Probability) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a probability")
	if !ok {
		return
	}
	var v uint64
	if of, per, found := strings.Cut(s, "/"); found {
		a, err1 := strconv.ParseUint(strings.TrimSpace(of), 10, 32)
		b, err2 := strconv.ParseUint(strings.TrimSpace(per), 10, 32)
		if ok = err1 == nil && err2 == nil && b > 0; ok {
			v = a * million / b
			ok = v*b == a*million
		}
	} else if percent, found := strings.CutSuffix(s, "%"); found {
		v, ok = scaled(strings.TrimSpace(percent), million/100)
	} else {
		v, ok = scaled(s, million)
	}
	if !ok || v > million {
		d.node(n, fmt.Sprintf("want a probability, not %q", s), "such as 0.001, 0.1 % or 1/1000, in whole millionths")
		return
	}
	*x = Probability(v)
}

func (x *Count) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a count")
	if !ok {
		return
	}
	v, ok := parseCount(s)
	if !ok || v == 0 {
		d.node(n, fmt.Sprintf("want a count, not %q", s), "such as 1000, 10k or 10M")
		return
	}
	*x = Count(v)
}

// multiples are the letters that may follow a count.
var multiples = []struct {
	letter string
	parts  uint64
}{{"k", 1e3}, {"M", 1e6}, {"G", 1e9}}

func parseCount(s string) (uint64, bool) {
	for _, m := range multiples {
		if digits, ok := strings.CutSuffix(s, m.letter); ok {
			return scaled(strings.TrimSpace(digits), m.parts)
		}
	}
	v, err := strconv.ParseUint(strings.ReplaceAll(s, "_", ""), 10, 63)
	return v, err == nil
}

func (x *Quantity) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a quantity")
	if !ok {
		return
	}
	if *x, ok = parseQuantity(s); !ok {
		d.node(n, fmt.Sprintf("want a number with its unit, not %q", s), "such as 3us, 4KiB, 100Gb/s, 5Mop/s, 0.99 or 2 %")
	}
}

// parseQuantity reads a number and its unit; without a unit it is plain, in
// millionths.
func parseQuantity(s string) (Quantity, bool) {
	s = strings.TrimSpace(s)
	if digits, ok := strings.CutSuffix(s, "%"); ok {
		v, ok := scaled(strings.TrimSpace(digits), million/100)
		return Quantity{v, Plain}, ok
	}
	if digits, ok := strings.CutSuffix(s, "op/s"); ok {
		v, ok := parseCount(strings.TrimSpace(digits))
		return Quantity{v, UnitOps}, ok
	}
	if v, ok := scaled(s, million); ok {
		return Quantity{v, Plain}, true
	}
	var t sim.Duration
	if t.UnmarshalText([]byte(s)) == nil {
		return Quantity{uint64(t), UnitTime}, true
	}
	var b sim.Bytes
	if b.UnmarshalText([]byte(s)) == nil {
		return Quantity{uint64(b), UnitBytes}, true
	}
	var r sim.BitRate
	if r.UnmarshalText([]byte(s)) == nil {
		return Quantity{uint64(r), UnitRate}, true
	}
	return Quantity{}, false
}

// relations, longest first, so that <= is not read as <.
var relations = []Relation{LessEqual, MoreEqual, NotEqual, Equal, Less, More}

// compare splits "a <= b".
func compare(s string) (left string, r Relation, right string, ok bool) {
	at := strings.IndexAny(s, "<>=!")
	if at < 0 {
		return "", "", "", false
	}
	for _, r := range relations {
		if strings.HasPrefix(s[at:], string(r)) {
			return strings.TrimSpace(s[:at]), r, strings.TrimSpace(s[at+len(r):]), true
		}
	}
	return "", "", "", false
}

func (x *Threshold) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	s, ok := d.text(n, "a comparison")
	if !ok {
		return
	}
	left, r, right, ok := compare(s)
	if ok {
		x.Metric, x.Op = left, r
		x.Value, ok = parseQuantity(right)
	}
	if !ok || strings.ContainsAny(left, " \t") || left == "" {
		d.node(n, fmt.Sprintf("want FIGURE RELATION VALUE, not %q", s), `such as write.p99 <= 3us`)
	}
}

// boundsForm is the mapping form of Bounds.
type boundsForm struct {
	// Min is the least that is allowed.
	Min *sim.Duration `yaml:"min"`
	// Max is the most that is allowed.
	Max *sim.Duration `yaml:"max"`
}

func (x *Bounds) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	switch n.Kind {
	case yaml.SequenceNode:
		for _, item := range n.Content {
			x.one(d, item)
		}
	case yaml.MappingNode:
		var f boundsForm
		d.structure(n, reflect.ValueOf(&f))
		if f.Min != nil {
			*x = append(*x, Bound{Pos: d.pos(n), Op: MoreEqual, Value: *f.Min})
		}
		if f.Max != nil {
			*x = append(*x, Bound{Pos: d.pos(n), Op: LessEqual, Value: *f.Max})
		}
	default:
		x.one(d, n)
	}
}

// one reads "<= 3us" or ">= 10 x w1".
func (x *Bounds) one(d *decoder, n *yaml.Node) {
	s, ok := d.text(n, "a comparison")
	if !ok {
		return
	}
	b := Bound{Pos: d.pos(n)}
	left, r, right, ok := compare(s)
	b.Op = r
	if factor, of, found := strings.Cut(right, " x "); ok && found {
		b.Factor, ok = scaled(strings.TrimSpace(factor), million)
		b.Of = strings.TrimSpace(of)
	} else if ok {
		ok = b.Value.UnmarshalText([]byte(right)) == nil
	}
	if !ok || left != "" {
		d.node(n, fmt.Sprintf("want a comparison, not %q", s), `such as "<= 3us" or ">= 10 x w1"`)
		return
	}
	*x = append(*x, b)
}
