package replay

import "bytes"

// A store is the payloads that one side sends, each once.
type store struct {
	limit int            // of data yet
	fills map[string]int // by period: longest
	order []string       // of fills
	data  []byte         // of those without a period
	where map[string]int // in data
	lost  int            // ops whose payload found no room
}

// A place is where a payload lies.
type place struct {
	fill int // which of the fills; -1: data
	at   int
}

// put finds a place for a payload.
func (s *store) put(payload []byte) (p place, ok bool) {
	if q := period(payload); len(q) < len(payload) || len(q) == 1 {
		key := string(q)
		if n, known := s.fills[key]; known {
			s.fills[key] = max(n, len(payload))
			for i, k := range s.order {
				if k == key {
					return place{fill: i}, true
				}
			}
		}
		if (len(s.order) < mostFills || key == "\x00") && s.limit >= len(q) {
			s.limit -= len(q)
			s.fills[key] = len(payload)
			s.order = append(s.order, key)
			return place{fill: len(s.order) - 1}, true
		}
	}
	if at, known := s.where[string(payload)]; known {
		return place{-1, at}, true
	}
	if len(payload) > s.limit {
		s.lost++
		return place{}, false
	}
	s.limit -= len(payload)
	at := len(s.data)
	s.where[string(payload)] = at
	s.data = append(s.data, payload...)
	if odd := len(s.data) % 8; odd != 0 {
		s.data = append(s.data, make([]byte, 8-odd)...)
	}
	return place{-1, at}, true
}

// mostFills bounds the buffers of periodic bytes.
const mostFills = 16

// period returns the shortest beginning that, repeated, is data, if it has at
// most 256 bytes; else all of data.
func period(data []byte) []byte {
	for n := 1; n <= min(256, len(data)-1); n++ {
		if bytes.Equal(data[n:], data[:len(data)-n]) {
			return data[:n]
		}
	}
	return data
}
