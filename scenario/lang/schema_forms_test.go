package lang

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"hcasim/ib"
	"hcasim/sim"
)

var textType = reflect.TypeFor[encoding.TextUnmarshaler]()

const (
	wordPattern = `[A-Za-z_][A-Za-z0-9_-]*`
	refPattern  = `^(` + wordPattern + `\.)?` + wordPattern + `(#[0-9]+)?$`
	decimal     = `[0-9]+(\.[0-9]+)?`
	byteUnits   = `(B|kB|KiB|MB|MiB|GB|GiB|TB|TiB)`
	timeUnits   = `(ps|ns|us|µs|μs|ms|s)`
)

func pattern(p string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: p} }

func constant(words ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func between(low, high string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: json.Number(low), Maximum: json.Number(high)}
}

func arrayOf(item *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: item}
}

func mapOf(value *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", AdditionalProperties: value}
}

// quantitySchema is a number with a unit; bare, also without.
func quantitySchema(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	units := map[reflect.Type]string{
		reflect.TypeFor[sim.Duration](): timeUnits,
		reflect.TypeFor[sim.Bytes]():    byteUnits,
	}[t]
	forms := []*jsonschema.Schema{pattern(`^` + decimal + ` *` + units + `$`), variable}
	switch low := tag.Get("min"); {
	case tag.Get("bare") != "true":
		forms = append(forms, between("0", "0"))
	case low != "":
		forms = append(forms, between(low, "18446744073709551615"))
	default:
		forms = append(forms, between("0", "18446744073709551615"))
	}
	return anyOf(forms...)
}

// special makes the schemas of types that read themselves.
func (g *generator) special(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	if strings.HasPrefix(t.Name(), "Map[") {
		f, _ := t.Elem().FieldByName("Value")
		if f.Type.Kind() != reflect.Struct {
			return mapOf(g.typed(f.Type, ""))
		}
		if reflect.PointerTo(f.Type).Implements(reflect.TypeFor[reader]()) {
			return mapOf(g.typed(f.Type, ""))
		}
		return mapOf(anyOf(g.ref(f.Type, false), &jsonschema.Schema{Type: "null"}))
	}
	if s := g.specialWord(t); s != nil {
		return g.named(t, "", s)
	}
	if s := g.specialStep(t, tag); s != nil {
		return s
	}
	return g.specialExpect(t)
}

// specialWord makes schemas of values.
func (g *generator) specialWord(t reflect.Type) *jsonschema.Schema {
	ref := pattern(refPattern)
	name := anyOf(pattern(`^`+wordPattern+`$`), variable)
	words := func(list []string) *jsonschema.Schema { return anyOf(wordsSchema(list), between("0", "255")) }
	switch reflect.New(t).Interface().(type) {
	case *Name:
		return name
	case *Ref:
		return anyOf(ref, variable)
	case *Address:
		return anyOf(between("0", "18446744073709551615"), variable)
	case *Offset:
		return anyOf(&jsonschema.Schema{Type: "integer"}, pattern(`^[+-]?`+decimal+` *`+byteUnits+`$`), variable)
	case *Prot:
		return constant("rw", "r", "none")
	case *Data:
		return anyOf(between("0", "255"), arrayOf(between("0", "255")), ref, g.ref(reflect.TypeFor[dataForm](), true), variable)
	case *Delta:
		return anyOf(between("-4294967295", "4294967295"), variable)
	case *PSN:
		return anyOf(between("-16777215", "16777215"), variable)
	case *Opcode:
		return words(ib.WROpcodeNames())
	case *PacketOpcode:
		return words(packetOpcodeNames())
	case *Syndrome:
		return words(syndromeWords())
	case *Probability:
		return anyOf(&jsonschema.Schema{Type: "number", Minimum: "0", Maximum: "1"}, pattern(`^`+decimal+` *%$|^[0-9]+ */ *[0-9]+$`), variable)
	case *Tolerance:
		return anyOf(pattern(`^`+decimal+` *%$`), variable)
	case *Count:
		return anyOf(&jsonschema.Schema{Type: "integer", Minimum: "1"}, pattern(`^`+decimal+` *[kMG]$|^[0-9_]+$`), variable)
	case *Quantity:
		return anyOf(&jsonschema.Schema{Type: "number", Minimum: "0"}, pattern(`^`+decimal))
	case *Threshold:
		return pattern(`^\S+ *(<=|>=|==|!=|<|>) *[0-9]+(\.[0-9]+)? *(%|[kMG]?op/s|[kMGT]?b/s|` + byteUnits[1:len(byteUnits)-1] + `|` + timeUnits[1:len(timeUnits)-1] + `)?$`)
	case *Bounds:
		one := pattern(`^ *(<=|>=|==|!=|<|>) *(` + decimal + ` *` + timeUnits + `|` + decimal + ` x \S+)$`)
		return anyOf(one, arrayOf(one), g.ref(reflect.TypeFor[boundsForm](), true))
	case *KeyExpr:
		return anyOf(between("0", "4294967295"), ref, g.ref(reflect.TypeFor[keyForm](), true), variable)
	case *Variant:
		return anyOf(&jsonschema.Schema{Type: "string"}, mapOf(&jsonschema.Schema{Not: &jsonschema.Schema{Type: "object"}}))
	}
	return nil
}

// specialStep makes schemas of steps and their parts.
func (g *generator) specialStep(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	null := &jsonschema.Schema{Type: "null"}
	text := anyOf(&jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"})
	switch reflect.New(t).Interface().(type) {
	case *PostSend:
		wr := g.ref(reflect.TypeFor[WR](), true)
		return anyOf(wr, arrayOf(wr), g.ref(reflect.TypeFor[postForm](), true))
	case *PostRecv:
		wr := g.ref(reflect.TypeFor[RecvWR](), true)
		return anyOf(wr, arrayOf(wr), g.ref(reflect.TypeFor[recvForm](), true), null)
	case *Destroy, *Query:
		properties := jsonschema.NewProperties()
		forms := []*jsonschema.Schema{{Type: "object", Properties: properties, AdditionalProperties: jsonschema.FalseSchema}, null}
		if kind := tag.Get("kind"); kind != "" {
			properties.Set(kind, pattern(refPattern))
			forms = append(forms, pattern(refPattern))
		}
		return anyOf(forms...)
	case *After:
		return anyOf(text, g.ref(reflect.TypeFor[afterForm](), true))
	case *Wait:
		return anyOf(text, arrayOf(text), &jsonschema.Schema{AllOf: []*jsonschema.Schema{
			g.ref(reflect.TypeFor[waitForm](), true), {AnyOf: []*jsonschema.Schema{{Required: []string{"for"}}, {Required: []string{"ids"}}}}}})
	case *Loop:
		return g.ref(reflect.TypeFor[loopForm](), true)
	case *Parallel:
		step := g.ref(reflect.TypeFor[Step](), true)
		return arrayOf(anyOf(step, arrayOf(step)))
	case *Shares:
		return mapOf(anyOf(&jsonschema.Schema{Type: "integer", Minimum: "1"}, variable))
	case *Points:
		size := g.typed(reflect.TypeFor[sim.Bytes](), `bare:"true"`)
		share := anyOf(&jsonschema.Schema{Type: "number", Minimum: "0", Maximum: "100"}, variable)
		one, two := uint64(2), uint64(2)
		return anyOf(&jsonschema.Schema{Type: "string"}, arrayOf(&jsonschema.Schema{Type: "array", Items: anyOf(size, share), MinItems: &one, MaxItems: &two}))
	case *Sizes:
		size := g.typed(reflect.TypeFor[sim.Bytes](), `bare:"true"`)
		return anyOf(size, arrayOf(size), g.ref(reflect.TypeFor[sizesForm](), true))
	case *Warmup:
		return anyOf(g.typed(reflect.TypeFor[Count](), ""), g.typed(reflect.TypeFor[sim.Duration](), ""), g.ref(reflect.TypeFor[warmupForm](), true))
	}
	return nil
}

// specialExpect makes schemas of expectations.
func (g *generator) specialExpect(t reflect.Type) *jsonschema.Schema {
	none := constant(None)
	times := func(names []string) *jsonschema.Schema {
		return pattern(`^(` + strings.Join(names, "|") + `)( *\* *[1-9][0-9]*)?$`)
	}
	switch reflect.New(t).Interface().(type) {
	case *Completions:
		wc := g.typed(reflect.TypeFor[WC](), "")
		return anyOf(none, wc, arrayOf(wc))
	case *WC:
		return anyOf(g.ref(reflect.TypeFor[wcForm](), true), times(ib.WCStatusNames()), between("0", "255"))
	case *Events:
		name := g.typed(reflect.TypeFor[eventWord](), "")
		byHost := mapOf(anyOf(none, name, arrayOf(name)))
		one := anyOf(name, g.ref(reflect.TypeFor[eventForm](), true), byHost)
		return anyOf(none, one, arrayOf(one))
	case *eventWord:
		return anyOf(constant("IOMMU_FAULT"), g.typed(reflect.TypeFor[ib.EventType](), ""))
	case *FaultExpect:
		f := reflect.TypeFor[faultForm]()
		return anyOf(none, g.structure(f))
	case *MemoryExpects:
		full := g.ref(reflect.TypeFor[memoryForm](), true)
		says := &jsonschema.Schema{}
		for _, w := range []string{"equals", "unchanged", "changed", "rest"} {
			says.AnyOf = append(says.AnyOf, &jsonschema.Schema{Required: []string{w}})
		}
		one := &jsonschema.Schema{AllOf: []*jsonschema.Schema{full, says}}
		return mapOf(anyOf(constant("unchanged"), g.typed(reflect.TypeFor[Data](), ""), one, arrayOf(one)))
	case *StateExpects:
		return mapOf(g.structure(reflect.TypeFor[stateForm]()))
	case *HostExpect:
		count := jsonschema.NewProperties()
		for _, w := range Counted {
			count.Set(w, anyOf(constant("unchanged"), between("0", "9223372036854775808")))
		}
		s := mapOf(g.structure(reflect.TypeFor[objectForm]()))
		s.Properties = jsonschema.NewProperties()
		s.Properties.Set("count", &jsonschema.Schema{Type: "object", Properties: count, AdditionalProperties: jsonschema.FalseSchema})
		return s
	case *stateWord:
		return constant(append(stateNames(), ib.QPStateNames()...)...)
	case *KeyExpects:
		key := g.typed(reflect.TypeFor[KeyExpr](), "")
		s := mapOf(anyOf(constant("new", "unchanged"), g.ref(reflect.TypeFor[keyExpectForm](), true), key))
		s.Properties = jsonschema.NewProperties()
		s.Properties.Set("distinct", g.typed(reflect.TypeFor[[]Ref](), ""))
		return anyOf(s, between("0", "4294967295"), pattern(refPattern))
	case *NAKExpect:
		return anyOf(none, g.structure(reflect.TypeFor[nakForm]()))
	case *Packets:
		p := g.typed(reflect.TypeFor[PacketExpect](), "")
		return anyOf(none, between("0", "4294967295"), p, arrayOf(p))
	case *PacketExpect:
		return anyOf(g.ref(reflect.TypeFor[packetForm](), true), times(packetOpcodeNames()))
	}
	return nil
}
