package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hcasim/sim"
)

var inFile = In("s.yaml")

func TestApplyTakesValuesOfEveryKind(t *testing.T) {
	s := New[sample]()
	problems := s.Apply("", parse(t, `
hca:
  clock: 1.25 GHz
  cache:
    mpt: &small {entries: 0x40, latency: 7, replace: plru}
    qpc: {<<: *small, entries: 1_000}
  skew: -128
wire: {rate: "16GT/s", delay: 0, mtu: 256B, pause: true, label: yes, big: 18446744073709551615}
`), inFile)
	if len(problems) > 0 {
		t.Fatal(print(problems))
	}
	want := New[sample]().Params
	want.HCA.Clock = 1_250_000_000
	want.HCA.Cache.MPT = sampleCache{Entries: 64, Ways: 4, Latency: 7, Replace: "plru"}
	want.HCA.Cache.QPC = sampleCache{Entries: 1000, Ways: 4, Latency: 7, Replace: "plru"}
	want.HCA.Skew = -128
	want.Wire = sampleWire{Rate: 16_000_000_000, MTU: 256, Pause: true, Label: "yes", Big: 1<<64 - 1}
	if s.Params != want {
		t.Errorf("got  %+v\nwant %+v", s.Params, want)
	}
}

func TestApplyBelowTheRoot(t *testing.T) {
	s := New[sample]()
	if problems := s.Apply("hca.cache.mpt", parse(t, "entries: 2"), inFile); len(problems) > 0 {
		t.Fatal(print(problems))
	}
	if problems := s.Apply("wire.delay", parse(t, "3ns"), inFile); len(problems) > 0 {
		t.Fatal(print(problems))
	}
	if s.Params.HCA.Cache.MPT.Entries != 2 || s.Params.Wire.Delay != 3*sim.Nanosecond {
		t.Errorf("got %+v", s.Params)
	}
}

func TestApplyNamesEveryMistake(t *testing.T) {
	for _, c := range []struct{ name, tree, want string }{
		{"unknown, near", `hca: {cache: {mpt: {entires: 64}}}`, `
s.yaml:1:21: unknown parameter "entires"; did you mean "entries"? (hcasim params hca.cache.mpt)`},
		{"unknown, elsewhere", `hca: {delay: 1ns}`, `
s.yaml:1:7: unknown parameter "delay"; did you mean wire.delay?`},
		{"unknown, far", `mtp: {fills: 3}`, `
s.yaml:1:1: unknown parameter "mtp"; known here: hca, wire (hcasim params)`},
		{"all at once", "hca:\n  clok: 1GHz\n  cache:\n    mpt: {entries: 0, ways: many}\nwire: {mtu: 4}", `
s.yaml:2:3: unknown parameter "clok"; did you mean "clock"? (hcasim params hca)
s.yaml:4:20: entries: 0 is out of range, want 1 to 65536 entries
s.yaml:4:29: ways: "many": want a whole number
s.yaml:5:13: mtu: "4": want a number and a unit, such as 4KiB (units: B, kB, KiB, MB, MiB, GB, GiB, TB, TiB)`},
		{"wrong unit", `wire: {delay: 4KiB, rate: 5ns}`, `
s.yaml:1:15: delay: "4KiB": want a number and a unit, such as 1.5us (units: ps, ns, us, ms, s)
s.yaml:1:27: rate: "5ns": want a number and a unit, such as 100Gb/s (units: b/s, kb/s, Mb/s, Gb/s, Tb/s)`},
		{"out of bounds", `wire: {mtu: 8KiB, rate: 1Mb/s, delay: 1s, big: 18446744073709551616}`, `
s.yaml:1:13: mtu: 8KiB is out of range, want 256B to 4KiB
s.yaml:1:25: rate: 1Mb/s is out of range, want 1Gb/s to 1Tb/s
s.yaml:1:39: delay: 1s is out of range, want at most 1ms
s.yaml:1:48: big: 18446744073709551616 is out of range, want a number of 64 bits`},
		{"sign", `hca: {skew: -129, cache: {mpt: {ways: -1, latency: 1.5}}}`, `
s.yaml:1:13: skew: -129 is out of range, want at most 100
s.yaml:1:39: ways: -1 is out of range, want at least 1
s.yaml:1:52: latency: "1.5": want a whole number of cycles without a unit, such as 12`},
		{"no choice of it", `hca: {cache: {mpt: {replace: lur}, qpc: {replace: 4}}}`, `
s.yaml:1:30: replace: "lur" is none of lru, plru, random; did you mean "lru"?
s.yaml:1:51: replace: "4" is none of lru, plru, random`},
		{"switch", `wire: {pause: yes}`, `
s.yaml:1:15: pause: "yes": want true or false`},
		{"numbers", `hca: {cache: {mpt: {entries: "64", ways: 010}, qpc: {entries: 1e3}}}`, `
s.yaml:1:30: entries: "64" in quotes is text, want a whole number
s.yaml:1:42: ways: "010": want a whole number
s.yaml:1:63: entries: "1e3": want a whole number`},
		{"shapes", `hca: {cache: [1], clock: {a: 1}, skew: }`, `
s.yaml:1:14: cache is a group of parameters, not a list; write {name: value} (hcasim params hca.cache)
s.yaml:1:26: clock: a mapping, want a frequency such as 250MHz
s.yaml:1:40: skew: no value, want a whole number`},
		{"root", `7`, `
s.yaml:1:1: the root is a group of parameters, not "7"; write {name: value} (hcasim params)`},
		{"twice", "wire: {mtu: 1KiB, mtu: 2KiB}", `
s.yaml:1:19: mtu is given twice`},
		{"names of fields are no names", "wire: {MTU: 1KiB}\nhca: {scratch: 1, Name: x}", `
s.yaml:1:8: unknown parameter "MTU"; did you mean "mtu"? (hcasim params wire)
s.yaml:2:7: unknown parameter "scratch"; known here: clock, cache, skew (hcasim params hca)
s.yaml:2:19: unknown parameter "Name"; known here: clock, cache, skew (hcasim params hca)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := print(New[sample]().Apply("", parse(t, c.tree), inFile))
			if want := strings.TrimPrefix(c.want, "\n") + "\n"; got != want {
				t.Errorf("%s\n%s", c.tree, cmp.Diff(want, got))
			}
		})
	}
}

func TestProblemSpansItsWord(t *testing.T) {
	problems := New[sample]().Apply("", parse(t, `wire: {mtu: "9µB", dealy: 1ns}`), inFile)
	if len(problems) != 2 || problems[0].Length != 5 || problems[1].Length != 5 {
		t.Errorf("got %+v", problems)
	}
}

// A tree that doubles by aliases with every line must not take for ever, nor
// one that holds itself.
func TestApplyEndsOnAliases(t *testing.T) {
	var b strings.Builder
	b.WriteString("wire: &w0 {pause: true}\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "w%d: &w%d {<<: [*w%d, *w%d]}\n", i, i, i-1, i-1)
	}
	b.WriteString("hca: *w39\n")
	bomb := parse(t, b.String())
	got := print(New[sample]().Apply("", bomb, inFile))
	if !strings.Contains(got, "the aliases of this tree multiply") {
		t.Errorf("got %s", got)
	}
	New[sample]().Apply("", parse(t, "hca: &h {cache: *h, <<: *h}"), inFile)
}

func TestLaterOriginsWin(t *testing.T) {
	s := New[sample]()
	s.Apply("", parse(t, "wire: {delay: 1us}\nhca:\n  clock: 1GHz\n"), inFile)
	s.set("wire.delay", "2us")
	for path, want := range map[string]string{
		"wire.delay": "--set", "hca.clock": "s.yaml:3", "wire.rate": "default",
	} {
		if got, ok := s.Origin(path); !ok || got.String() != want {
			t.Errorf("%s comes from %q, want %q", path, got, want)
		}
	}
	if _, ok := s.Origin("hca"); ok {
		t.Error("a group has an origin")
	}
	if got, _ := s.Value("wire.delay"); got != "2us" {
		t.Errorf("wire.delay is %s", got)
	}
}
