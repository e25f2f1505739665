package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// writeMarkdown writes a run for the summary page of a forge.
func writeMarkdown(w io.Writer, rec *Record) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "### %s\n\n", rec.title())
	if t := rec.trust(); t != "" {
		fmt.Fprintf(&b, "> %s\n\n", t)
	}
	g := rec.opTable()
	if len(rec.Result.Ops) > mostOps {
		g = rec.summaryTable()
	}
	if len(g.rows) > 0 {
		if err := g.markdown(&b); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	if len(rec.Result.Faults) > 0 {
		b.WriteString("```\n")
		if err := rec.refusals(&b); err != nil {
			return err
		}
		b.WriteString("```\n\n")
	}
	if err := rec.keyLives(&b, (*grid).markdown); err != nil {
		return err
	}
	if len(rec.Result.Traffic) > 0 {
		if err := rec.trafficTable().markdown(&b); err != nil {
			return err
		}
		b.WriteByte('\n')
		for _, line := range rec.remarks() {
			fmt.Fprintf(&b, "- %s\n", strings.Join(strings.Fields(line), " "))
		}
		b.WriteByte('\n')
	}
	if lanes, width := rec.lanes(); len(lanes) > 0 {
		b.WriteString("Where the time went, in ns:\n\n")
		for ; len(lanes) > 0; lanes = lanes[min(width, len(lanes)):] {
			if err := partTable(lanes[:min(width, len(lanes))]).markdown(&b); err != nil {
				return err
			}
			b.WriteByte('\n')
		}
	}
	if len(rec.Result.Failures) > 0 || rec.Stopped() {
		b.WriteString("```\n")
		rec.failures(&b, Style{})
		rec.stopped(&b)
		b.WriteString("```\n\n")
	}
	b.WriteString(rec.verdict(Style{}) + "\n")
	_, err := w.Write(b.Bytes())
	return err
}
