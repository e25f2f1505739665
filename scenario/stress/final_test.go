package stress

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hcasim/scenario"
)

// final is what the scenario of a seed that was verified expects in the end:
// the bytes of which the text says what they are.
func (w *world) final() string {
	var b strings.Builder
	b.WriteString("expect:\n  memory:\n")
	for _, m := range w.machines {
		fmt.Fprintf(&b, "    %s.u%s:\n", m.name, m.low)
		for at := 0; at < m.size; {
			n := m.run(at)
			switch data := m.image[at : at+n]; {
			case m.open[at]:
			case n > 1 && len(slices.Compact(slices.Clone(data))) == 1:
				fmt.Fprintf(&b, "      - {at: %d, length: %d, equals: %d}\n", at, n, data[0])
			default:
				fmt.Fprintf(&b, "      - {at: %d, equals: {hex: %q}}\n", at, hex.EncodeToString(data))
			}
			at += n
		}
	}
	return b.String()
}

// run is how many bytes from at on are alike: open, one value, or a part of a
// page with many.
func (m *machine) run(at int) int {
	alike := func(from int) (n int) {
		for from+n < m.size && m.open[from+n] == m.open[from] && (m.open[from] || m.image[from+n] == m.image[from]) {
			n++
		}
		return n
	}
	const long = 64
	n := alike(at)
	if m.open[at] || n >= long {
		return n
	}
	for at+n < m.size && n < 4096 && !m.open[at+n] {
		more := alike(at + n)
		if more >= long {
			break
		}
		n += more
	}
	return n
}

// A scenario that is kept holds by itself, and falls with one byte of it.
func TestFinalBytes(t *testing.T) {
	known := 0
	for seed := uint64(1); seed <= 6; seed++ {
		w, text, wrong := try(seed, nil)
		if wrong != "" {
			t.Fatal(wrong)
		}
		for _, m := range w.machines {
			for _, open := range m.open {
				if !open {
					known++
				}
			}
		}
		final := w.final()
		for spoilt, text := range []string{text + final, text + strings.Replace(final, "equals: ", "equals: 0x5B}\n      - {at: 0, length: 1, equals: ", 1)} {
			runs, err := scenario.Read("stress.yaml", []byte(text), scenario.Options{Profiles: profiles})
			if err != nil {
				t.Fatal(err)
			}
			res, err := runs[0].Do()
			if err != nil {
				t.Fatal(err)
			}
			if failed := len(res.Failures) > 0; failed != (spoilt == 1) {
				t.Errorf("seed %d: spoilt %d: %v", seed, spoilt, res.Failures)
			}
		}
	}
	if known < 50000 {
		t.Errorf("of all worlds together %d bytes are known", known)
	}
}
