package config

import "testing"

func TestSet(t *testing.T) {
	s := New[sample]()
	for _, a := range []string{
		"hca.cache.mpt.entries=64", "hca.cache.qpc={entries: 32, replace: random}", "wire.delay = 3 us",
		"wire.label='a=b'",
	} {
		if problems := s.Set(a); len(problems) > 0 {
			t.Error(print(problems))
		}
	}
	if c := s.Params.HCA.Cache; c.MPT.Entries != 64 || c.QPC.Entries != 32 || c.QPC.Replace != "random" {
		t.Errorf("got %+v", c)
	}
	if w := s.Params.Wire; w.Delay.String() != "3us" || w.Label != "a=b" {
		t.Errorf("got %+v", w)
	}
}

func TestSetNamesTheFlag(t *testing.T) {
	for _, c := range []struct{ flag, want string }{
		{"hca.cache.mpt.entires=64", `--set hca.cache.mpt.entires: unknown parameter; did you mean "entries"? (hcasim params hca.cache.mpt)`},
		{"hca.cache.mpt={entires: 64}", `--set hca.cache.mpt.entires: unknown parameter; did you mean "entries"? (hcasim params hca.cache.mpt)`},
		{"hac.clock=1GHz", `--set hac: unknown parameter; did you mean "hca"? (hcasim params)`},
		{"hca.clock.mpt=3", `--set hca.clock: a mapping, want a frequency such as 250MHz`},
		{"hca.cache=64", `--set hca.cache: cache is a group of parameters, not "64"; write {name: value} (hcasim params hca.cache)`},
		{"hca.cache.mpt.entries=0", `--set hca.cache.mpt.entries: 0 is out of range, want 1 to 65536 entries`},
		{"hca.cache.mpt.replace=lur", `--set hca.cache.mpt.replace: "lur" is none of lru, plru, random; did you mean "lru"?`},
		{"wire.mtu=", `--set wire.mtu: no value after the =`},
		{"wire.mtu", `--set wire.mtu: no value; write wire.mtu=value`},
		{"=3", `--set: no parameter is named; write path=value, such as hca.cache.mpt.entries=64`},
		{"wire..mtu=1KiB", `--set wire.: unknown parameter; known here: rate, delay, mtu, pause, label, big (hcasim params wire)`},
		{"wire.label=[", `--set wire.label: the value cannot be read: did not find expected node content; quote it if it holds one of : # { [ * &`},
		{"wire.label=a: b: c", `--set wire.label: the value cannot be read: mapping values are not allowed in this context; quote it if it holds one of : # { [ * &`},
		{"wire.label=# gone", `--set wire.label: the value cannot be read: yaml: no documents in stream; quote it if it holds one of : # { [ * &`},
	} {
		if got := print(New[sample]().Set(c.flag)); got != c.want+"\n" {
			t.Errorf("--set %s\ngot  %swant %s", c.flag, got, c.want)
		}
	}
}
