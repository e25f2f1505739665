package lang

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/sim"
)

// complete finds the one verb of a step and makes its Do.
func (s *Step) complete(d *decoder, n *yaml.Node) {
	d.spendNode(n, 1)
	plan := planOf(reflect.TypeFor[Verbs]())
	verbs := reflect.ValueOf(&s.Verbs).Elem()
	var set []string
	for _, name := range plan.names {
		if m := plan.byName[name]; !verbs.FieldByIndex(m.index).IsNil() {
			set = append(set, name)
			s.Verb = name
			s.Do, _ = verbs.FieldByIndex(m.index).Interface().(Act)
		}
	}
	switch {
	case len(set) == 0 && n.Kind == yaml.MappingNode && !d.strange(n):
		d.node(n, "the step does nothing", "it needs a verb, such as reg_mr or post_send")
	case len(set) > 1:
		d.node(n, fmt.Sprintf("%s and %s in one step", set[0], set[1]), "a step has one verb; parallel: starts several")
	}
	if s.Do == nil {
		s.Do = s.short(d)
	}
	switch a := s.Do.(type) {
	case *HostAct:
		a.Verb = s.Verb
	case *Query:
		a.Verb = s.Verb
	}
}

// strange reports whether a step has a member that is not known, and was meant
// to be the verb, or a verb without a value: both are noted already.
func (d *decoder) strange(n *yaml.Node) bool {
	step, verbs := planOf(reflect.TypeFor[Step]()), planOf(reflect.TypeFor[Verbs]())
	for i := 0; i+1 < len(n.Content); i += 2 {
		if word := n.Content[i].Value; step.byName[word] == nil || verbs.byName[word] != nil {
			return true
		}
	}
	return false
}

// objectOf reads the argument of destroy_* and query_*: a name, or {kind: name}.
func (d *decoder) objectOf(n *yaml.Node, tag reflect.StructTag) (r Ref) {
	kind := tag.Get("kind")
	switch {
	case kind == "":
		if !null(n) && !(n.Kind == yaml.MappingNode && len(n.Content) == 0) {
			d.node(n, "this verb takes no argument", "")
		}
	case null(n), n.Kind == yaml.MappingNode && len(n.Content) == 0:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i]; key.Value != kind {
				d.node(key, fmt.Sprintf("unknown field %q", key.Value), didYouMean(key.Value, []string{kind}))
				continue
			}
			r.read(d, n.Content[i+1], "")
		}
	default:
		r.read(d, n, "")
	}
	r.Kind = kindNamed(kind)
	return r
}

func (x *Destroy) read(d *decoder, n *yaml.Node, tag reflect.StructTag) { x.Of = d.objectOf(n, tag) }
func (x *Query) read(d *decoder, n *yaml.Node, tag reflect.StructTag)   { x.Of = d.objectOf(n, tag) }

// afterForm keeps After from reading itself.
type afterForm After

func (x *After) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if n.Kind != yaml.MappingNode {
		x.Pos = d.pos(n)
		x.ID, _ = d.text(n, "the id of a step")
		return
	}
	d.structure(n, reflect.ValueOf((*afterForm)(x)))
	if (x.ID == "") == (x.Event == nil) {
		d.node(n, "after: needs the id of a step or an event", "")
	}
	said := 0
	for _, is := range []bool{x.Packet > 0, x.Response > 0, x.Stage != ""} {
		if is {
			said++
		}
	}
	if said > 1 {
		d.node(n, "packet, response and at name one moment each", "say one")
	}
}

// waitForm is the mapping form of Wait.
type waitForm struct {
	// For is a time to let pass.
	For *sim.Duration `yaml:"for"`
	// IDs of the steps to wait for.
	IDs []Name `yaml:"ids"`
}

func (x *Wait) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	problems := len(d.problems)
	switch n.Kind {
	case yaml.MappingNode:
		var f waitForm
		d.structure(n, reflect.ValueOf(&f))
		x.Time, x.IDs = f.For, f.IDs
	case yaml.SequenceNode:
		for _, item := range n.Content {
			x.one(d, item)
		}
	default:
		x.one(d, n)
	}
	if x.Time == nil && len(x.IDs) == 0 && len(d.problems) == problems {
		d.node(n, "wait for what?", "a time such as 5us, the id of a step, or all")
	}
}

func (x *Wait) one(d *decoder, n *yaml.Node) {
	s, ok := d.text(n, "a time or the id of a step")
	if !ok {
		return
	}
	var t sim.Duration
	if t.UnmarshalText([]byte(s)) == nil && strings.TrimSpace(s) != "0" {
		x.Time = &t
		return
	}
	x.IDs = append(x.IDs, Name{d.pos(n), s})
}

// loopForm is a Loop as it is written.
type loopForm struct {
	// Times is the number of rounds.
	Times uint64 `yaml:"times" required:"true" min:"1"`
	// Var names the counter that steps may use as ${var}; without it all rounds
	// are alike.
	Var string `yaml:"var"`
	// From is the counter's first value; 0.
	From int64 `yaml:"from"`
	// Ops are the steps of a round.
	Ops []Step `yaml:"ops" required:"true"`
}

func (x *Loop) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	ops := find(n, "ops")
	head := *n
	head.Content = nil
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if value := n.Content[i+1]; n.Content[i].Value == "ops" && value.Kind == yaml.SequenceNode {
			value = &yaml.Node{Kind: yaml.SequenceNode, Line: value.Line, Column: value.Column}
			head.Content = append(head.Content, n.Content[i], value)
		} else {
			head.Content = append(head.Content, n.Content[i], value)
		}
	}
	var f loopForm
	d.structure(&head, reflect.ValueOf(&f))
	x.Times, x.Var, x.From = f.Times, f.Var, f.From
	if ops == nil || ops.Kind != yaml.SequenceNode {
		return
	}
	if x.Var != "" && !isName(x.Var) {
		d.node(find(n, "var"), fmt.Sprintf("%q is no name of a variable", x.Var), "letters, digits and _")
		x.Var = ""
	}
	if x.Var == "" {
		x.Rounds = [][]Step{d.rounds(ops)}
		return
	}
	problems := len(d.problems)
	if !d.spendNode(n, x.Times) {
		return
	}
	for i := range x.Times {
		d.env = append(d.env, binding{x.Var, strconv.FormatInt(x.From+int64(i), 10)})
		x.Rounds = append(x.Rounds, d.rounds(ops))
		d.env = d.env[:len(d.env)-1]
		if len(d.problems) > problems {
			return
		}
	}
}

func (d *decoder) rounds(n *yaml.Node) (steps []Step) {
	d.value(n, reflect.ValueOf(&steps).Elem(), "")
	return steps
}

func (x *Parallel) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		d.node(n, "parallel: takes a list of steps, or of lists of steps", "")
		return
	}
	for _, item := range n.Content {
		if item.Kind == yaml.SequenceNode {
			x.Branches = append(x.Branches, d.rounds(item))
			continue
		}
		var s Step
		d.value(item, reflect.ValueOf(&s).Elem(), "")
		x.Branches = append(x.Branches, []Step{s})
	}
}
