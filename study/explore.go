package study

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hcasim/report"
	"hcasim/scenario"
	"hcasim/tpt"
	"hcasim/tpt/explore"
)

// ExploreFormats are the forms of an Exploration.
var ExploreFormats = []string{"text", "json"}

// An Exploration is a search, and what it came to.
type Exploration struct {
	Variant string // one of scenario.Variants
	Depth   int    // longest sequence, in operations
	Report  explore.Report
	Elapsed time.Duration // by the wall clock
}

// Explore searches all sequences of up to depth operations.
func Explore(variant string, depth int) (*Exploration, error) {
	v, known := tpt.NamedVariant(variant)
	switch {
	case !known:
		return nil, fmt.Errorf("--variant: %q is none of %s", variant, strings.Join(scenario.Variants(), ", "))
	case depth < 1 || depth > explore.MaxDepth:
		return nil, fmt.Errorf("--depth %d: wants 1 to %d", depth, explore.MaxDepth)
	}
	began := time.Now()
	x := &Exploration{Variant: variant, Depth: depth, Report: explore.Search(explore.Config{Depth: depth, Variant: v})}
	x.Elapsed = time.Since(began)
	return x, nil
}

// Holds reports whether nothing was found.
func (x *Exploration) Holds() bool { return x.Report.Broken == nil }

// Write writes the exploration in one of ExploreFormats.
func (x *Exploration) Write(w io.Writer, format string) error {
	if format == "json" {
		return x.json(w)
	}
	_, err := io.WriteString(w, x.text())
	return err
}

// Speed writes how fast the search was.
func (x *Exploration) Speed(w io.Writer) {
	s := max(x.Elapsed.Seconds(), 1e-9)
	sum := &x.Report.Sum
	_, _ = fmt.Fprintf(w, "%.2f s · %.0f states, %.0f transitions, %.1f million accesses a second\n",
		s, float64(sum.States)/s, float64(sum.Transitions+sum.Refused)/s, float64(sum.Accesses)/s/1e6)
}

func (x *Exploration) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "explore · variant %s · all sequences of up to %d operations\n\n", x.Variant, x.Depth)
	fmt.Fprintf(&b, "%10s %12s %12s %12s %16s\n", "operations", "states", "transitions", "refused", "accesses")
	for _, l := range x.Report.Levels {
		row(&b, fmt.Sprint(l.Length), l)
	}
	row(&b, "all", x.Report.Sum)
	b.WriteString("\n")
	if x.Holds() {
		b.WriteString("✓ no byte is touched without a live grant, nothing allowed is refused, what is refused changes nothing\n")
		return b.String()
	}
	broken := x.Report.Broken
	fmt.Fprintf(&b, "✗ %s after %d operations, and there is no shorter way\n\n%s\n\n", broken.Kind, len(broken.Moves), broken)
	b.WriteString("As a scenario, which expects what the rules demand:\n\n" + x.scenario())
	return b.String()
}

func row(b *strings.Builder, name string, l explore.Level) {
	fmt.Fprintf(b, "%10s %12s %12s %12s %16s\n", name, grouped(l.States), grouped(l.Transitions), grouped(l.Refused), grouped(l.Accesses))
}

// grouped writes a number with a comma after every three digits.
func grouped(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// An explorationDoc is an exploration in JSON.
type explorationDoc struct {
	Format  string          `json:"format"`
	Version int             `json:"version"`
	Variant string          `json:"variant"`
	Depth   int             `json:"depth"`
	OK      bool            `json:"ok"`
	Sum     explore.Level   `json:"sum"`
	Levels  []explore.Level `json:"levels"`
	Broken  *brokenDoc      `json:"counterexample,omitempty"`
}

type brokenDoc struct {
	Kind       string   `json:"kind"` // leak, loss, refused-step, forbidden-step, refused-but-changed
	Operations []string `json:"operations"`
	Access     string   `json:"access,omitempty"`
	Why        string   `json:"why"`
	Scenario   string   `json:"scenario"` // the text of a file
}

func (x *Exploration) json(w io.Writer) error {
	d := explorationDoc{
		Format: "hcasim.explore", Version: 1, Variant: x.Variant, Depth: x.Depth, OK: x.Holds(),
		Sum: x.Report.Sum, Levels: x.Report.Levels,
	}
	if c := x.Report.Broken; c != nil {
		d.Broken = &brokenDoc{Kind: c.Kind.String(), Access: c.Accessed(), Why: c.Why, Scenario: x.scenario()}
		for _, m := range c.Moves {
			d.Broken.Operations = append(d.Broken.Operations, m.Name)
		}
	}
	return report.Indented(w, d)
}
