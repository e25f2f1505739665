package timeline

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"
	"testing"
)

// A wave is a file as a reader has it.
type wave struct {
	values map[string]string // of each signal, in the end
	first  map[string]string
	times  []uint64
	steps  map[string]int
}

// read reads a file, and finds what is not as the format has it, or as we have
// it: no value is said twice, none has zeros in front.
func read(t *testing.T, text []byte, ours bool) wave {
	t.Helper()
	w := wave{values: map[string]string{}, first: map[string]string{}, steps: map[string]int{}}
	names := map[string]string{}
	var scope []string
	dumping, defined := false, false
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		l := lines.Text()
		f := strings.Fields(l)
		switch {
		case len(f) == 0, l[0] == '\t': // words, such as a date
		case f[0] == "$scope":
			scope = append(scope, f[2])
		case f[0] == "$upscope":
			scope = scope[:len(scope)-1]
		case f[0] == "$var":
			name := strings.Join(append(scope[:len(scope):len(scope)], f[4]), ".")
			if names[f[3]] != "" || len(f) != 6 && ours {
				t.Errorf("%q: the code is taken, or the name has blanks", l)
			}
			names[f[3]] = name
		case f[0] == "$enddefinitions":
			defined = true
		case f[0] == "$dumpvars":
			dumping = true
		case f[0] == "$end":
			dumping = false
			for code, name := range names {
				if _, there := w.first[name]; !there {
					t.Errorf("%s %s has no value at first", code, name)
				}
			}
		case l[0] == '#':
			at, err := strconv.ParseUint(l[1:], 10, 64)
			if n := len(w.times); err != nil || n > 0 && at <= w.times[n-1] {
				t.Errorf("%q after %v", l, w.times[max(0, n-1):])
			}
			w.times = append(w.times, at)
		case l[0] == '$':
		default:
			value, code := l[:1], l[1:]
			if l[0] == 'b' || l[0] == 's' {
				value, code = f[0][1:], f[1]
			}
			if !ours && l[0] == 'b' {
				value = "0" + value
				value = value[min(len(value)-1, strings.IndexByte(value+"1", '1')):]
			}
			name := names[code]
			if name == "" || !defined {
				t.Fatalf("%q is of no signal", l)
			}
			if dumping {
				w.first[name] = value
			} else {
				w.steps[name]++
				if w.values[name] == value && ours {
					t.Errorf("%s is %s again", name, value)
				}
			}
			w.values[name] = value
		}
	}
	return w
}

// TestVCD reads the waves of all verbs and faults: nothing is inside any unit
// in the end that is not pending, and states are those of the result.
func TestVCD(t *testing.T) {
	for _, file := range files(t) {
		for _, m := range makeOf(t, file, "vcd", Options{}) {
			t.Run(m.name, func(t *testing.T) {
				w := read(t, m.text, true)
				if w.times[len(w.times)-1] != uint64(m.result.Now) {
					t.Errorf("%d instants, the last is not %d", len(w.times), m.result.Now)
				}
				for name, value := range w.values {
					if strings.Contains(name, ".inside.") && value != "0" || strings.Contains(name, ".busy.") && value != "0" {
						t.Errorf("%s is %s in the end", name, value)
					}
				}
			})
		}
	}
}

// TestStates follows the states of quickstart's queue pairs and regions.
func TestStates(t *testing.T) {
	w := read(t, makeOf(t, quickstart, "vcd", Options{})[0].text, true)
	for name, want := range map[string]string{
		"client.qp.q0": "RTS ERR", "server.qp.q0": "RTS ERR", "client.region.src": "none VALID:0x100",
		"server.region.buf": "none VALID:0x100", "client.counts.in_flight": "0 0",
	} {
		if got := w.first[name] + " " + w.values[name]; got != want {
			t.Errorf("%s goes from %s, want %s", name, got, want)
		}
	}
	if n := w.steps["client.counts.in_flight"]; n != 2 { // the second request begins as the first ends
		t.Errorf("in flight changes %d times", n)
	}
}

// TestClock draws both clocks within a window, every edge of them, and nothing
// outside it.
func TestClock(t *testing.T) {
	o := Options{Windowed: true, From: 40_000_000, To: 41_000_000}
	w := read(t, makeOf(t, quickstart, "vcd", o)[0].text, true)
	if first, last := w.times[0], w.times[len(w.times)-1]; first != 40_000_000 || last != 41_000_000 {
		t.Errorf("from %d to %d", first, last)
	}
	for _, host := range []string{"client", "server"} {
		if n := w.steps[host+".clock.clk"]; n != 2000 { // 1 GHz
			t.Errorf("%s: %d edges", host, n)
		}
	}
	for name, want := range map[string]string{
		"client.region.src": "VALID:0x100", "client.qp.q0": "RTS", "client.inside.gather": "1", "client.counts.in_flight": "1",
	} {
		if got := w.first[name]; got != want {
			t.Errorf("%s is %s where the window begins, want %s", name, got, want)
		}
	}
}

// TestCodes: each signal has another short name.
func TestCodes(t *testing.T) {
	seen := map[string]int{}
	for n := range 20_000 {
		c := code(n)
		if was, there := seen[c]; there {
			t.Fatalf("%d and %d are %s", was, n, c)
		}
		seen[c] = n
	}
}
