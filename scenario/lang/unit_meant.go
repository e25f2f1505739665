package lang

import (
	"encoding"
	"fmt"
	"strings"
)

// slips are units as other programs write them, in small letters, and what they
// may mean here. KB is 1000 bytes to some and 1024 to others: both are named.
var slips = map[string][]string{
	"b": {"B"}, "k": {"KiB"}, "kb": {"KiB", "kB"}, "kib": {"KiB"}, "m": {"MiB"}, "mb": {"MB"}, "mib": {"MiB"},
	"g": {"GiB"}, "gb": {"GB"}, "gib": {"GiB"}, "tb": {"TB"}, "tib": {"TiB"}, "bytes": {"B"},
	"sec": {"s"}, "msec": {"ms"}, "usec": {"us"}, "nsec": {"ns"}, "µsec": {"us"}, "second": {"s"}, "seconds": {"s"},
	"mbps": {"Mb/s"}, "gbps": {"Gb/s"}, "mbit/s": {"Mb/s"}, "gbit/s": {"Gb/s"}, "gb/s": {"Gb/s"}, "mb/s": {"Mb/s"},
}

// unitMeant suggests what a quantity with an unknown unit may have meant, as far
// as its type would take it.
func unitMeant(s string, u encoding.TextUnmarshaler) string {
	s = strings.TrimSpace(s)
	at := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if at < 1 {
		return ""
	}
	number, unit := s[:at], strings.ToLower(strings.TrimSpace(s[at:]))
	var meant []string
	for _, other := range append([]string{unit}, slips[unit]...) {
		if text := number + other; text != s && u.UnmarshalText([]byte(text)) == nil {
			meant = append(meant, fmt.Sprintf("%q", text))
		}
	}
	if len(meant) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(meant, " or ") + "?"
}
