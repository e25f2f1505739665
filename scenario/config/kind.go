package config

import (
	"reflect"

	"hcasim/sim"
)

// A kind is what the type of a field says about its values.
type kind struct {
	typ     reflect.Type
	word    string // what Describe calls it; "" when it cannot be a parameter
	unit    string // of a bare number
	pattern string // of the text in a schema; "" when the value is no text
}

// quantities are the types whose values carry a unit, or count something
// definite. A bare 0 needs no unit.
var quantities = map[reflect.Type]kind{
	reflect.TypeFor[sim.Duration](): {word: "duration", pattern: quantity(`ps|ns|us|µs|μs|ms|s`)},
	reflect.TypeFor[sim.Hertz]():    {word: "frequency", pattern: quantity(`[kMG]?Hz`)},
	reflect.TypeFor[sim.BitRate]():  {word: "rate", pattern: quantity(`[kMGT]?b/s|[MG]T/s`)},
	reflect.TypeFor[sim.Bytes]():    {word: "size", pattern: quantity(`B|kB|[MGT]B|[KMGT]iB`)},
	reflect.TypeFor[sim.Cycles]():   {word: "cycles", unit: "cycles"},
	reflect.TypeFor[sim.Interval](): {word: "interval", unit: "cycles", pattern: `^[0-9]+([.][0-9]{1,3}|/[0-9]+)?$`},
}

// quantity is the pattern of a decimal number with one of the units.
func quantity(units string) string { return `^(0|[0-9]+([.][0-9]+)? *(` + units + `))$` }

// kindOf classifies the type of a parameter. Floating point is no kind: no
// float decides an event.
func kindOf(t reflect.Type) kind {
	k := quantities[t]
	k.typ = t
	if k.word != "" {
		return k
	}
	switch v := reflect.Zero(t); {
	case readsText(t):
		k.word = "text"
	case v.Kind() == reflect.Bool:
		k.word = "switch"
	case v.Kind() == reflect.String:
		k.word = "text"
	case v.CanUint():
		k.word = "count"
	case v.CanInt():
		k.word = "integer"
	}
	return k
}

// bare reports whether values are written as YAML numbers or booleans; all
// others are text.
func (k kind) bare() bool {
	switch k.word {
	case "cycles", "count", "integer", "switch":
		return true
	}
	return false
}
