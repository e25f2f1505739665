package sim

import (
	"encoding"
	"fmt"
	"strings"
	"testing"
)

func TestQuantityRead(t *testing.T) {
	var d Duration
	var n Bytes
	var r BitRate
	var f Hertz
	var c Cycles
	for _, x := range []struct {
		to   encoding.TextUnmarshaler
		text string
		want uint64
		back string
	}{
		{&d, "1.5us", 1_500_000, "1.5us"},
		{&d, "500ns", 500_000, "500ns"},
		{&d, "12ps", 12, "12ps"},
		{&d, "0.25ns", 250, "250ps"},
		{&d, "1µs", 1_000_000, "1us"},
		{&d, "60 s", 60e12, "60s"},
		{&d, "0", 0, "0ps"},
		{&d, "1.000000000001s", 1e12 + 1, "1.000000000001s"},
		{&d, "18446744073709551615ps", 1<<64 - 1, "18446744.073709551615s"},
		{&n, "4KiB", 4096, "4KiB"},
		{&n, "4kB", 4000, "4kB"},
		{&n, "2MB", 2e6, "2MB"},
		{&n, "1.5KiB", 1536, "1536B"},
		{&n, "0.5GiB", 512 << 20, "512MiB"},
		{&n, "1TiB", 1 << 40, "1TiB"},
		{&n, "0.0009765625KiB", 1, "1B"},
		{&r, "100Gb/s", 100e9, "100Gb/s"},
		{&r, "2.5Gb/s", 25e8, "2.5Gb/s"},
		{&r, "16GT/s", 16e9, "16Gb/s"},
		{&r, "10Mb/s", 1e7, "10Mb/s"},
		{&f, "644.53125MHz", 644_531_250, "644.53125MHz"},
		{&f, "250 MHz", 250e6, "250MHz"},
		{&f, "1Hz", 1, "1Hz"},
		{&c, "12", 12, "12"},
	} {
		if err := x.to.UnmarshalText([]byte(x.text)); err != nil {
			t.Errorf("%s: %v", x.text, err)
			continue
		}
		back, _ := x.to.(encoding.TextMarshaler).MarshalText()
		if got := value(x.to); got != x.want || string(back) != x.back {
			t.Errorf("%q is %d and written %q, want %d and %q", x.text, got, back, x.want, x.back)
		}
	}
}

// value returns the number behind a pointer to a quantity.
func value(q any) uint64 {
	switch q := q.(type) {
	case *Duration:
		return uint64(*q)
	case *Bytes:
		return uint64(*q)
	case *BitRate:
		return uint64(*q)
	case *Hertz:
		return uint64(*q)
	case *Cycles:
		return uint64(*q)
	}
	panic(fmt.Sprintf("%T", q))
}

// TestQuantityRefused: the message says what would be right.
func TestQuantityRefused(t *testing.T) {
	var d Duration
	var n Bytes
	var r BitRate
	var c Cycles
	for _, x := range []struct {
		to   encoding.TextUnmarshaler
		text string
		want string
	}{
		{&n, "3", "want a number and a unit, such as 4KiB"},
		{&n, "", "want a number and a unit"},
		{&n, "KiB", "want a number and a unit"},
		{&n, "4kib", "units: B, kB, KiB"},
		{&n, "-4KiB", "want a number and a unit"},
		{&n, "1.5B", "not a whole number of bytes"},
		{&n, "0.1KiB", "not a whole number of bytes"},
		{&n, "16777216TiB", "too large"},
		{&n, "99999999999999999999B", "too large"},
		{&d, "0.5ps", "not a whole number of picoseconds"},
		{&d, "1.2.3ns", "want a decimal number"},
		{&d, ".5ns", "want a decimal number"},
		{&d, "5.ns", "want a decimal number"},
		{&d, "1e3ns", "want a number and a unit, such as 1.5us"},
		{&d, "5KiB", "want a number and a unit, such as 1.5us"},
		{&r, "100Gbps", "such as 100Gb/s"},
		{&c, "12 cycles", "want a whole number of cycles"},
		{&c, "1.5", "want a whole number of cycles"},
	} {
		before := value(x.to)
		err := x.to.UnmarshalText([]byte(x.text))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want %q", x.text, err, x.want)
		}
		if value(x.to) != before {
			t.Errorf("%q was refused and yet changed the value", x.text)
		}
	}
}

func FuzzQuantityRoundTrip(f *testing.F) {
	for _, v := range []uint64{0, 1, 999, 1000, 1023, 1024, 1536, 1<<40 - 1, 1e12, 1<<64 - 1} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v uint64) {
		roundTrip(t, Duration(v))
		roundTrip(t, Time(v))
		roundTrip(t, Hertz(v))
		roundTrip(t, BitRate(v))
		roundTrip(t, Bytes(v))
		roundTrip(t, Cycles(v))
	})
}

func roundTrip[Q interface {
	~uint64
	String() string
}, P interface {
	*Q
	encoding.TextUnmarshaler
}](t *testing.T, v Q) {
	var back Q
	if err := P(&back).UnmarshalText([]byte(v.String())); err != nil || back != v {
		t.Errorf("%T %d is written %q, read as %d (%v)", v, uint64(v), v.String(), uint64(back), err)
	}
}

// FuzzQuantityRead: whatever text is taken is written so that it reads the same.
func FuzzQuantityRead(f *testing.F) {
	for _, s := range []string{"1.5us", "0.0009765625KiB", "100Gb/s", "12", "1..2ns", "٣ns"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, q := range []*quantity{&durations, &frequencies, &rates, &sizes} {
			v, err := q.parse(s)
			if err != nil {
				continue
			}
			if back, err := q.parse(q.format(v)); err != nil || back != v {
				t.Errorf("%q is %d, written %q, read as %d (%v)", s, v, q.format(v), back, err)
			}
		}
	})
}
