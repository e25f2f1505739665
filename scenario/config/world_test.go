package config

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"hcasim/pcie"
	"hcasim/sim"
)

func TestWorldIsDescribed(t *testing.T) {
	sentence := regexp.MustCompile(`^[A-Z0-9].*[.)]$`)
	for _, p := range Describe(World{}) {
		if !sentence.MatchString(p.Doc) {
			t.Errorf("%s: %q is no sentence", p.Path, p.Doc)
		}
		if name(p.Path) != strings.ToLower(name(p.Path)) {
			t.Errorf("%s: names are in lower case", p.Path)
		}
		bounded := p.Min != "" && p.Max != ""
		if p.Type != "switch" && p.Type != "choice" && !bounded {
			t.Errorf("%s: a %s without both bounds", p.Path, p.Type)
		}
	}
}

func TestWorldDefaultsAreThoseOfTheRooms(t *testing.T) {
	var want World
	sim.SetDefaults(&want)
	s := New[World]()
	if s.Params != want {
		t.Error("the defaults are not those of the rooms")
	}
	if got := print(s.Check()); got != "" {
		t.Errorf("the defaults do not go together: %s", got)
	}
}

func TestWorldCheck(t *testing.T) {
	s := New[World]()
	s.Apply("", parse(t, `
hca:
  cache: {mpt: {entries: 10, ways: 4}, qpc: {ways: 3, replace: plru}}
  pcie: {mps: 384B}
wire: {mtu: 1000}
host: {memory: {ddio_ways: 21}}
`), In("s.yaml"))
	got := print(s.Check())
	for _, want := range []string{
		"s.yaml:3:26: hca.cache.mpt.entries: want a multiple of ways (4), not 10",
		"s.yaml:3:52: hca.cache.qpc.ways: plru needs a power of two",
		": mps of the device 384B: want a power of two from 128B to 4KiB (host.pcie, hca.pcie)",
		"s.yaml:5:13: mtu 1000: want 256, 512, 1024, 2048 or 4096",
		"s.yaml:6:28: ddio_ways: 21 of a cache of 20 ways",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// total is what a 64 B read that the cache holds, a 64 B write and a doorbell
// take from one end of the link to the other and back.
func totals(t *testing.T, w World) (read, write, store sim.Duration) {
	link, err := pcie.Train(w.Host.PCIe, w.HCA.PCIe)
	if err != nil {
		t.Fatal(err)
	}
	memory := w.Host.Memory.DRAM
	if w.Host.Memory.LLC == "on" {
		memory = w.Host.Memory.LLCHit
	}
	return link.UnloadedRead(64) + memory, link.UnloadedWrite(64) + w.Host.Memory.Commit, link.UnloadedStore(8)
}

// A profile states the device's share of what was measured on a host. With
// its host the sums must be the measured ones again (within 2 %).
func TestProfilesAddUp(t *testing.T) {
	for _, c := range []struct {
		name        string
		read, write sim.Duration // of 64 B, the data in the cache
		post        sim.Duration // from the post to the adapter; 0: not known
	}{
		{"connectx3-like", 620 * sim.Nanosecond, 250 * sim.Nanosecond, 238 * sim.Nanosecond},
		{"connectx5-like", 520 * sim.Nanosecond, 230 * sim.Nanosecond, 150 * sim.Nanosecond},
		{"connectx7-like", 520 * sim.Nanosecond, 210 * sim.Nanosecond, 0},
		{"hangu-like", 500 * sim.Nanosecond, 250 * sim.Nanosecond, 0},
		{"bench-nfp6000, host-hsw-e5", 460*sim.Nanosecond + 130*sim.Nanosecond, 200*sim.Nanosecond + 190*sim.Nanosecond, 0}, // what its engines add
		{"bench-nfp6000, host-hsw-e5-2620", 413*sim.Nanosecond + 130*sim.Nanosecond, 200*sim.Nanosecond + 190*sim.Nanosecond, 0},
		{"bench-nfp6000", 413*sim.Nanosecond + 130*sim.Nanosecond, 200*sim.Nanosecond + 190*sim.Nanosecond, 0},
		{"host-modern", 400*sim.Nanosecond + 100*sim.Nanosecond, 180 * sim.Nanosecond, 0}, // the default adapter adds 100 ns
	} {
		s, problems := Base[World](NewLibrary(""), c.name)
		if len(problems) > 0 {
			t.Error(print(problems))
			continue
		}
		w := s.Params
		read, write, store := totals(t, w)
		near := func(what string, got, want sim.Duration) {
			if want != 0 && (got*100 < want*98 || got*100 > want*102) {
				t.Errorf("%s: %s takes %v, measured %v", c.name, what, got, want)
			}
		}
		// The size's share of store and forward is not in the measured constant.
		near("a read", read-64*sim.Duration(w.HCA.PCIe.ReadPerByte), c.read)
		near("a write", write-64*sim.Duration(w.HCA.PCIe.WritePerByte), c.write)
		clock := sim.NewClock(w.HCA.Clock)
		near("a post", w.Host.CPU.Post+store+sim.Duration(clock.Edge(w.HCA.Doorbell)), c.post)
	}
}

// The tables of an adapter must fit into the memory of its host.
func TestWorldTablesFit(t *testing.T) {
	s := New[World]()
	s.set("hca.limit", "{mr: 100, mw: 27, mtt: 1016, qp: 32}") // 8, 8 and 16 KiB, and 2 and 16 for commands and events
	if problems := append(s.set("host.memory.size", "1MiB"), s.Check()...); len(problems) > 0 {
		t.Error(print(problems))
	}
	s.set("hca.limit.mr", "20000")
	want := "--set host.memory.size: 1MiB is too little, the adapter's tables take 1300KiB; hca.limit is how large they are; (hcasim params host.memory.size)\n"
	if got := print(s.Check()); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

// hangu-like is tuned to its model's sum: a 64 B WRITE with everything on
// chip takes 3.5 us (within 10 %) from doorbell to completion.
func TestHanguLikeAddsUp(t *testing.T) {
	s, problems := Base[World](NewLibrary(""), "hangu-like")
	if len(problems) > 0 {
		t.Fatal(print(problems))
	}
	w := s.Params
	read, write, store := totals(t, w)
	a := w.HCA
	translate := a.MTP.MPTLatency + a.MTP.MTTLatency
	cycles := a.Doorbell + 2*translate + 2*a.Transmit + 2*a.Receive
	clock := sim.NewClock(a.Clock)
	got := store + 2*read + write + 2*w.Wire.Propagation() + sim.Duration(clock.Edge(cycles))
	if want := 3500 * sim.Nanosecond; got*10 < want*9 || got*10 > want*11 {
		t.Errorf("a WRITE takes %v, want %v", got, want)
	}
}

func TestEmbeddedProfiles(t *testing.T) {
	profiles, problems := NewLibrary("").List()
	if len(problems) > 0 {
		t.Fatal(print(problems))
	}
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
		s, problems := Base[World](NewLibrary(""), p.Name)
		if problems = append(problems, s.Check()...); len(problems) > 0 {
			t.Errorf("%s: %s", p.Name, print(problems))
		}
		if p.Name != "spec-ideal" && p.Values == 0 {
			t.Errorf("%s gives no value", p.Name)
		}
	}
	want := strings.Fields("bench-nfp6000 connect-ib-like connectx-20g-like connectx2-like connectx3-like connectx5-like connectx6-like connectx7-like hangu-like host-bdw-e5 host-epyc-vm host-gen2 host-hsw-e5 host-hsw-e5-2620 host-modern spec-ideal unlimited")
	if !slices.Equal(names, want) {
		t.Errorf("profiles %v, want %v", names, want)
	}
}

// A profile says clock and cycles in one breath: without the first the others
// mean nothing.
func TestDeviceProfilesStateTheirClock(t *testing.T) {
	profiles, _ := NewLibrary("").List()
	for _, p := range profiles {
		if strings.HasPrefix(p.Name, "host-") || p.Name == "spec-ideal" {
			continue
		}
		if p.Source("hca.clock") == "" {
			t.Errorf("%s does not state its clock", p.Name)
		}
	}
}

func TestWorldSchemaTakesItsOwnConfiguration(t *testing.T) {
	s := compiled(t, SchemaOf(World{}))
	for _, profile := range []string{"spec-ideal", "connectx5-like", "hangu-like"} {
		w, _ := Base[World](NewLibrary(""), profile)
		if err := s.Validate(instance(t, dump(t, w.Effective()))); err != nil {
			t.Errorf("%s: %v", profile, err)
		}
	}
}

func TestWorldEffectiveRunsAgain(t *testing.T) {
	s, _ := Base[World](NewLibrary(""), "connectx5-like")
	again := New[World]()
	if problems := again.Apply("", parse(t, dump(t, s.Effective())), In("config.yaml")); len(problems) > 0 {
		t.Fatal(print(problems))
	}
	if changes := s.changes(again); len(changes) > 0 {
		t.Errorf("changed: %+v", changes)
	}
}
