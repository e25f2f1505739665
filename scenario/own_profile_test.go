package scenario

import (
	"strings"
	"testing"
)

const twoProfiles = `version: 1
kind: scenario
name: t
profile: connectx3-like
hosts:
  a: {profile: PROFILE, pd: [p], qp: {q: {peer: b.q}}}
  b: {pd: [p], qp: {q: {peer: a.q}}}
ops: [{on: a, query_qp: {qp: q}, expect: {errno: OK}}]
`

// TestOwnProfile: a host's own profile stands in the place of the file's, for
// that host alone and not for the cable, and the effective file, which has no
// profiles, is the same run.
func TestOwnProfile(t *testing.T) {
	read := func(text string) *Run {
		t.Helper()
		runs, err := Read("t.yaml", []byte(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return runs[0]
	}
	r := read(strings.Replace(twoProfiles, "PROFILE", "unlimited", 1))
	for i, want := range [...]struct{ tags, efficiency string }{{"15360", "972000"}, {"32", "972000"}} {
		tags, _ := r.Settings[i].Value("hca.pcie.tags")
		efficiency, _ := r.Settings[i].Value("wire.efficiency")
		if tags != want.tags || efficiency != want.efficiency {
			t.Errorf("host %d: tags %s, wire.efficiency %s, want %v", i, tags, efficiency, want)
		}
	}
	text, err := r.Effective()
	if err != nil {
		t.Fatal(err)
	}
	if again := read(string(text)); again.Hash() != r.Hash() {
		t.Errorf("%s is another run:\n%s", again.Hash(), text)
	}
	_, err = Read("t.yaml", []byte(strings.Replace(twoProfiles, "PROFILE", "unlimitd", 1)), Options{})
	if err == nil || !strings.Contains(err.Error(), "t.yaml:6:") || !strings.Contains(err.Error(), "unlimited") {
		t.Errorf("a profile that is not there: %v", err)
	}
}
