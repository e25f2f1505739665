package conform

import (
	"slices"
	"strings"
)

// A view is what is expected of a case under one variant.
type view struct {
	outcome Outcome
	wire    [][]Packet // one of these; none is asked for if there are none
	silent  bool       // packets: none
}

// views returns what is expected under spec and under rxe, the differences
// of the case applied. Where the specification says nothing, spec is held to
// what was seen as well.
func views(c *Case, differences []Difference) (spec, rxe view) {
	spec, rxe = view{outcome: c.Spec}, view{outcome: seen(c)}
	if len(c.Spec) == 0 {
		spec.outcome = c.Seen
	}
	for _, t := range c.Seen {
		// A refusal on the way to what the specification asks.
		if strings.HasSuffix(t.What, ".errno") && t.Values[0] != "OK" && c.Spec.get(t.What) == nil && c.Spec.allows(c.Seen) && len(c.Spec) > 0 {
			spec.outcome = append(slices.Clone(spec.outcome), t)
		}
	}
	for _, k := range []struct {
		seen Outcome
		wire []Packet
	}{{c.Seen, c.Wire}, {c.Later, c.LaterWire}} {
		if c.Spec.allows(k.seen) {
			spec.saw(k.wire)
		}
		if sameOutcome(c.Seen, k.seen) {
			rxe.saw(k.wire)
		}
	}
	for _, variant := range []string{"spec", "rxe"} {
		for _, d := range differences {
			switch {
			case d.ID != c.ID || d.Variant != variant:
			case variant == "spec":
				spec.differ(&d)
			case d.What == "*" && d.Ours == "spec":
				rxe = spec
			default:
				rxe.differ(&d)
			}
		}
	}
	return spec, rxe
}

// saw adds packets to those that are allowed.
func (v *view) saw(wire []Packet) {
	same := func(w []Packet) bool { return len(w) == len(wire) }
	if len(wire) > 0 && !slices.ContainsFunc(v.wire, same) {
		v.wire = append(v.wire, wire)
	}
}

// seen returns what was seen on 6.1; what the specification asks for and was
// not there is absent.
func seen(c *Case) Outcome {
	if c.Crashed {
		return c.Spec
	}
	o := slices.Clone(c.Seen)
	for _, t := range c.Spec {
		if o.get(t.What) == nil && strings.HasPrefix(t.What, "event.") {
			o = append(o, Token{t.What, []string{"absent"}})
		}
	}
	return o
}

func sameOutcome(a, b Outcome) bool {
	return slices.EqualFunc(a, b, func(x, y Token) bool { return x.What == y.What && slices.Equal(x.Values, y.Values) })
}

// differ puts what hcasim does in the place of a fact.
func (v *view) differ(d *Difference) {
	switch {
	case d.What == "*":
		*v = view{outcome: readOutcome(d.Ours)}
	case d.What == "packets" && d.Ours == "none":
		v.wire, v.silent = nil, true
	case d.What == "packets":
		v.wire = [][]Packet{readPackets(d.Ours)}
	default:
		v.outcome = append(slices.DeleteFunc(slices.Clone(v.outcome), func(t Token) bool { return t.What == d.What }), Token{d.What, strings.Split(d.Ours, "|")})
	}
}
