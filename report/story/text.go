package story

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"hcasim/sim"
)

// JSON writes the story as a document.
func (s *Story) JSON(w io.Writer) error { return document(w, s) }

func document(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// A block is a head and the lines that belong to it.
type block struct {
	head  string
	lines []string
}

// blocks are what Text and Markdown print, in order.
func (s *Story) blocks() []block {
	why := []string(nil)
	if s.Cause != "" {
		why = append(why, s.Cause+": "+s.Means)
	}
	if s.Rule != "" {
		why = append(why, "rule "+s.Rule+": "+s.RuleText)
	}
	all := []block{
		{"cause", why}, {"checks", s.checkLines()}, {"entry", s.Entry},
	}
	for i := range s.Keys {
		all = append(all, block{"key's life", s.Keys[i].lines()})
	}
	return append(all,
		block{"packets", s.frameLines()}, block{"told", s.Told}, block{"memory", s.Memory},
		block{"time", s.pathLines()}, block{"waited", s.Waits}, block{"would save", s.savingLines()},
		block{"change", s.Change}, block{"see", s.See})
}

// head is the first two lines.
func (s *Story) head() []string {
	return []string{
		fmt.Sprintf("op %s  %s  %s  %s", s.Op, strings.Join(s.Asked, "  "), s.Status, s.Where),
		s.Verdict,
	}
}

// Text writes the story for a terminal.
func (s *Story) Text(w io.Writer) error {
	var b strings.Builder
	b.WriteString(strings.Join(s.head(), "\n") + "\n")
	for _, one := range s.blocks() {
		for i, line := range one.lines {
			head := one.head
			if i > 0 {
				head = ""
			}
			fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("  %-10s  %s", head, line), " "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes it for a page of a forge.
func (s *Story) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## op %s of %s\n\n`%s`\n\n%s\n", s.Op, s.Name, s.head()[0], s.Verdict)
	for _, one := range s.blocks() {
		if len(one.lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s%s\n\n", strings.ToUpper(one.head[:1]), one.head[1:])
		if one.head == "see" || one.head == "packets" || one.head == "time" || one.head == "checks" || one.head == "key's life" || one.head == "entry" {
			fmt.Fprintf(&b, "```\n%s\n```\n", strings.Join(one.lines, "\n"))
			continue
		}
		for _, l := range one.lines {
			fmt.Fprintf(&b, "- %s\n", l)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes rows so that their cells stand below each other; a head that
// begins with > has its cells to the right.
func table(align string, rows [][]string) (lines []string) {
	width := make([]int, len(align))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-len([]rune(c)))
			switch {
			case i > 0:
				b.WriteString("  ")
				fallthrough
			default:
				if align[i] == '>' {
					b.WriteString(pad + c)
				} else {
					b.WriteString(c + pad)
				}
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

var marks = map[string]string{passed: "ok", refused: "✗"}

// checkLines lists the checks; what was not reached stands on one line.
func (s *Story) checkLines() []string {
	var rows [][]string
	var left []string
	for _, c := range s.Checks {
		if c.Outcome == notReached {
			left = append(left, c.What)
			continue
		}
		rows = append(rows, []string{c.What, marks[c.Outcome], c.Detail})
	}
	lines := table("<<<", rows)
	if len(left) > 0 {
		lines = append(lines, "not reached: "+strings.Join(left, ", "))
	}
	return lines
}

func (k *Key) lines() []string {
	name := k.Object
	if name == "" {
		name = "no name"
	}
	rows := make([][]string, 0, len(k.Events))
	for _, e := range k.Events {
		by := ""
		if e.Op != "" {
			by = "op " + e.Op + "  " + e.At2
		}
		rows = append(rows, []string{instant(e.At), e.Text, by})
	}
	return append([]string{fmt.Sprintf("%s (%s) at %s", k.Key, name, k.Host)}, table("><<", rows)...)
}

// instant writes when; what was there before has no time.
func instant(t sim.Time) string {
	if t == 0 {
		return ""
	}
	return when(t)
}

func (s *Story) frameLines() []string {
	var rows [][]string
	for _, f := range s.Packets {
		rows = append(rows, []string{when(f.At), f.From, f.Opcode, fmt.Sprintf("PSN %d", f.PSN), bytes(uint64(f.Payload)), f.Note})
	}
	lines := table("><<<><", rows)
	if s.MorePackets > 0 {
		lines = append(lines, fmt.Sprintf("and %s more in between", thousands(uint64(s.MorePackets))))
	}
	return lines
}

// pathLines lists the segments with their share of the whole, in tenths of a
// percent.
func (s *Story) pathLines() []string {
	var rows [][]string
	var sum sim.Duration
	for _, g := range s.Path {
		share := ""
		if s.Latency > 0 {
			tenths := (uint64(g.Took)*1000 + s.Latency/2) / s.Latency
			share = fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
		}
		from := ""
		if g.To > 0 {
			from = when(g.From)
		}
		rows = append(rows, []string{from, ns(g.Took), share, g.Part, g.What})
		sum += g.Took
	}
	if len(rows) == 0 {
		return nil
	}
	rows = append(rows, []string{"", ns(sum), "", "", "in all"})
	return append([]string{"from, how long, share, part"}, table(">>><<", rows)...)
}

func (s *Story) savingLines() []string {
	var rows [][]string
	for _, v := range s.Savings {
		set := ""
		if len(v.Set) > 0 {
			set = "--set " + strings.Join(v.Set, " or ")
		}
		rows = append(rows, []string{v.Part, ns(v.Took - v.Best), fmt.Sprintf("%s instead of %s %s", ns(v.Best), ns(v.Took), v.Why), set})
	}
	return table("<><<", rows)
}
