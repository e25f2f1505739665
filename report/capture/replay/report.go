package replay

import (
	"fmt"

	"hcasim/report/capture/talk"
)

// Report is what was found, used and not known, in lines.
func (m *Import) Report() []string {
	t, x := m.talk, m.plan
	list := []string{
		fmt.Sprintf("%d frames: %d used, %d not", t.Frames, len(t.Packets), t.Frames-len(t.Packets)),
	}
	if len(t.Foreign) > 0 {
		list = append(list, "not used: "+t.Foreign.String())
	}
	list = append(list, fmt.Sprintf("hosts: A is %s, B is %s", t.Hosts[0], t.Hosts[1]))
	for i, c := range x.conns {
		if i == talk.MostNotes {
			list = append(list, fmt.Sprintf("and %d connections more", len(x.conns)-i))
			break
		}
		list = append(list, fmt.Sprintf("%s: A 0x%x, B 0x%x; %d requests of A, %d of B", c.label, uint32(c.QPN[0]), uint32(c.QPN[1]), len(c.ops[0]), len(c.ops[1])))
	}
	list = append(list, x.tallyOps())
	return append(list, t.Notes.Lines()...)
}

// tallyOps counts requests by opcode.
func (x *plan) tallyOps() string {
	t := talk.Tally{}
	for _, o := range x.ops {
		t[o.Opcode.Short()]++
	}
	keys := 0
	for _, s := range x.sides {
		keys += len(s.lives)
	}
	return fmt.Sprintf("%d requests: %s; %d keys at work", len(x.ops), t, keys)
}
