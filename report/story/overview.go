package story

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/tpt"
)

// An Overview is what is worth explaining of a run.
type Overview struct {
	Format       string  `json:"format"` // hcasim.stories
	Version      int     `json:"version"`
	ModelVersion int     `json:"model_version"`
	Name         string  `json:"name"`
	Hash         string  `json:"hash"`
	Refused      []Short `json:"refused"`
	Left         int     `json:"refused_omitted,omitempty"`
	Slowest      []Short `json:"slowest"`
}

// A Short is a story in a line.
type Short struct {
	Op      string `json:"op"`
	Where   string `json:"where"`
	Request string `json:"request"`
	Text    string `json:"text"`
	Command string `json:"command"`
}

// How many are listed.
const (
	mostRefused = 20
	mostSlowest = 8
)

// View lists the ops that are worth a story.
func (s *Survey) View(src *Source) *Overview {
	v := &Overview{Format: "hcasim.stories", Version: formatVersion, ModelVersion: scenario.ModelVersion, Name: s.Run.Name, Hash: s.Run.Hash(),
		Refused: []Short{}, Slowest: []Short{}}
	told := map[string]bool{}
	for i := range s.Result.Ops {
		o := &s.Result.Ops[i]
		if !Worth(o) {
			continue
		}
		told[o.ID] = true
		if len(v.Refused) == mostRefused {
			v.Left++
			continue
		}
		v.Refused = append(v.Refused, s.short(src, o, why(o)))
	}
	for i := range s.failed { // of loads, whose ops no result keeps
		if o := &s.failed[i]; !told[o.ID] && len(v.Refused) < mostRefused {
			v.Refused = append(v.Refused, s.short(src, o, why(o)))
		}
	}
	v.slowest(s, src)
	return v
}

// Worth reports whether an op was refused, or failed for a reason of its own.
func Worth(o *run.Op) bool {
	switch {
	case len(o.Faults) > 0:
		return true
	case !o.Failed(), o.Recv && !o.Verb: // a receive fails with the message that took it
		return false
	}
	return o.Verb || o.Status != ib.WRFlushErr
}

// why says in a few words why an op failed.
func why(o *run.Op) string {
	text := o.Outcome()
	for i := range o.Faults[:min(len(o.Faults), 1)] {
		f := &o.Faults[i]
		text += ", refused at " + f.Host
		if f.Cause != tpt.OK {
			text += ": " + f.Cause.String()
		}
		if f.Rule != "" {
			text += " (rule " + f.Rule + ")"
		}
	}
	return text
}

// slowest adds the slowest of each request, slowest first.
func (v *Overview) slowest(s *Survey, src *Source) {
	by := map[[2]string]*run.Op{}
	var order [][2]string
	for _, k := range s.order {
		o := &s.kinds[k].slowest
		key := [2]string{o.Host, o.Request}
		switch old := by[key]; {
		case old == nil:
			by[key], order = o, append(order, key)
		case o.Latency() > old.Latency():
			by[key] = o
		}
	}
	var all []*run.Op
	for _, k := range order {
		all = append(all, by[k])
	}
	slices.SortStableFunc(all, func(a, b *run.Op) int {
		switch x, y := a.Latency(), b.Latency(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, o := range all[:min(len(all), mostSlowest)] {
		text := ns(o.Latency())
		if fast := &s.kinds[kind{o.Host, o.Request, o.Bytes}].fastest; fast.ID != o.ID {
			text += fmt.Sprintf(" (op %s with as many bytes took %s)", fast.ID, ns(fast.Latency()))
		}
		v.Slowest = append(v.Slowest, s.short(src, o, text))
	}
}

func (s *Survey) short(src *Source, o *run.Op, text string) Short {
	return Short{o.ID, src.at(o), o.Host + " " + o.Request, text, "hcasim explain " + src.Name + src.Flags + " " + o.ID}
}

// JSON writes the overview as a document.
func (v *Overview) JSON(w io.Writer) error { return document(w, v) }

// Text writes it for a terminal.
func (v *Overview) Text(w io.Writer) error { return v.write(w, "", "") }

// Markdown writes it for a page of a forge.
func (v *Overview) Markdown(w io.Writer) error { return v.write(w, "## ", "```\n") }

func (v *Overview) write(w io.Writer, head, fence string) error {
	var b strings.Builder
	part := func(title string, list []Short) {
		if len(list) == 0 {
			return
		}
		var rows [][]string
		for _, o := range list {
			rows = append(rows, []string{"op " + o.Op, o.Where, o.Request, o.Text})
		}
		fmt.Fprintf(&b, "%s%s\n%s", head, title, fence)
		for _, line := range table("<<<<", rows) {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		b.WriteString(fence)
	}
	part("refused, or failed", v.Refused)
	if v.Left > 0 {
		fmt.Fprintf(&b, "  … and %d more\n", v.Left)
	}
	part("slowest of each request", v.Slowest)
	switch {
	case len(v.Refused) > 0:
		fmt.Fprintf(&b, "%s\n", v.Refused[0].Command)
	case len(v.Slowest) > 0:
		fmt.Fprintf(&b, "%s\n", v.Slowest[0].Command)
	default:
		fmt.Fprintf(&b, "%s has no op that has ended\n", v.Name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
