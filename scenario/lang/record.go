package lang

import (
	"fmt"
	"path"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A Record names figures of a run whose values are kept beside the scenario,
// for later runs to be held to. It decides nothing of the run itself.
type Record struct {
	Pos Pos `yaml:"-"`

	// Figure is a name, such as write.p50, server.mpt.misses or, for the latency
	// of one op, op.7; or a pattern of names, such as "write.*". All is op.*: the
	// latency of every op.
	Figure string `yaml:"figure" required:"true" short:"true"`
	// Within is the share of the recorded value by which a later one may differ,
	// such as 2 %; without it, none.
	Within Tolerance `yaml:"within"`
}

// A Tolerance is a share, written 2 %; kept in millionths.
type Tolerance uint64

// Pattern reports whether the name stands for all that match it.
func (x *Record) Pattern() bool { return strings.ContainsAny(x.Figure, `*?[\`) }

// Names reports whether a figure is one of those that are meant.
func (x *Record) Names(figure string) bool {
	fits, _ := path.Match(x.Figure, figure) // complete has held it to be a pattern
	return fits || figure == x.Figure
}

func (x *Record) complete(d *decoder, n *yaml.Node) {
	if x.Figure == "all" {
		x.Figure = "op.*"
	}
	if _, err := path.Match(x.Figure, ""); err != nil || strings.ContainsAny(x.Figure, " \t<>=") {
		d.node(n, fmt.Sprintf("want the name of a figure, or a pattern of names, not %q", x.Figure), `such as write.p50 or "write.*"`)
	}
}

func (x *Tolerance) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	s, ok := d.text(n, "a share")
	if !ok {
		return
	}
	percent, ok := strings.CutSuffix(s, "%")
	v, fine := scaled(strings.TrimSpace(percent), million/100)
	if !ok || !fine {
		d.node(n, fmt.Sprintf("want a share, not %q", s), "such as 2 %")
		return
	}
	*x = Tolerance(v)
}
