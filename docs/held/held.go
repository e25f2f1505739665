package held

import (
	"os"
	"testing"
)

// Document holds a file to what it must say; update writes it first. Renew is
// the command that does.
func Document(t *testing.T, file, want, renew string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what it is generated from (%s): %v", file, renew, err)
	}
}
