package replay

import (
	"fmt"
	"slices"
)

// The places of a side's own memory, beside the fills from 0 on.
const (
	placeData = -1
	placeSink = -2
)

// place notes which memory of its own a request needs.
func (x *plan) place(o *op) {
	s := x.sides[o.Side]
	pd := s.pd[o.conn]
	if !o.Brings() {
		s.sink = max(s.sink, o.Length)
		if o.Length > 0 {
			s.local[[2]int{placeSink, pd}] = true
		}
		return
	}
	if o.Length == 0 {
		return
	}
	if s.sends.fills == nil {
		s.sends.fills, s.sends.where = map[string]int{}, map[string]int{}
	}
	s.sends.limit = x.limit
	p, ok := s.sends.put(o.Data)
	x.limit = s.sends.limit
	if !ok {
		p = s.zeros(o.Length)
	}
	o.from = p
	s.local[[2]int{p.fill, pd}] = true
}

// zeros is a place that stands for a payload that found no room.
func (s *side) zeros(n uint32) place {
	s.sends.limit = 1
	p, ok := s.sends.put(make([]byte, n))
	if !ok {
		panic("replay: no room for a byte")
	}
	return p
}

func (s *side) needsSink() bool {
	if slices.ContainsFunc(s.lives, func(l *life) bool { return !l.used }) {
		return true
	}
	for l := range s.local {
		if l[0] == placeSink {
			return true
		}
	}
	return false
}

// localText are the regions of the memory that only the side itself reaches.
func (s *side) localText() (list []string) {
	for pd := range s.pds {
		for p := range s.sends.order {
			if s.local[[2]int{p, pd}] {
				list = append(list, s.localMR(p, pd, "[]"))
			}
		}
		if s.local[[2]int{placeData, pd}] {
			list = append(list, s.localMR(placeData, pd, "[]"))
		}
		if s.local[[2]int{placeSink, pd}] {
			list = append(list, s.localMR(placeSink, pd, "[LOCAL_WRITE]"))
		}
	}
	return list
}

func (s *side) localMR(p, pd int, access string) string {
	return fmt.Sprintf("%s: {pd: %s, buf: %s, access: %s}", localName(p, pd), pdName(pd), bufName(p), access)
}

func bufName(p int) string {
	switch p {
	case placeData:
		return "data"
	case placeSink:
		return "sink"
	default:
		return fmt.Sprintf("fill%d", p+1)
	}
}

func localName(p, pd int) string { return bufName(p) + "_" + pdName(pd) }
