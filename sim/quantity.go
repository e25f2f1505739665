package sim

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// A unit is a name and how many base units it stands for.
type unit struct {
	name string
	size uint64
}

// A quantity says how the texts of one type read. Units stand largest first,
// and the last is the one that zero is written in.
type quantity struct {
	noun    string // what a unit counts, for messages
	example string // a text that would be right
	units   []unit // written and read
	aliases []unit // read only
	whole   bool   // write whole numbers only, in the largest unit that divides
}

var (
	durations = quantity{
		noun: "picosecond", example: "1.5us",
		units:   []unit{{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}, {"ps", 1}},
		aliases: []unit{{"µs", 1e6}, {"μs", 1e6}},
	}
	frequencies = quantity{
		noun: "hertz", example: "250MHz",
		units: []unit{{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}},
	}
	rates = quantity{
		noun: "bit/s", example: "100Gb/s",
		units:   []unit{{"Tb/s", 1e12}, {"Gb/s", 1e9}, {"Mb/s", 1e6}, {"kb/s", 1e3}, {"b/s", 1}},
		aliases: []unit{{"GT/s", 1e9}, {"MT/s", 1e6}}, // one bit a transfer on one lane
	}
	sizes = quantity{
		noun: "byte", example: "4KiB", whole: true,
		units: []unit{
			{"TiB", 1 << 40}, {"TB", 1e12}, {"GiB", 1 << 30}, {"GB", 1e9},
			{"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10}, {"kB", 1e3}, {"B", 1},
		},
	}
)

// String writes d exactly, such as "1.5us".
func (d Duration) String() string { return durations.format(uint64(d)) }

// String writes t exactly, as the span since the start.
func (t Time) String() string { return durations.format(uint64(t)) }

// String writes f exactly, such as "644.53125MHz".
func (f Hertz) String() string { return frequencies.format(uint64(f)) }

// String writes r exactly, such as "100Gb/s".
func (r BitRate) String() string { return rates.format(uint64(r)) }

// String writes n exactly, in the largest unit of which it is a whole number.
func (n Bytes) String() string { return sizes.format(uint64(n)) }

// String writes c as a bare number.
func (c Cycles) String() string { return strconv.FormatUint(uint64(c), 10) }

// MarshalText writes d as String does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// MarshalText writes t as String does.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalText writes f as String does.
func (f Hertz) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// MarshalText writes r as String does.
func (r BitRate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// MarshalText writes n as String does.
func (n Bytes) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// MarshalText writes c as String does.
func (c Cycles) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a span such as "1.5us", "500ns" or "12ps".
func (d *Duration) UnmarshalText(text []byte) error { return read(d, &durations, text) }

// UnmarshalText reads an instant as the span since the start.
func (t *Time) UnmarshalText(text []byte) error { return read(t, &durations, text) }

// UnmarshalText reads a frequency such as "250MHz".
func (f *Hertz) UnmarshalText(text []byte) error { return read(f, &frequencies, text) }

// UnmarshalText reads a rate such as "100Gb/s", or "16GT/s" of one lane.
func (r *BitRate) UnmarshalText(text []byte) error { return read(r, &rates, text) }

// UnmarshalText reads a size such as "4KiB" (4096 bytes) or "4kB" (4000).
func (n *Bytes) UnmarshalText(text []byte) error { return read(n, &sizes, text) }

// UnmarshalText reads a bare whole number.
func (c *Cycles) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("%q: want a whole number of cycles without a unit, such as 12", text)
	}
	*c = Cycles(v)
	return nil
}

func read[Q ~uint64](to *Q, q *quantity, text []byte) error {
	v, err := q.parse(string(text))
	if err != nil {
		return err
	}
	*to = Q(v)
	return nil
}

// format writes v so that parse reads exactly v again.
func (q *quantity) format(v uint64) string {
	u := q.units[len(q.units)-1]
	if !q.whole && v == 0 {
		return "0" + u.name
	}
	for _, c := range q.units {
		if v != 0 && v >= c.size && (!q.whole || v%c.size == 0) {
			u = c
			break
		}
	}
	s := strconv.FormatUint(v/u.size, 10)
	if rest := v % u.size; rest != 0 {
		digits := strconv.FormatUint(u.size+rest, 10)[1:] // sizes with a rest are powers of ten
		s += "." + strings.TrimRight(digits, "0")
	}
	return s + u.name
}

// parse reads a decimal number and a unit; spaces between them are allowed. A
// bare 0 needs no unit.
func (q *quantity) parse(s string) (uint64, error) {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(s)
	}
	number, name := s[:end], strings.TrimSpace(s[end:])
	if number == "0" && name == "" {
		return 0, nil
	}
	size, known := q.size(name)
	if number == "" || !known {
		return 0, fmt.Errorf("%q: want a number and a unit, such as %s (units: %s)", s, q.example, q.names())
	}
	whole, decimals, dotted := strings.Cut(number, ".")
	if whole == "" || dotted && decimals == "" || strings.Contains(decimals, ".") {
		return 0, fmt.Errorf("%q: want a decimal number before the unit, such as %s", s, q.example)
	}
	v, err := strconv.ParseUint(whole, 10, 64)
	hi, v := bits.Mul64(v, size)
	part, exact := fraction(strings.TrimRight(decimals, "0"), size)
	sum, carry := bits.Add64(v, part, 0)
	switch {
	case err != nil || hi != 0 || carry != 0:
		return 0, fmt.Errorf("%q: too large, the most is %s", s, q.format(1<<64-1))
	case !exact:
		return 0, fmt.Errorf("%q: not a whole number of %ss", s, q.noun)
	}
	return sum, nil
}

// fraction returns 0.decimals of size, and whether that is a whole number. It
// divides digit by digit from the last, so that nothing is rounded on the way.
func fraction(decimals string, size uint64) (part uint64, exact bool) {
	if len(decimals) > 64 {
		return 0, false // no unit has that many factors of ten or of two
	}
	// Long division of decimals*size by 10^len, kept as whole part and a rest
	// of digits: multiply the digits by size, first digit out is the whole part.
	digits := []byte(decimals)
	carry := uint64(0)
	for i := len(digits) - 1; i >= 0; i-- {
		hi, lo := bits.Mul64(uint64(digits[i]-'0'), size)
		lo, c := bits.Add64(lo, carry, 0)
		if hi+c != 0 {
			return 0, false
		}
		carry = lo / 10
		if lo%10 != 0 {
			return 0, false
		}
	}
	return carry, true
}

func (q *quantity) size(name string) (size uint64, known bool) {
	for _, list := range [...][]unit{q.units, q.aliases} {
		for _, u := range list {
			if u.name == name {
				return u.size, true
			}
		}
	}
	return 0, false
}

func (q *quantity) names() string {
	names := make([]string, 0, len(q.units))
	for i := len(q.units) - 1; i >= 0; i-- {
		names = append(names, q.units[i].name)
	}
	return strings.Join(names, ", ")
}
