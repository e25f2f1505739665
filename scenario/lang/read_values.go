package lang

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/ib"
	"hcasim/sim"
)

func (x *Name) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	if s, ok := d.text(n, "a name"); ok {
		if x.Text = s; !isWord(s) {
			d.node(n, fmt.Sprintf("%q is no name", s), "letters, digits, - and _, beginning with a letter")
		}
	}
}

// isWord reports whether s can name an object.
func isWord(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}

// None is the name of no object, where a Ref may say so.
const None = "none"

func (r *Ref) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a name")
	if !ok {
		return
	}
	if *r, ok = parseRef(s); !ok {
		d.node(n, fmt.Sprintf("%q is no name", s), "NAME, HOST.NAME or NAME#3")
	}
	r.Pos = d.pos(n)
}

// parseRef reads NAME, HOST.NAME, NAME#3 or HOST.NAME#3.
func parseRef(s string) (r Ref, ok bool) {
	r.Index = Whole
	if name, index, found := strings.Cut(s, "#"); found {
		i, err := strconv.ParseUint(index, 10, 31)
		if err != nil {
			return Ref{}, false
		}
		s, r.Index = name, int(i)
	}
	if host, name, found := strings.Cut(s, "."); found {
		r.Host, s = host, name
		if !isWord(host) {
			return Ref{}, false
		}
	}
	r.Name = s
	return r, isWord(s)
}

func (a *Address) read(d *decoder, n *yaml.Node, tag reflect.StructTag) {
	w, _ := d.unsigned(n, tag, 1<<64-1)
	*a = Address(w)
}

func (o *Offset) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a number of bytes")
	if !ok {
		return
	}
	digits, minus := strings.CutPrefix(strings.TrimPrefix(s, "+"), "-")
	var size sim.Bytes
	w, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		err = size.UnmarshalText([]byte(digits))
		w = uint64(size)
	}
	if err != nil || w >= 1<<63 {
		d.node(n, fmt.Sprintf("want a number of bytes, not %q", s), "such as 64, 4KiB or -1; addr: takes absolute addresses")
		return
	}
	if *o = Offset(w); minus {
		*o = -*o
	}
}

func (x *Prot) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if s, ok := d.text(n, "a protection"); ok {
		d.oneOf(n, s, []string{string(ProtRW), string(ProtR), string(ProtNone)})
		*x = Prot(s)
	}
}

// dataForm is the mapping form of Data.
type dataForm struct {
	// U64 is one 64-bit word, least significant byte first.
	U64 *uint64 `yaml:"u64"`
	// Hex are bytes as hexadecimal digits.
	Hex string `yaml:"hex"`
	// Text are the bytes of a text.
	Text string `yaml:"text"`
	// Of takes what this buffer or region holds.
	Of Ref `yaml:"of" kind:"mem"`
	// Offset from its first byte.
	Offset Offset `yaml:"offset"`
}

func (x *Data) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	x.Pos = d.pos(n)
	switch n.Kind {
	case yaml.SequenceNode:
		x.Kind = DataBytes
		for _, item := range n.Content {
			w, _ := d.unsigned(item, "", 255)
			x.Bytes = append(x.Bytes, byte(w))
		}
		if len(x.Bytes) == 0 {
			d.node(n, "no bytes", "")
		}
	case yaml.MappingNode:
		x.form(d, n)
	default:
		x.word(d, n)
	}
}

func (x *Data) word(d *decoder, n *yaml.Node) {
	s, ok := d.text(n, "data")
	if !ok {
		return
	}
	if w, err := strconv.ParseUint(s, 0, 64); err == nil {
		if w > 255 {
			d.node(n, s+" is no byte", "a fill is one byte, such as 0xA5; a word is {u64: "+s+"}")
		}
		x.Byte = byte(w)
		return
	}
	switch s {
	case "counting":
		x.Kind = DataCounting
	case "random":
		x.Kind = DataRandom
	default:
		x.Kind = DataOf
		x.Of.read(d, n, "")
	}
}

func (x *Data) form(d *decoder, n *yaml.Node) {
	var f dataForm
	d.structure(n, reflect.ValueOf(&f))
	var err error
	switch {
	case f.U64 != nil:
		x.Kind, x.U64 = DataU64, *f.U64
	case f.Hex != "":
		x.Kind = DataBytes
		x.Bytes, err = hex.DecodeString(strings.ReplaceAll(f.Hex, " ", ""))
		if err != nil {
			d.node(n, "hex: "+err.Error(), "")
		}
	case f.Text != "":
		x.Kind, x.Bytes = DataBytes, []byte(f.Text)
	case f.Of.Given():
		x.Kind, x.Of, x.Offset = DataOf, f.Of, f.Offset
	default:
		d.node(n, "say one of u64, hex, text, of", "")
	}
}

func (x *Delta) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a number or a change")
	if !ok {
		return
	}
	w, err := strconv.ParseInt(s, 0, 33)
	if err != nil || quotedWord(n, s) {
		d.node(n, fmt.Sprintf("want a number such as 7, or a change such as +1, not %q", s), "")
		return
	}
	*x = Delta{Given: true, Relative: s[0] == '+' || s[0] == '-', Value: w}
}

func (x *PSN) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	var v Delta
	v.read(d, n, "")
	if v.Value <= -1<<24 || v.Value >= 1<<24 || !v.Relative && v.Value < 0 {
		d.node(n, "a packet number has 24 bits", "")
		return
	}
	*x = PSN{v.Relative, int32(v.Value)}
}

func (x *Opcode) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	d.value(n, reflect.ValueOf(&x.Value).Elem(), "")
	x.Given = true
}

func (x *PacketOpcode) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	d.value(n, reflect.ValueOf(&x.Value).Elem(), "")
	x.Given = true
}

func (x *Syndrome) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a syndrome")
	if !ok {
		return
	}
	if w, err := strconv.ParseUint(s, 0, 8); err == nil {
		x.Value = ib.Syndrome(w)
		return
	}
	if x.Value, ok = parseSyndrome(s); !ok {
		d.node(n, fmt.Sprintf("NAK %q is not known", s), didYouMean(s, syndromeWords()))
	}
	x.Class = !x.Value.IsNAK()
}

// naks are short words for the negative acknowledgements, after the statuses
// that they end in.
var naks = map[string]ib.Syndrome{
	"RNR": ib.RNRNAK(0), "PSN_SEQ_ERR": ib.NAKPSNSequence, "REM_INV_REQ_ERR": ib.NAKInvalidRequest,
	"REM_ACCESS_ERR": ib.NAKRemoteAccess, "REM_OP_ERR": ib.NAKRemoteOperational,
}

func parseSyndrome(s string) (ib.Syndrome, bool) {
	if v, ok := naks[s]; ok {
		return v, true
	}
	return ib.ParseSyndrome(s)
}

func syndromeWords() []string {
	return append([]string{"REM_ACCESS_ERR", "REM_INV_REQ_ERR", "REM_OP_ERR", "PSN_SEQ_ERR", "RNR"}, ib.SyndromeNames()...)
}
