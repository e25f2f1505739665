package scenario_test

import (
	"errors"
	"testing"

	"hcasim/scenario"
)

// FuzzSet: whatever --set says, the scenario is read with it, or there are
// mistakes, and each says where it is.
func FuzzSet(f *testing.F) {
	for _, seed := range []string{"hca.clock=1GHz", "wire={mtu: 1KiB}", "=", "a", ".=.", "vars.n=5", "ops=[]", "hosts.A.mr.mA.length=5", "wire.rate=\u0085", "run.seed=!!int x"} {
		f.Add(seed)
	}
	text := []byte("version: 1\nkind: scenario\nuse: b0\nops: [{wait: 5us}]\n")
	library := scenario.NewProfiles("")
	f.Fuzz(func(t *testing.T, flag string) {
		if len(flag) > 1<<12 {
			return // a long value is as many short ones
		}
		_, err := scenario.Read("s.yaml", text, scenario.Options{Sets: []string{flag}, Profiles: library})
		var m *scenario.Mistakes
		if err != nil && !errors.As(err, &m) {
			t.Fatal(err)
		}
		if m == nil {
			return
		}
		for _, p := range m.Problems {
			if p.File == "" || p.Message == "" {
				t.Errorf("a mistake of %q at %d:%d: %q", p.File, p.Line, p.Column, p.Message)
			}
		}
	})
}
