package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hcasim/sim"
)

func TestDescribe(t *testing.T) {
	got := Describe(sample{})
	var paths []string
	for _, p := range got {
		paths = append(paths, p.Path)
	}
	want := strings.Fields(`hca.clock
		hca.cache.qpc.entries hca.cache.qpc.ways hca.cache.qpc.latency hca.cache.qpc.replace
		hca.cache.mpt.entries hca.cache.mpt.ways hca.cache.mpt.latency hca.cache.mpt.replace
		hca.skew wire.rate wire.delay wire.mtu wire.pause wire.label wire.big`)
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("paths:\n%s", diff)
	}
	for _, want := range []Param{
		{Path: "hca.clock", Type: "frequency", Default: "250MHz", Min: "1MHz", Max: "10GHz", Doc: "Core clock."},
		{Path: "hca.cache.mpt.entries", Type: "count", Unit: "entries", Default: "1024", Min: "1", Max: "65536", Doc: "Entries held."},
		{Path: "hca.cache.mpt.latency", Type: "cycles", Unit: "cycles", Default: "5", Min: "1", Max: "1000", Doc: "From key to entry, on a hit."},
		{Path: "hca.cache.mpt.replace", Type: "choice", Default: "lru", Enum: []string{"lru", "plru", "random"}, Doc: "Which entry makes room."},
		{Path: "hca.skew", Type: "integer", Default: "0", Max: "100", Doc: "A number with a sign."},
		{Path: "wire.rate", Type: "rate", Default: "100Gb/s", Min: "1Gb/s", Max: "1Tb/s", Doc: "After coding."},
		{Path: "wire.delay", Type: "duration", Default: "500ns", Max: "1ms", Doc: "One way."},
		{Path: "wire.mtu", Type: "size", Default: "4KiB", Min: "256B", Max: "4KiB", Doc: "Largest payload."},
		{Path: "wire.pause", Type: "switch", Default: "false", Doc: "Whether the receiver may stop the sender."},
	} {
		got := DescribeUnder(&sample{}, want.Path)
		if len(got) != 1 {
			t.Errorf("%s: %d parameters", want.Path, len(got))
			continue
		}
		if diff := cmp.Diff(want, got[0]); diff != "" {
			t.Errorf("%s:\n%s", want.Path, diff)
		}
	}
	if n := len(DescribeUnder(sample{}, "hca.cache")); n != 8 {
		t.Errorf("hca.cache has %d parameters", n)
	}
	for _, nowhere := range []string{"hca.cash", "wire.rate.x", "."} {
		if got := DescribeUnder(sample{}, nowhere); got != nil {
			t.Errorf("%q: %v", nowhere, got)
		}
	}
}

func TestGroups(t *testing.T) {
	want := []Group{{"hca", "The adapter."}, {"hca.cache", "On-chip copies."}, {"hca.cache.qpc", "Contexts."},
		{"hca.cache.mpt", "Protection entries."}, {"wire", "The cable."}}
	if diff := cmp.Diff(want, Groups(sample{})); diff != "" {
		t.Error(diff)
	}
}

func TestRange(t *testing.T) {
	for path, want := range map[string]string{
		"hca.cache.mpt.entries": "1 to 65536 entries", "hca.cache.mpt.latency": "1 to 1000 cycles",
		"hca.cache.mpt.ways": "at least 1", "hca.skew": "at most 100", "wire.rate": "1Gb/s to 1Tb/s",
		"hca.cache.mpt.replace": "lru, plru, random", "wire.pause": "", "wire.big": "",
	} {
		if got := DescribeUnder(sample{}, path)[0].Range(); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// The rooms fill their Params by sim.SetDefaults; both readers of the tags
// must read the same.
func TestDefaultsAreThoseOfTheRooms(t *testing.T) {
	var want sample
	sim.SetDefaults(&want)
	if got := New[sample]().Params; got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestBrokenTagsPanic(t *testing.T) {
	type self struct {
		Next *int `yaml:"next" default:"0" doc:"A."`
	}
	for want, broken := range map[string]func(){
		"needs a yaml tag": func() { New[struct{ A int }]() },
		"two fields named a": func() {
			New[struct {
				A, B int `yaml:"a" default:"0" doc:"A."`
			}]()
		},
		"no doc": func() {
			New[struct {
				A int `yaml:"a" default:"0"`
			}]()
		},
		"no default": func() {
			New[struct {
				A int `yaml:"a" doc:"A."`
			}]()
		},
		"default \"5\": 5 is out of range, want 6 to 9": func() {
			New[struct {
				A int `yaml:"a" default:"5" min:"6" max:"9" doc:"A."`
			}]()
		},
		"default \"x\": \"x\" is none of y, z": func() {
			New[struct {
				A string `yaml:"a" default:"x" enum:"y,z" doc:"A."`
			}]()
		},
		"min \"1\": \"1\": want a number and a unit": func() {
			New[struct {
				A sim.Bytes `yaml:"a" default:"2B" min:"1" doc:"A."`
			}]()
		},
		"a float64 cannot be a parameter": func() {
			New[struct {
				A float64 `yaml:"a" default:"1" doc:"A."`
			}]()
		},
		"a *int cannot be a parameter": func() { New[self]() },
		"is no struct":                 func() { New[int]() },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				got, _ := recover().(string)
				if !strings.Contains(got, want) {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			broken()
		})
	}
}

func TestSuggest(t *testing.T) {
	for path, want := range map[string]string{
		"hca.cache": "", "hca.cache.mpt.ways": "",
		"hca.cahce.mpt":   `did you mean "cache"? (hcasim params hca)`,
		"hac":             `did you mean "hca"? (hcasim params)`,
		"wire.mtu.bytes":  "there is nothing below wire.mtu",
		"hca.cache.entry": "known here: qpc, mpt (hcasim params hca.cache)",
	} {
		if got := Suggest(sample{}, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
