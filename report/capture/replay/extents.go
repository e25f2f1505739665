package replay

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"hcasim/sim"
)

// An extent is memory of a host: pages that keys open, one behind the other.
type extent struct {
	lo, hi uint64 // first and last byte
	name   string
	page   uint64
}

// extents merges the pages of the lives of a host. Where there is much of it
// the pages are larger.
func extents(list []*life) (out []*extent) {
	size := uint64(page)
	switch total := reach(list); {
	case total > 16<<30:
		size = 1 << 30
	case total > 64<<20:
		size = 2 << 20
	}
	all := slices.Clone(list)
	slices.SortStableFunc(all, func(a, b *life) int { return cmp.Compare(a.lo, b.lo) })
	for _, l := range all {
		lo, hi := l.lo&^(size-1), l.hi|(size-1)
		if n := len(out); n > 0 && (lo <= out[n-1].hi || lo == out[n-1].hi+1) {
			out[n-1].hi = max(out[n-1].hi, hi)
			continue
		}
		out = append(out, &extent{lo: lo, hi: hi, name: fmt.Sprintf("m%d", len(out)+1), page: size})
	}
	return out
}

// reach adds up how far keys reach.
func reach(list []*life) (total uint64) {
	for _, l := range list {
		total += l.hi - l.lo
	}
	return total
}

func (x *plan) memText(s *side) (list []string) {
	for _, e := range s.memory {
		m := fmt.Sprintf("%s: {length: %s, at: 0x%x", e.name, sim.Bytes(e.hi-e.lo+1), e.lo)
		if e.page != page {
			m += fmt.Sprintf(", page: %s", sim.Bytes(e.page))
		}
		if d := s.first[e]; len(d) > 0 {
			m += ", fill: " + dataText(d)
		}
		list = append(list, m+"}")
	}
	for i, key := range s.sends.order {
		list = append(list, fmt.Sprintf("fill%d: {length: %d, fill: %s}", i+1, s.sends.fills[key], dataText([]byte(key))))
	}
	if len(s.sends.data) > 0 {
		list = append(list, fmt.Sprintf("data: {length: %d, fill: %s}", len(s.sends.data), dataText(s.sends.data)))
	}
	if s.needsSink() {
		list = append(list, fmt.Sprintf("sink: {length: %d}", max(s.sink, page)))
	}
	return list
}

// storeText writes what a CPU did to its memory.
func storeText(s *side, c change) string {
	for _, e := range s.memory {
		if c.va >= e.lo && c.va+uint64(len(c.data))-1 <= e.hi {
			return fmt.Sprintf("store: {buf: %s, offset: %d, length: %d, data: %s}", e.name, c.va-e.lo, len(c.data), dataText(c.data))
		}
	}
	panic("replay: a change of no memory")
}

// dataText writes bytes: the shortest that are repeated to them.
func dataText(d []byte) string {
	d = period(d)
	if len(d) == 1 {
		return fmt.Sprintf("0x%02X", d[0])
	}
	text := hex.EncodeToString(d)
	if len(text) <= hexLine {
		return "{hex: \"" + text + "\"}"
	}
	var b strings.Builder
	b.WriteString("{hex: \"")
	for len(text) > hexLine {
		b.WriteString(text[:hexLine] + "\n        ")
		text = text[hexLine:]
	}
	return b.String() + text + "\"}"
}

// hexLine is how many digits stand in one line; the breaks between count as
// spaces, which hex: passes over.
const hexLine = 128
