package conform

import (
	"fmt"
	"slices"
	"strings"
)

// A count is one row of the table.
type count struct {
	cases                            int
	agree, differ, open              int // under spec
	rxeAgree, faults, rxeDiffer, not int // under rxe; faults are among those that agree
	wires, wiresDiffer               int
}

func (n *count) add(m count) {
	n.cases += m.cases
	n.agree, n.differ, n.open = n.agree+m.agree, n.differ+m.differ, n.open+m.open
	n.rxeAgree, n.faults, n.rxeDiffer, n.not = n.rxeAgree+m.rxeAgree, n.faults+m.faults, n.rxeDiffer+m.rxeDiffer, n.not+m.not
	n.wires, n.wiresDiffer = n.wires+m.wires, n.wiresDiffer+m.wiresDiffer
}

// count counts one case.
func (f *Facts) count(c *Case) count {
	n := count{cases: 1}
	spec, rxe, wire, judged := false, false, false, true
	for _, d := range f.Differences {
		switch {
		case d.ID != c.ID:
		case d.Variant == "spec":
			spec = spec || d.What != "packets" // the specification does not say which
		default:
			rxe, judged = true, judged && f.reason(d.Why).Judged
			wire = wire || d.What == "*" || d.What == "packets"
		}
	}
	switch {
	case len(c.Spec) == 0:
		n.open = 1
	case spec:
		n.differ = 1
	default:
		n.agree = 1
	}
	switch {
	case !judged:
		n.not = 1
	case rxe:
		n.rxeDiffer = 1
	default:
		n.rxeAgree = 1
		if !c.Spec.allows(c.Seen) {
			n.faults = 1
		}
	}
	switch {
	case len(c.Wire) == 0 || !judged:
	case wire:
		n.wiresDiffer = 1
	default:
		n.wires = 1
	}
	return n
}

// Table returns docs/conformance.md.
func (f *Facts) Table() []byte {
	var b strings.Builder
	b.WriteString(`# Conformance with a real stack

Made by ` + "`go generate ./scenario/conform`" + ` from ` + "`scenarios/conformance/facts`" + `; its test runs every
case under ` + "`spec`" + ` and under ` + "`rxe`" + ` and holds it to what is counted here.

The facts are what Linux Soft-RoCE (rdma_rxe, kernels 6.1.192 and 6.12.117 with rdma-core 44) did in
each case, and what the specification asks. The variant ` + "`rxe`" + ` stands for kernel 6.1.

- **spec**: the outcome that the specification asks is that of hcasim. *Open* are cases in which it asks
  nothing: hcasim's choice is held to, and is told below where it is not that of rxe.
- **rxe**: results, states, bytes and packets are those of kernel 6.1. *Faults* are the cases among them in
  which the kernel is not as the specification asks and a switch reproduces it. *Not judged*: the kernel
  crashed, or the request never reached it.
- **packets**: cases whose whole exchange is compared, with opcode, PSN, length of message and of payload,
  NAK code and order, under ` + "`rxe`" + ` and, where the outcome is as the specification asks, under ` + "`spec`" + ` too.
  Where the two kernels sent another number of packets, for they race the NAK, either is good.

| group | cases | spec: agree | differ | open | rxe: agree | faults | differ | not judged | packets: agree | differ |
|---|---|---|---|---|---|---|---|---|---|---|
`)
	var all count
	for _, g := range f.Groups() {
		var n count
		for i := range f.Cases {
			if f.Cases[i].Group == g {
				n.add(f.count(&f.Cases[i]))
			}
		}
		all.add(n)
		n.row(&b, g)
	}
	all.row(&b, "**all**")
	b.WriteString("\n## Where and why they differ\n\n| why | cases | under |\n|---|---|---|\n")
	for _, r := range f.Reasons {
		f.reasonRow(&b, r)
	}
	return []byte(b.String())
}

func (n *count) row(b *strings.Builder, name string) {
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", name, n.cases,
		n.agree, n.differ, n.open, n.rxeAgree, n.faults, n.rxeDiffer, n.not, n.wires, n.wiresDiffer)
}

// reasonRow writes the cases that differ for one reason.
func (f *Facts) reasonRow(b *strings.Builder, r Reason) {
	var cases, under []string
	for _, d := range f.Differences {
		if d.Why != r.Name {
			continue
		}
		if !slices.Contains(cases, d.ID) {
			cases = append(cases, d.ID)
		}
		if !slices.Contains(under, d.Variant) {
			under = append(under, d.Variant)
		}
	}
	fmt.Fprintf(b, "| %s | %s | %s |\n", r.Text, strings.Join(cases, ", "), strings.Join(under, ", "))
}
