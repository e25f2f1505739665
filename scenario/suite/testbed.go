package suite

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/config"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// A Testbed is the set-up that items were measured on: what its authors say of
// it, and one constant for all that they do not.
type Testbed struct {
	Name           string
	About          string
	Facts          []Setting
	Constant       float64 // added to absolute latencies, in ps; it may be negative
	ConstantText   string  // as written; "" for none
	ConstantSource string
	FittedOn       []Fit

	source lang.Source
	tree   *yaml.Node // the facts, as a scenario has them
}

// A Fit says that a constant was fitted on an item.
type Fit struct {
	Item string
	Pos  lang.Pos
}

// readTestbed reads a file of the name it must have.
func readTestbed(src lang.Source, name string) (*Testbed, []lang.Problem) {
	r := lang.Open(src, "testbed")
	if r.Root() == nil {
		return nil, r.Problems()
	}
	var doc testbedDoc
	r.Decode(r.Root(), &doc)
	t := &Testbed{About: doc.About, source: src}
	if doc.Name != nil {
		if t.Name = doc.Name.Value; t.Name != name {
			r.Report(doc.Name, "the testbed is called "+t.Name+", its file "+name, "a file is called as what is in it")
		}
	}
	if doc.Facts != nil {
		f := factReader{Reading: r, testbed: t, beside: doc.Source, draft: lang.NewDraft(doc.Facts, "")}
		f.mapping("", doc.Facts)
		f.finish()
	}
	if c := doc.Constant; c != nil && c.Value != nil {
		t.ConstantSource = c.Source
		t.constant(r, c)
	}
	return t, r.Problems()
}

// constant reads a duration that may have a sign.
func (t *Testbed) constant(r *lang.Reading, c *constantDoc) {
	text, minus := strings.CutPrefix(c.Value.Value, "-")
	var d sim.Duration
	if err := d.UnmarshalText([]byte(text)); err != nil {
		r.Report(c.Value, err.Error(), "")
		return
	}
	t.Constant, t.ConstantText = float64(d), c.Value.Value
	if minus {
		t.Constant = -t.Constant
	}
	for _, n := range lang.ListOf(c.FittedOn) {
		t.FittedOn = append(t.FittedOn, Fit{n.Value, r.Pos(n)})
	}
}

// A factReader reads the facts of a testbed.
type factReader struct {
	*lang.Reading
	testbed *Testbed
	beside  string // the source of those that have none of their own
	draft   *lang.Draft
}

// mapping reads the facts below a path.
func (f *factReader) mapping(path string, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		f.Report(n, "facts: takes a mapping from parameters to values", `such as wire.rate: {value: 32Gb/s, source: "…"}`)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := strings.TrimPrefix(path+"."+key.Value, ".")
		switch {
		case value.Kind == yaml.MappingNode && lang.Member(value, "value") == nil && lang.Member(value, "source") == nil:
			f.mapping(at, value)
		case value.Kind == yaml.MappingNode:
			f.fact(at, key, lang.Member(value, "value"), lang.Member(value, "source"))
		default:
			f.fact(at, key, value, nil)
		}
	}
}

func (f *factReader) fact(path string, key, value, source *yaml.Node) {
	from := f.beside
	if source != nil {
		from = source.Value
	}
	switch {
	case value == nil || value.Kind != yaml.ScalarNode:
		f.Report(key, path+" has no value", `want {value: …, source: "…"}`)
	case from == "":
		f.Report(key, path+" has no source", `want {value: …, source: "…"}, or one source: for all facts`)
	case !isFact(ofAll(path)) && config.Suggest(config.World{}, ofAll(path)) == "":
		f.Report(key, path+": "+notAFact, someFacts)
	default:
		f.testbed.Facts = append(f.testbed.Facts, Setting{path, value.Value, from})
		f.draft.Set(key, path, value)
		if strings.HasPrefix(path, "hosts.") {
			f.holds(lang.NewDraft(key, ""), key, ofAll(path), value)
		}
	}
}

// finish holds the facts for all hosts to the parameters that there are.
func (f *factReader) finish() {
	f.testbed.tree = lang.Without(f.draft.Tree(), "version", "kind", "name")
	f.judge(lang.Without(f.testbed.tree, "hosts"))
}

// holds judges a fact of one host.
func (f *factReader) holds(d *lang.Draft, key *yaml.Node, path string, value *yaml.Node) {
	d.Set(key, path, value)
	f.judge(lang.Without(d.Tree(), "version", "kind", "name"))
}

func (f *factReader) judge(tree *yaml.Node) {
	for _, p := range config.New[config.World]().Apply("", tree, config.In(f.testbed.source.Name)) {
		f.Add(p)
	}
}
