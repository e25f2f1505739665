package lang

import (
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v4"
)

// keyForm is the mapping form of KeyExpr.
type keyForm struct {
	// Of is the region or window whose key is meant; by default the object
	// addressed.
	Of Ref `yaml:"of" kind:"mr,mw"`
	// LKey is a region whose L_Key is taken.
	LKey Ref `yaml:"lkey" kind:"mr"`
	// RKey is a region or window whose R_Key is taken where an L_Key is due.
	RKey Ref `yaml:"rkey" kind:"mr,mw"`
	// Generation of the key: 0 is the first it had, each change adds one.
	Generation *uint32 `yaml:"generation"`
	// Stale takes the key before the present one.
	Stale bool `yaml:"stale"`
	// Number is the key itself.
	Number *uint32 `yaml:"number"`
	// Byte is the low byte, the key's use count: a number, or a change such as +1.
	Byte Delta `yaml:"byte"`
	// Index is the upper 24 bits, which name the entry: a number, or a change such
	// as +1.
	Index Delta `yaml:"index"`
	// Swapped reverses the order of the four bytes, last of all.
	Swapped bool `yaml:"swapped"`
}

func (k *KeyExpr) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	k.Pos = d.pos(n)
	if n.Kind == yaml.MappingNode {
		k.form(d, n)
		return
	}
	s, ok := d.text(n, "a key")
	if !ok {
		return
	}
	if w, err := strconv.ParseUint(s, 0, 64); err == nil {
		if w >= 1<<32 {
			d.node(n, "a key has 32 bits", "")
		}
		k.Kind, k.Number = KeyNumber, uint32(w)
		return
	}
	switch s {
	case "current":
	case "stale":
		k.Kind = KeyStale
	case "random":
		k.Kind = KeyRandom
	case "swapped":
		k.Swapped = true
	default:
		k.Of.read(d, n, "")
	}
}

func (k *KeyExpr) form(d *decoder, n *yaml.Node) {
	var f keyForm
	d.structure(n, reflect.ValueOf(&f))
	said := 0
	for _, r := range []Ref{f.Of, f.LKey, f.RKey} {
		if r.Given() {
			k.Of = r
			said++
		}
	}
	k.LKey, k.RKey = f.LKey.Given(), f.RKey.Given()
	k.Byte, k.Index, k.Swapped = f.Byte, f.Index, f.Swapped
	switch {
	case f.Number != nil:
		k.Kind, k.Number = KeyNumber, *f.Number
		said++
	case f.Generation != nil:
		k.Kind, k.Generation = KeyGeneration, *f.Generation
	case f.Stale:
		k.Kind = KeyStale
	}
	if said > 1 {
		d.node(n, "of, lkey, rkey and number each name a key", "say one")
	}
	if len(n.Content) == 0 {
		d.node(n, "which key?", "such as {of: NAME, byte: +1}")
	}
}

func (v *Variant) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	v.Pos = d.pos(n)
	if n.Kind != yaml.MappingNode {
		v.Base, _ = d.text(n, "the name of a variant")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		value, ok := d.text(n.Content[i+1], "a choice")
		if !ok {
			continue
		}
		if key.Value == "base" {
			v.Base = value
			continue
		}
		v.Switches = append(v.Switches, Switch{d.pos(key), key.Value, value})
	}
}
