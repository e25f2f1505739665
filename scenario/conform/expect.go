package conform

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An expectation is the members of an expect:, by name.
type expectation map[string]string

// write writes what is expected under spec, and what is expected instead
// under rxe.
func write(spec, rxe expectation) string {
	base, under := expectation{}, expectation{}
	only := expectation{} // what rxe says nothing of
	for _, name := range slices.Sorted(maps.Keys(spec)) {
		if _, said := rxe[name]; said {
			base[name] = spec[name]
		} else {
			only[name] = spec[name]
		}
	}
	for name, value := range rxe {
		if spec[name] != value {
			under[name] = value
		}
	}
	var parts []string
	for _, e := range []struct {
		variant string
		members expectation
	}{{"spec", only}, {"rxe", under}} {
		if len(e.members) > 0 {
			parts = append(parts, e.variant+": {"+e.members.list()+"}")
		}
	}
	text := base.list()
	if len(parts) > 0 {
		if text != "" {
			text += ", "
		}
		text += "under: {" + strings.Join(parts, ", ") + "}"
	}
	return text
}

func (e expectation) list() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(e)) {
		parts = append(parts, name+": "+e[name])
	}
	return strings.Join(parts, ", ")
}

// ofStep returns what v expects of step n, from 1.
func (v *view) ofStep(n int, s *Step, last bool) expectation {
	e := expectation{}
	for _, t := range v.outcome {
		number, what, _ := strings.Cut(t.What, ".")
		if number != strconv.Itoa(n) {
			continue
		}
		switch what {
		case "errno":
			e["errno"] = list(known(t.Values))
		case "rereg":
			rereg(e, t.Values)
		case "wc":
			wc(e, t.Values)
		}
	}
	if _, posted := forms[s.Verb]; !posted && e["errno"] == "" && e["rereg"] == "" && e["any"] == "" && s.Verb != "store" && s.Verb != "bind_mw" {
		e["errno"] = "OK"
	}
	if last {
		v.memory(e)
	}
	return e
}

// known drops the word for a verb that the case does not have, and what no
// verb of the model returns.
func known(values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "absent" || v == "EOVERFLOW" })
}

// wc adds completions; NONE and absent are none.
func wc(e expectation, values []string) {
	var status []string
	detail := ""
	none := false
	for _, v := range values {
		parts := strings.Split(v, "/")
		if parts[0] == "NONE" || parts[0] == "absent" {
			none = true
			continue
		}
		status = append(status, parts[0])
		if len(parts) > 1 {
			detail = ", byte_len: " + parts[1]
		}
		if len(parts) > 2 {
			detail += ", wc_flags: [WITH_INV]"
		}
	}
	one := list(status)
	if len(status) > 1 || detail != "" {
		one = "{status: " + one + detail + "}"
	}
	switch {
	case len(status) == 0:
		e["wc"] = "none"
	case none:
		e["any"] = "[{wc: " + one + "}, {wc: none}]"
	default:
		e["wc"] = one
	}
}

// rereg adds results of a rereg, RESULT or RESULT:ERRNO.
func rereg(e expectation, values []string) {
	var any []string
	for _, v := range values {
		result, errno, failed := strings.Cut(v, ":")
		if !failed {
			errno = "OK"
		}
		any = append(any, fmt.Sprintf("rereg: %s, errno: %s", result, errno))
	}
	if len(any) > 1 {
		e["any"] = "[{" + strings.Join(any, "}, {") + "}]"
		return
	}
	e["rereg"], e["errno"], _ = strings.Cut(values[0], ":")
	if e["errno"] == "" {
		e["errno"] = "OK"
	}
}

func list(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return "[" + strings.Join(values, ", ") + "]"
}

// atEnd returns what v expects of the whole run. Memory is looked at there
// unless a step looks at it.
func (v *view) atEnd(memory bool) expectation {
	e := expectation{}
	var states []string
	for _, t := range v.outcome {
		what, of, _ := strings.Cut(t.What, ".")
		switch what {
		case "qp":
			states = append(states, of+": "+list(t.Values))
		case "event":
			if e["event"] = fmt.Sprintf("{%s: %s}", of, t.Values[0]); t.Values[0] == "absent" {
				e["event"] = "none"
			}
		case "keys":
			one, other, _ := strings.Cut(of, "+")
			if e["key"] = fmt.Sprintf("{distinct: [%s, %s]}", one, other); t.Values[0] == "different-key" {
				e["key"] = fmt.Sprintf("{%s: {differs: %s}}", other, one)
			}
		}
	}
	if len(states) > 0 {
		e["qp"] = "{" + strings.Join(states, ", ") + "}"
	}
	if memory {
		v.memory(e)
	}
	v.packets(e)
	return e
}

// memory adds what the buffers hold.
func (v *view) memory(e expectation) {
	of := map[string][]string{}
	for _, t := range v.outcome {
		what, where, _ := strings.Cut(t.What, ".")
		switch what {
		case "mem":
			of[where] = append(of[where], changed(t.Values[0]))
		case "u64":
			buffer, offset := place(where)
			of[buffer] = append(of[buffer], fmt.Sprintf("{at: %d, equals: {u64: %s}}", offset, t.Values[0]))
		}
	}
	var parts []string
	for _, b := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, b+": "+list(of[b]))
	}
	if len(parts) > 0 {
		e["memory"] = "{" + strings.Join(parts, ", ") + "}"
	}
}

// changed writes 0 or N@FIRST..LAST.
func changed(text string) string {
	if text == "0" {
		return "{unchanged: true}"
	}
	var n, first, last int
	if _, err := fmt.Sscanf(text, "%d@%d..%d", &n, &first, &last); err != nil {
		panic("conform: no change of memory: " + text)
	}
	return fmt.Sprintf("{at: %d, length: %d, changed: %d, rest: unchanged}", first, last-first+1, n)
}

// packets adds what went over the wire.
func (v *view) packets(e expectation) {
	var any []string
	for _, w := range v.wire {
		var list []string
		for i := range w {
			list = append(list, w[i].write())
		}
		any = append(any, "["+strings.Join(list, ", ")+"]")
	}
	switch {
	case v.silent:
		e["packets"] = "none"
	case len(any) == 1:
		e["packets"] = any[0]
	case len(any) > 1:
		e["any"] = "[{packets: " + strings.Join(any, "}, {packets: ") + "}]"
	}
}

func (p *Packet) write() string {
	parts := []string{"from: " + p.Host, "opcode: " + strings.TrimPrefix(p.Opcode, "RC_")}
	syndrome, bytes := "", "0"
	if strings.HasSuffix(p.Opcode, "ACKNOWLEDGE") {
		syndrome = "ACK"
	}
	for _, f := range p.Fields {
		switch f.Name {
		case "psn", "times":
			parts = append(parts, f.Name+": "+f.Value)
		case "dma":
			parts = append(parts, "dma_length: "+f.Value)
		case "bytes":
			bytes = f.Value
		case "nak":
			syndrome = f.Value
		}
	}
	if bytes != "0" {
		parts = append(parts, "length: "+bytes)
	}
	if syndrome != "" {
		parts = append(parts, "syndrome: "+syndrome)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
